"""Which routines of libraries may be lent shadows of memory without a shadow."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from enzyme_cc.analysis.activity.activity import ArgumentActivity, ResultActivity
from enzyme_cc.autodiff.core.calling_convention import Parameters
from enzyme_cc.autodiff.core.options import Options
from enzyme_cc.autodiff.core.pointers import ForeignPointers, PointerRow
from enzyme_cc.autodiff.core.round import Round
from enzyme_cc.autodiff.core.signature import Signature
from enzyme_cc.autodiff.custom.lent_shadows import decide, lent, lent_memory, may_lend, rows_size, unsure_arguments
from enzyme_cc.ir.builder import Builder
from enzyme_cc.ir.types import PTR, VOID, FunctionType
from enzyme_cc.ir.values import Argument, Function, Value

from ..rounds import explored

ROUTINE = "@__ez_library_twice"
TEXT = f"""
define void {ROUTINE}(ptr %x, ptr %y) {{
  %v = load double, ptr %x
  store double %v, ptr %y
  ret void
}}
define void @f() {{
  ret void
}}
"""
FOREIGN = ForeignPointers({"@kept": [PointerRow(0, 1, 8)]})
SIGNATURE = Signature(ROUTINE, (ArgumentActivity.DUP, ArgumentActivity.DUP), ResultActivity.NONE)


def round_of(*, asks: bool = True, pointers: ForeignPointers = FOREIGN) -> Round:
    return explored(TEXT).completed(Options(runtime_activity=asks), pointers)


def call() -> tuple[Builder, Parameters[Value], Value]:
    """A builder in an empty function, what the routine is given there, and memory for rows."""
    names = ("x", "x_shadow", "y", "y_shadow", "rows")
    x, dx, y, dy, rows = (Argument(PTR, name, "", k) for k, name in enumerate(names))
    function = Function("@caller", FunctionType(VOID, (PTR,) * 5), [x, dx, y, dy, rows], "internal")
    return Builder(function.add_block()), Parameters([x, y], {0: (dx,), 1: (dy,)}), rows


def calls(b: Builder) -> list[str]:
    return [i.callee_name for i in b.block.instructions if i.opcode == "call"]


def test_shadows_may_be_lent_if_the_body_tells_what_is_accessed() -> None:
    assert may_lend(round_of(), SIGNATURE, call()[1])


@pytest.mark.parametrize("round", [round_of(asks=False), round_of(pointers=ForeignPointers())])
def test_nothing_is_lent_where_nothing_is_recorded(round: Round) -> None:
    b, given, _ = call()
    assert not may_lend(round, SIGNATURE, given)
    assert unsure_arguments(round, b, SIGNATURE, given) is None


def test_arguments_with_shadows_of_their_own_are_not_compared() -> None:
    b, given, _ = call()
    found = unsure_arguments(round_of(), b, replace(SIGNATURE, sure_shadows=(0,)), given)
    assert found is not None
    assert list(found.same) == [1]


def test_the_decision_comes_first_and_a_loan_ends() -> None:
    round, (b, given, rows) = round_of(), call()
    decide(round, b, SIGNATURE, given, rows)
    with lent(b, rows, given, 0):
        lent_memory(b, rows, given, 1)
    extents, *runtime = calls(b)
    assert "extents" in extents
    assert runtime == ["@__ez_routine_lends", "@__ez_routine_lend", "@__ez_routine_returns"]
    assert rows_size(given) == 96
