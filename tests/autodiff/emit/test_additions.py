"""Additions to shadow memory: the first row of the table that applies emits one."""

import pytest

from enzyme_cc.autodiff.core.signature import Form
from enzyme_cc.autodiff.emit.shadow_access import additions
from tests.autodiff.sweeps import derivative

LOAD = "define double @f(ptr %p) {\n  %v = load double, ptr %p\n  %w = fmul double %v, %v\n  ret double %w\n}"


def reverse() -> list[str]:
    return derivative(LOAD, "dup", Form.COMBINED)


def test_an_adjoint_is_loaded_added_and_stored() -> None:
    lines = [line.split(" = ")[-1] for line in reverse() if line.endswith("ptr %1") or "%11" in line]
    assert lines == ["load double, ptr %1", "fadd double %11, %10", "store double %12, ptr %1"]


def test_a_new_kind_of_addition_is_a_row(monkeypatch: pytest.MonkeyPatch) -> None:
    apart = additions.ADDITIONS[0]
    always = additions.Addition(lambda added: added.state.is_shared, apart.emit)
    monkeypatch.setattr(additions, "ADDITIONS", (always, *additions.ADDITIONS))
    assert any("atomicrmw fadd" in line for line in reverse())
