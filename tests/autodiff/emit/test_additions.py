"""Additions to shadow memory: the first row of the table that applies emits one."""

import pytest

from enzyme_cc.analysis.memory.shadow_state import Foreign, MemoryState, Shadow
from enzyme_cc.autodiff.core.options import Options
from enzyme_cc.autodiff.core.signature import Form
from enzyme_cc.autodiff.emit.shadow_access import additions
from enzyme_cc.ir.builder import Builder
from enzyme_cc.ir.folding import float_constant, zero
from enzyme_cc.ir.types import PTR, VOID, FunctionType
from enzyme_cc.ir.values import Function
from tests.autodiff.sweeps import derivative

LOAD = "define double @f(ptr %p) {\n  %v = load double, ptr %p\n  %w = fmul double %v, %v\n  ret double %w\n}"


def reverse() -> list[str]:
    return derivative(LOAD, "dup", Form.COMBINED)


def test_an_adjoint_is_loaded_added_and_stored() -> None:
    lines = [line.split(" = ")[-1] for line in reverse() if line.endswith("ptr %1") or "%10" in line]
    assert lines == ["load double, ptr %1", "fadd double %10, %9", "store double %11, ptr %1"]


def test_a_new_kind_of_addition_is_a_row(monkeypatch: pytest.MonkeyPatch) -> None:
    apart = additions.ADDITIONS[0]
    always = additions.Addition(lambda added: added.state.is_shared, apart.emit)
    monkeypatch.setattr(additions, "ADDITIONS", (always, *additions.ADDITIONS))
    assert any("atomicrmw fadd" in line for line in reverse())


@pytest.mark.parametrize("align", [8, 4], ids=["atomic", "by the runtime"])
def test_additions_of_teams_are_apart_from_the_memory_of_the_primal(align: int) -> None:
    scopes = (("!alias.scope", "!1"), ("!noalias", "!2"))
    b = Builder(Function("@f", FunctionType(VOID, ()), []).add_block())
    state = MemoryState(Shadow.SURE, Foreign.ABSENT, is_shared=True, is_added_by_team=True)
    number, place = float_constant(1.0), zero(PTR)
    added = additions.AddedNumber(
        place, number, align, (("!tbaa", "!0"), *scopes), state, False, False, Options(), None
    )
    next(row for row in additions.ADDITIONS if row.applies(added)).emit(b, added)
    assert [i.metadata for i in b.block.instructions] == [scopes]
