"""Registered functions are called once for each direction, with memory as it was before the first call."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from enzyme_cc.autodiff.custom.directions import call_in_directions
from enzyme_cc.autodiff.custom.shapes import shape_of
from enzyme_cc.ir.builder import Builder
from enzyme_cc.report.diagnostics import EnzymeError

from ..rounds import complete

MODULE = """
@counter = global i32 0
declare void @unknown(ptr)
define double @f(double %x) {{
  ret double %x
}}
define double @tangent(double %x, double %dx) {{
  {effect}
  ret double %dx
}}
"""
WRITING = "store i32 1, ptr @counter"


def called(effect: str, directions: int) -> list[str]:
    """The functions called, in order: `direction: name` for the registered one."""
    round = complete(MODULE.format(effect=effect))
    primal = round.source.functions["@f"]
    block = round.output.body("@f").entry
    b = Builder.first(block)

    def call(direction: int, names: Sequence[str]) -> str:
        return f"{direction}: {names[0]}"

    found = call_in_directions(round, b, primal, directions, [shape_of(round.source, "@tangent")], call)
    return [*found, *(i.callee_name for i in block.instructions if i.opcode == "call")]


def test_each_direction_is_a_call() -> None:
    assert called("", 2) == ["0: @tangent", "1: @tangent"]


def test_memory_that_the_function_writes_is_put_back_before_the_next_direction() -> None:
    assert called(WRITING, 2) == [
        "0: @__ez_watched.tangent",
        "1: @tangent",
        *(f"@__ez_again_{step}" for step in ("begin", "done", "rewind", "end")),
    ]


def test_one_direction_needs_no_record() -> None:
    assert called(WRITING, 1) == ["0: @tangent"]


def test_several_directions_are_refused_if_it_is_not_known_what_the_function_writes() -> None:
    unknown = "call void @unknown(ptr @counter)"
    assert called(unknown, 1)
    with pytest.raises(EnzymeError, match="EZ0208"):
        called(unknown, 2)
