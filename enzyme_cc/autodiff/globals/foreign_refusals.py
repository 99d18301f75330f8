"""Refusals at run time: the program ends with a message if differentiation cannot follow foreign memory."""

from __future__ import annotations

from ...analysis.callees import plain_name
from ...ir.builder import Builder
from ...ir.folding import int_constant
from ...ir.types import I1, I64
from ...ir.values import Instruction, Value
from ...rules import runtime_functions as runtime
from ..core.round import Round

_WITHOUT_SHADOW = (
    " is stored in memory without a shadow: a global or constant argument pointed to it when the derivative was called "
    "[EZ0306]; allocate it in the differentiated function, pass it with a shadow, or define a shadow of the global "
    "that points to memory of the same size"
)
_WRITE = f"%s: a number that carries a derivative{_WITHOUT_SHADOW}"
_OPEN_SOURCE = (
    "%s: numbers that carry a derivative are copied out of memory that was made before the derivative was called, and "
    "that holds numbers at one time and pointers at another [EZ0306]; allocate it in the differentiated function, or "
    "pass it with a shadow"
)
_POINTER = f"%s: a pointer to memory that carries a derivative{_WITHOUT_SHADOW}"
_ROUTINE = (
    "%s: numbers that carry a derivative, or get one, lie in memory without a shadow: a global or constant argument "
    "pointed to it when the derivative was called [EZ0306]; allocate it in the differentiated function, or pass it "
    "with a shadow"
)
ALIAS = (
    "the global %s points at memory that carries a derivative under another name, so what is read there would be taken "
    "for a constant [EZ0306]; use that memory by one name, or define a shadow of the global that points at the shadow "
    "of that memory"
)
OTHER_NAME = (
    "%s: a pointer from memory without a shadow points at memory that carries a derivative under another name, so what "
    "is read there would be taken for a constant [EZ0306]; use that memory by one name, or pass the memory that holds "
    "the pointer with a shadow"
)
NAMED = (
    "an argument of the derivative lies in the global %s, which differentiated code also uses by its name, and has "
    "another shadow [EZ0306]; use that memory by one name, or define %s_shadow and pass its address as the shadow of "
    "the argument"
)
GIVEN = (
    "an argument of the derivative lies in memory that the global %s points at, but not at its beginning, and has a "
    "shadow of its own [EZ0306]; use that memory by one name, or pass its beginning"
)


def refuse(round: Round, b: Builder, condition: Value, message: str) -> None:
    """Emits code that ends the program with a message if the condition holds."""
    runtime.REFUSE.call(b, b.resize_int(condition, I64), round.text(message))


def refuse_at(round: Round, b: Builder, i: Instruction, condition: Value, message: str) -> None:
    """Emits the same. The place of an instruction stands for %s in the message."""
    refuse(round, b, condition, message % place_of(round, i))


def refuse_write(round: Round, b: Builder, i: Instruction, is_constant: Value | None) -> None:
    """Emits a refusal of writing an active number to constant memory behind a global or an argument."""
    if round.foreign_pointers.is_met and is_constant is not None:
        refuse_at(round, b, i, is_constant, _WRITE)


def refuse_pointer(
    round: Round, b: Builder, i: Instruction, is_constant: Value | None, value: Value, shadow: Value
) -> None:
    """Emits a refusal of storing a pointer in such memory, unless it is its own shadow."""
    if round.foreign_pointers.is_met and is_constant is not None:
        is_lost = b.int_op("and", is_constant, b.icmp("ne", value, shadow))
        refuse_at(round, b, i, is_lost, _POINTER)


def refuse_copy(
    round: Round, b: Builder, i: Instruction, to_constant: Value | None, of_constant: Value | None, size: Value
) -> None:
    """Emits a refusal of copying `size` bytes to such memory, unless they are constant, too."""
    if to_constant is not None:
        is_lost = b.int_op("and", to_constant, b.icmp("ne", size, int_constant(0)))
        if of_constant is not None:
            is_lost = b.int_op("and", is_lost, b.int_op("xor", of_constant, int_constant(1, I1)))
        refuse_write(round, b, i, is_lost)


def refuse_open_source(
    round: Round, b: Builder, i: Instruction, is_constant: Value | None, memory: tuple[Value, Value], direction: int
) -> None:
    """Emits a refusal of copying numbers with shadows out of such memory.

    `memory`: its place and its size in bytes.
    """
    if is_constant is not None:
        message = round.text(_OPEN_SOURCE % place_of(round, i))
        arguments = b.cast("zext", is_constant, I64), *memory, message, int_constant(direction)
        runtime.FOREIGN_REFUSE.call(b, *arguments)


def refuse_routine(round: Round, b: Builder, name: str, is_constant: Value, pointer: Value, is_lost: Value) -> None:
    """Emits a refusal of such memory as an argument of a library's routine, which would take it for constant.

    `is_lost`: whether numbers that the routine writes there would lose a derivative.
    """
    message = round.text(_ROUTINE % name)
    flag = b.cast("zext", is_constant, I64)
    runtime.FOREIGN_REFUSE_ROUTINE.call(b, flag, pointer, b.resize_int(is_lost, I64), message)


def place_of(round: Round, i: Instruction) -> str:
    known = round.source.source_location(i)
    if known is None and i.block is not None and i.block.function is not None:
        return f"a place without debug information in {plain_name(i.block.function.name)}"
    return known or "a place without debug information"
