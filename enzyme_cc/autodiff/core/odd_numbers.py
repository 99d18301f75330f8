"""Where the first infinite number or NaN arises (`--enzyme-check`): derivatives note it as they run."""

from __future__ import annotations

from collections.abc import Callable

from ...ir.builder import Builder
from ...ir.folding import float_constant
from ...ir.instructions import FLOAT_ARITHMETIC
from ...ir.types import DOUBLE, FloatType, Type
from ...ir.values import Function, Instruction, Value
from ...rules import runtime_functions as runtime


def note_odd_numbers(function: Function, place: Callable[[Instruction], Value]) -> None:
    """Emits a note behind each such operation of a finished derivative. `place` returns the text with its line."""
    for block in function.blocks:
        for i, following in list(zip(block.instructions, block.instructions[1:], strict=False)):
            if (i.is_call or i.opcode in FLOAT_ARITHMETIC) and _is_float(i.type):
                b = Builder.before(following)
                given = [v for v in (i.arguments if i.is_call else i.operands) if _is_float(v.type)][:2]
                numbers = [b.resize_float(number, DOUBLE) for number in (i, *given)]
                numbers += [float_constant(0.0, DOUBLE)] * (3 - len(numbers))
                runtime.NOTE_NUMBER.call(b, *numbers, place(i))


def _is_float(type_: Type) -> bool:
    return isinstance(type_, FloatType) and type_.bits <= DOUBLE.bits
