"""Additions to shadow memory that LLVM must not join, or that threads make; sizes of what calls access."""

from __future__ import annotations

import pytest

from enzyme_cc.autodiff.emit.shadow_memory import add_atomically, add_unjoined, clear, is_addition, take_atomically
from enzyme_cc.ir.builder import Builder
from enzyme_cc.ir.folding import int_constant
from enzyme_cc.ir.types import DOUBLE, PTR, VOID, FloatType, FunctionType, Type, VectorType
from enzyme_cc.ir.values import Argument, Function, Instruction
from enzyme_cc.report.diagnostics import NotOnTeams


def empty(number: Type = DOUBLE) -> tuple[Builder, Argument, Argument]:
    """A function of a place and a number, and a builder in it."""
    place, value = Argument(PTR, "p", "", 0), Argument(number, "x", "", 1)
    function = Function("@f", FunctionType(VOID, (PTR, number)), [place, value], "internal")
    return Builder(function.add_block()), place, value


def atomic(b: Builder) -> list[Instruction]:
    return [i for i in b.block.instructions if i.opcode == "atomicrmw"]


@pytest.mark.parametrize("type_, count", [(DOUBLE, 1), (VectorType(DOUBLE, 2), 2)])
def test_each_number_is_added_by_itself(type_: Type, count: int) -> None:
    for add in (add_unjoined, lambda b, place, x: add_atomically(b, place, x, 16)):
        b, place, number = empty(type_)
        add(b, place, number)
        assert len(atomic(b)) == count


def test_an_addition_that_llvm_must_not_join_is_known_again() -> None:
    b, place, number = empty()
    add_unjoined(b, place, number)
    add_atomically(b, place, number, 8)
    assert [is_addition(i) for i in atomic(b)] == [True, False]


@pytest.mark.parametrize("type_, align", [(DOUBLE, 4), (FloatType("x86_fp80"), 16)])
def test_threads_add_no_numbers_that_the_machine_cannot(type_: Type, align: int) -> None:
    b, place, number = empty(type_)
    with pytest.raises(NotOnTeams):
        add_atomically(b, place, number, align)


@pytest.mark.parametrize("type_, count", [(DOUBLE, 1), (VectorType(DOUBLE, 2), 2)])
def test_each_number_is_taken_by_an_exchange_of_zero(type_: Type, count: int) -> None:
    b, place, _ = empty(type_)
    assert take_atomically(b, place, type_, 16).type == type_
    assert [i.memory.operation for i in atomic(b)] == ["xchg"] * count


@pytest.mark.parametrize("type_, align", [(DOUBLE, 4), (FloatType("x86_fp80"), 16)])
def test_threads_take_no_numbers_that_the_machine_cannot(type_: Type, align: int) -> None:
    b, place, _ = empty(type_)
    with pytest.raises(NotOnTeams):
        take_atomically(b, place, type_, align)


def test_clearing_is_a_fill() -> None:
    b, place, _ = empty()
    clear(b, place, int_constant(8))
    assert [i.callee_name for i in b.block.instructions] == ["@llvm.memset.p0.i64"]


@pytest.mark.parametrize("type_, count", [(DOUBLE, 1), (VectorType(DOUBLE, 2), 2)])
def test_an_atomic_addition_says_which_memory_it_leaves_alone(type_: Type, count: int) -> None:
    b, place, number = empty(type_)
    add_atomically(b, place, number, 16, (("!noalias", "!7"),))
    assert [i.metadata_node("!noalias") for i in atomic(b)] == ["!7"] * count
