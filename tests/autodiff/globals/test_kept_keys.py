"""Keys of results that the program keeps in globals: requests begin without them."""

from __future__ import annotations

import pytest
from msgspec.structs import force_setattr

from enzyme_cc.autodiff.globals.kept_keys import forget_keys, kept_keys, recall_keys
from enzyme_cc.ir.builder import Builder

from ..rounds import DOUBLE, complete, explored

#: f returns what it has kept in @last_y if x is that of the last call
PROGRAM = """
@last_x = internal global double 0.0
@last_y = internal global double 0.0
define double @f(double %x) {{
  %old = load double, ptr @last_x{tag}
  %same = {comparison}
  br i1 %same, label %kept, label %new
kept:
  %y = load double, ptr @last_y{tag}
  ret double %y
new:
  %z = fmul double %x, %x
  store double %x, ptr @last_x{tag}
  store double %z, ptr @last_y{tag}
  {more}
  ret double %z
}}
"""
EQUAL = "fcmp oeq double %x, %old"


def program(comparison: str = EQUAL, more: str = "") -> str:
    return PROGRAM.format(comparison=comparison, more=more, tag=DOUBLE)


def keys(comparison: str = EQUAL, more: str = "") -> dict[str, list[tuple[int, int]]]:
    return kept_keys(explored(program(comparison, more), active_globals=["@last_x", "@last_y"]))


def test_what_is_only_compared_and_written_is_a_key() -> None:
    assert keys() == {"@last_x": [(0, 8)]}


@pytest.mark.parametrize("measure, is_key", [("fmul double %far, %far", True), ("fmul double %far, 2.0", False)])
def test_a_key_may_be_compared_by_its_distance(measure: str, is_key: bool) -> None:
    lines = f"fcmp olt double %measure, 1.0e-20\n  %far = fsub double %x, %old\n  %measure = {measure}"
    comparison, *before = lines.split("\n  ")
    moved = "\n  ".join(["freeze i1 false", *before, f"%near = {comparison}"])
    assert bool(keys(moved)) is is_key


@pytest.mark.parametrize("comparison", ["fcmp olt double %x, %old", "fcmp oeq double %x, 1.0"])
def test_what_is_ordered_or_not_compared_at_all_is_no_key(comparison: str) -> None:
    assert not keys(comparison)


def test_what_is_computed_with_is_no_key() -> None:
    assert not keys(more="%used = fadd double %old, 1.0\n  store double %used, ptr @last_y")


def test_what_another_load_computes_with_is_no_key() -> None:
    again = "%again = load double, ptr @last_x\n  "
    assert keys(more=f"{again}%used = fcmp one double %again, %x")
    assert not keys(more=f"{again}%used = fadd double %again, 1.0\n  store double %used, ptr @last_y")


def test_a_request_overwrites_keys_and_puts_them_back_unless_they_are_new() -> None:
    round = complete(program())
    force_setattr(round.foreign_pointers, "keys", {"@last_x": [(0, 8)]})
    function = round.source.body("@f")
    round.globals_of["@f"] = frozenset(["@last_x"])
    b = Builder.first(function.entry)
    found = forget_keys(round, b, "@f")
    recall_keys(b, found)
    calls = [i.callee_name for i in function.entry.instructions if i.callee_name.startswith("@llvm.mem")]
    assert [(key.size, str(key.place)) for key in found] == [(8, "@last_x")]
    assert calls == ["@llvm.memcpy.p0.p0.i64", "@llvm.memset.p0.i64", "@llvm.memcpy.p0.p0.i64"]


def test_a_function_that_does_not_reach_the_global_leaves_the_key() -> None:
    round = complete(program())
    force_setattr(round.foreign_pointers, "keys", {"@other": [(0, 8)]})
    assert forget_keys(round, Builder.first(round.source.body("@f").entry), "@f") == []
