"""Messages that end a program where differentiation cannot follow foreign memory."""

from __future__ import annotations

from collections.abc import Callable

from enzyme_cc.autodiff.core.round import Round
from enzyme_cc.autodiff.globals import foreign_refusals
from enzyme_cc.ir.builder import Builder
from enzyme_cc.ir.folding import int_constant
from enzyme_cc.ir.types import I1
from enzyme_cc.ir.values import Instruction, Value

from .requested import requested
from .test_foreign_functions import PROGRAM

Refusal = Callable[[Round, Builder, Instruction, Value], None]


def refusals(emit: Refusal, *, is_met: bool = True) -> list[str]:
    """The opcodes, and the functions called, of what is emitted before the first store of @f."""
    round, _ = requested(PROGRAM)
    if not is_met:
        round.foreign_pointers.resolved.clear()
    body = round.output.body("@f")
    store = next(i for i in body.instructions() if i.opcode == "store")
    b = Builder.before(store)
    condition = b.icmp("eq", store.operands[1], store.operands[1])
    before = list(body.instructions())
    emit(round, b, store, condition)
    return [i.callee_name or i.opcode for i in body.instructions() if i not in before]


def write(round: Round, b: Builder, store: Instruction, condition: Value) -> None:
    foreign_refusals.refuse_write(round, b, store, condition)


def test_a_write_is_refused_only_if_memory_may_be_external() -> None:
    assert refusals(write) == ["zext", "@__ez_refuse"]
    assert refusals(write, is_met=False) == []


def test_a_write_to_memory_that_is_surely_shadowed_is_not_refused() -> None:
    assert refusals(lambda round, b, i, condition: foreign_refusals.refuse_write(round, b, i, None)) == []


def test_a_pointer_that_is_its_own_shadow_is_not_refused() -> None:
    def emit(round: Round, b: Builder, store: Instruction, condition: Value) -> None:
        pointer = store.operands[1]
        foreign_refusals.refuse_pointer(round, b, store, condition, pointer, pointer)

    assert refusals(emit)[:2] == ["icmp", "and"]


def test_a_copy_of_constant_memory_is_not_refused() -> None:
    def emit(source: bool) -> Refusal:
        def copy(round: Round, b: Builder, i: Instruction, condition: Value) -> None:
            foreign_refusals.refuse_copy(round, b, i, condition, condition if source else None, int_constant(8))

        return copy

    assert "xor" in refusals(emit(True))
    assert "xor" not in refusals(emit(False))
    assert refusals(lambda round, b, i, _: foreign_refusals.refuse_copy(round, b, i, None, None, int_constant(8))) == []


def test_a_message_tells_the_function_where_there_is_no_line() -> None:
    round, _ = requested(PROGRAM)
    i = next(round.source.body("@f").instructions())
    assert foreign_refusals.place_of(round, i) == "a place without debug information in f"


def test_a_refusal_is_a_call_with_a_condition_and_a_message() -> None:
    round, request = requested(PROGRAM)
    foreign_refusals.refuse(round, Builder.before(request.call), int_constant(1, I1), "why")
    call = next(i for i in request.caller.instructions() if i.callee_name == "@__ez_refuse")
    assert 'c"why\\00"' in round.output.globals[str(call.arguments[1])].text
