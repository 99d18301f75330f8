"""Walks along edges between values: origins, uses, ends, and chains."""

from __future__ import annotations

from enzyme_cc.analysis.values.flow import ends, origins, stripped, uses
from enzyme_cc.ir.types import IntType
from enzyme_cc.ir.value_edges import COMPUTED_BITS, COPIED, RESIZED, SAME_OBJECT
from enzyme_cc.ir.values import Value
from tests.ir.llvm_check import parsed

TEXT = """define i64 @f(i1 %c, ptr %p, i32 %n, i64 %m) {
entry:
  %place = getelementptr i8, ptr %p, i64 8
  %read = load i64, ptr %place
  br label %next

next:
  %phi = phi i64 [ %read, %entry ], [ %chosen, %next ]
  %wide = zext i32 %n to i64
  %sum = add i64 %wide, %phi
  %chosen = select i1 %c, i64 %phi, i64 %m
  br i1 %c, label %next, label %end

end:
  ret i64 %sum
}
"""


def _values() -> dict[str, Value]:
    function = parsed(TEXT).body("@f")
    return {v.name: v for v in [*function.arguments, *function.instructions()]}


def _names(values: object) -> list[str]:
    return [getattr(v, "name", "") for v in values]  # type: ignore[attr-defined]


def test_origins_go_around_a_loop_once() -> None:
    assert _names(origins([_values()["chosen"]], COPIED)) == ["chosen", "m", "phi", "read"]


def test_origins_among_some_values() -> None:
    found = origins([_values()["sum"]], COMPUTED_BITS, lambda v: v.type == IntType(64))
    assert _names(found) == ["sum", "phi", "chosen", "m", "read", "wide"]


def test_uses_are_followed_forwards() -> None:
    values = _values()
    assert _names(uses([values["read"]], COPIED)) == ["read", "phi", "chosen"]
    assert _names(uses([values["p"]], SAME_OBJECT)) == ["p", "place"]


def test_uses_among_some_instructions() -> None:
    values = _values()
    found = uses([values["read"]], COMPUTED_BITS, lambda i: i.opcode != "select")
    assert _names(found) == ["read", "phi", "sum"]


def test_ends_are_what_nothing_is_copied_to() -> None:
    assert _names(ends([_values()["phi"]], COPIED)) == ["m", "read"]


def test_a_chain_ends_at_the_first_other_instruction() -> None:
    values = _values()
    assert stripped(values["wide"], RESIZED) is values["n"]
    assert stripped(values["sum"], RESIZED) is values["sum"]
