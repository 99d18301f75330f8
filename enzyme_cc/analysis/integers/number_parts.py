"""What an integer holds of the bits of a floating-point number, and the casts and conversions that put them there."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from ...ir.constants import Constant, ConstantInt, ConstantSplat
from ...ir.instructions import (
    FLOAT_TO_INTEGER,
)
from ...ir.types import DOUBLE, FLOAT, HALF, FloatType, IntType, Type, VectorType
from ...ir.values import Instruction, Value

#: for each type: the bits of its fraction, and how many of them make the result smooth and not a staircase
FRACTION = {DOUBLE: 52, FLOAT: 23, HALF: 10}
FINE = {DOUBLE: 12, FLOAT: 8, HALF: 4}


@dataclass(frozen=True)
class Part:
    """The bits of a number in an integer.

    - `top`: the bit of the integer that is the lowest bit of the exponent; the fraction lies below it;
    - `fine`: the lowest bit of the fraction that is kept;
    - `lost`: how many leading bits of the fraction are gone;
    - `moved`: all bits of the number are there, except that the sign may have changed;
    - `of_value`: the integer was converted from the number, not cast from its bits; it is all fraction then;
    - `always`: it holds the number on all paths.
    """

    number: FloatType
    top: float
    fine: float = 0
    lost: float = 0
    moved: bool = True
    of_value: bool = False
    always: bool = True

    def is_whole(self, place: int) -> bool:
        """True if an integer of `place` bits has room for all bits of the number."""
        below = FRACTION[self.number]
        return self.top >= below and self.top + self.number.bits - below <= place

    def is_smooth(self, number: FloatType) -> bool:
        """True if a number made of these bits has enough of the fraction not to be a staircase."""
        return min(self.top, FRACTION[number]) - self.fine >= FINE[number]


class NoPart(Enum):
    """NOTHING: the integer has no slope. UNCLEAR: its dependence cannot be told."""

    NOTHING = "nothing"
    UNCLEAR = "unclear"


NOTHING, UNCLEAR = NoPart.NOTHING, NoPart.UNCLEAR
Held = Part | NoPart


def ones(low: int, high: int) -> int:
    return (1 << max(low, high)) - (1 << low)


def float_like(type_: Type) -> FloatType | None:
    """Returns the float type, or the element of a fixed vector of floats, if it is one whose bits are understood."""
    element = type_.element if isinstance(type_, VectorType) and not type_.scalable else type_
    return element if isinstance(element, FloatType) and element in FRACTION else None


def width(type_: Type) -> int:
    """Returns the bits of an integer type, or of the elements of a fixed vector of integers; 0 for other types."""
    element = type_.element if isinstance(type_, VectorType) and not type_.scalable else type_
    return element.bits if isinstance(element, IntType) else 0


def keeps_lanes(i: Instruction) -> bool:
    """True if a bitcast makes each element of a vector one element."""
    types = i.type, i.operands[0].type
    first, second = (t.count if isinstance(t, VectorType) else 1 for t in types)
    return first == second


def takes_bits(i: Instruction) -> bool:
    """True for a bitcast of a number to an integer, or of a vector of numbers to one of integers."""
    if i.opcode != "bitcast" or not width(i.type):
        return False
    source = i.operands[0]
    return float_like(source.type) is not None and not _is_constant(source) and keeps_lanes(i)


def takes_value(i: Instruction) -> bool:
    """True for a conversion of a number or a vector of numbers to integers."""
    if i.opcode not in FLOAT_TO_INTEGER or float_like(i.operands[0].type) is None:
        return False
    return width(i.type) > 1 and not _is_constant(i.operands[0])


def _is_constant(value: Value) -> bool:
    """True for constants, and for numbers that an earlier step has marked as constant."""
    if isinstance(value, Instruction):
        return value.callee_name.startswith(f"@{CONSTANT}.")
    return isinstance(value, Constant)


#: the mark: a function that returns its operand and has derivative zero
CONSTANT = "__ez_constant"


def constant_int(value: Value) -> int | None:
    """Returns an integer constant, or the element of a splat, as an unsigned number; None for other values."""
    if isinstance(value, ConstantSplat):
        value = value.element
    if not isinstance(value, ConstantInt) or not isinstance(value.type, IntType):
        return None
    return value.value & ((1 << value.type.bits) - 1)
