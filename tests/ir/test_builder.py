"""Where a builder puts what it makes."""

from __future__ import annotations

import pytest

from enzyme_cc.ir.builder import Builder, put_in_place
from enzyme_cc.ir.folding import fold_icmp, int_constant
from enzyme_cc.ir.types import I32
from enzyme_cc.ir.values import Function, Instruction
from tests.ir.llvm_check import parsed

TEXT = """define i32 @f(i1 %c, i32 %x) {
entry:
  br label %next

next:
  %p = phi i32 [ %x, %entry ]
  %q = phi i32 [ 1, %entry ]
  %sum = add i32 %p, %q, !dbg !0
  ret i32 %sum
}

!0 = !{}
"""


def _function() -> tuple[Function, dict[str, Instruction]]:
    function = parsed(TEXT).body("@f")
    return function, {i.name: i for i in function.instructions()}


def _names(function: Function) -> list[str]:
    return [i.name or i.opcode for i in function.blocks[1].instructions]


def _named(i: object, name: str) -> None:
    assert isinstance(i, Instruction)
    i.name = name


def test_before_an_instruction_in_the_order_of_making_with_its_source_position() -> None:
    function, values = _function()
    b = Builder.before(values["sum"])
    for name in ("one", "two"):
        made = b.mul(values["p"], int_constant(3, I32))
        _named(made, name)
        assert isinstance(made, Instruction)
        assert made.metadata == (("!dbg", "!0"),)
    assert _names(function) == ["p", "q", "one", "two", "sum", "ret"]


def test_the_place_holds_when_others_change_the_block() -> None:
    function, values = _function()
    b = Builder.before(values["sum"])
    _named(b.mul(values["p"], values["q"]), "one")
    _named(Builder(function.blocks[1]).phi(I32), "late")
    _named(b.mul(values["p"], values["q"]), "two")
    assert _names(function) == ["p", "q", "late", "one", "two", "sum", "ret"]


def test_after_an_instruction_and_behind_all_phis() -> None:
    function, values = _function()
    _named(Builder.after(values["sum"]).mul(values["p"], values["q"]), "last")
    _named(Builder.after(values["p"]).mul(values["p"], values["q"]), "first")
    assert _names(function) == ["p", "q", "first", "sum", "last", "ret"]


def test_the_head_of_a_block() -> None:
    function, values = _function()
    made = Builder.first(function.blocks[1]).mul(values["p"], values["q"])
    _named(made, "head")
    assert isinstance(made, Instruction)
    assert not made.metadata
    assert _names(function) == ["p", "q", "head", "sum", "ret"]


def test_a_value_in_the_place_of_an_instruction() -> None:
    function, values = _function()
    put_in_place(values["sum"], lambda b, i: b.sub(*i.operands))
    assert [i.opcode for i in function.blocks[1].instructions] == ["phi", "phi", "sub", "ret"]
    assert function.blocks[1].terminator.operands == [function.blocks[1].instructions[2]]


@pytest.mark.parametrize(
    ("predicate", "a", "b", "expected"),
    [("slt", -1, 1, True), ("ult", -1, 1, False), ("uge", -1, 1, True), ("sgt", 2, 2, False), ("ne", 1, 2, True)],
)
def test_comparisons_of_constants_fold(predicate: str, a: int, b: int, expected: bool) -> None:
    assert fold_icmp(predicate, int_constant(a, I32), int_constant(b, I32)) is expected


def test_other_comparisons_do_not_fold() -> None:
    assert fold_icmp("slt", int_constant(1, I32), _function()[0].arguments[1]) is None
