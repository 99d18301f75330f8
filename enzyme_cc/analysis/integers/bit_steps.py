"""What each step of integer arithmetic leaves of a number's bits: one function for each kind of instruction.

The bits of a positive number, read as an integer, are a function of it that is piecewise linear, one piece from each
power of two to the next, with slope 1/ulp; reading an integer as a number is the inverse. Integer operations with
constants have constant slopes.

A step that drops bits of the fraction is one of four:

- It drops some of the last bits. The slope stays, as it does when a number is rounded to fewer digits.
- It keeps none of the fraction (an exponent), or only the last bits. The result has no slope.
- It clears the bits below 1 (`whole_numbers.py`). The result has no slope, nor has a number that it is a part of.
- It keeps a few leading bits (the middle of an interval of a table). No answer is right for all programs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import Enum
from fractions import Fraction
from functools import reduce
from math import ceil, floor, log2
from operator import or_

from msgspec import Struct
from msgspec.structs import replace

from ...ir.constants import Constant, ConstantInt, ConstantSplat
from ...ir.instructions import (
    COPIES,
    FLOAT_TO_INTEGER,
    INTEGER_SUMS,
    LOGICAL_SHIFTS,
    PRODUCTS,
    RESIZES,
    SHIFTS,
)
from ...ir.types import DOUBLE, FLOAT, HALF, FloatType, IntType, Type, VectorType
from ...ir.values import Instruction, Value

#: for each type: the bits of its fraction, and how many of them make the result smooth and not a staircase
FRACTION = {DOUBLE: 52, FLOAT: 23, HALF: 10}
FINE = {DOUBLE: 12, FLOAT: 8, HALF: 4}


class Part(Struct, frozen=True):
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


def choice(i: Instruction) -> str | None:
    """Returns the predicate that holds between the result of an integer minimum or maximum and the other operand."""
    return next((order for name, order in _CHOICES.items() if i.callee_name.startswith(name)), None)


_CHOICES = {"@llvm.umin.": "ult", "@llvm.umax.": "ugt", "@llvm.smin.": "slt", "@llvm.smax.": "sgt"}


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


def with_slope(held: Held, i: Instruction) -> Held:
    """Returns NOTHING for a part that holds none of the fraction, or only its last bits."""
    if not isinstance(held, Part):
        return held
    has_none = held.fine >= min(held.top, width(i.type))
    return NOTHING if has_none or held.lost > FINE[held.number] else held


Get = Callable[[Value], Held | None]


def constant_int(value: Value) -> int | None:
    """Returns an integer constant, or the element of a splat, as an unsigned number; None for other values."""
    if isinstance(value, ConstantSplat):
        value = value.element
    if not isinstance(value, ConstantInt) or not isinstance(value.type, IntType):
        return None
    return value.value & ((1 << value.type.bits) - 1)


def _one_carrier(get: Get, i: Instruction) -> tuple[Held | None, int]:
    """Returns what the only operand with a slope holds, and its index."""
    held = [get(o) for o in i.operands]
    if any(h is UNCLEAR for h in held):
        return UNCLEAR, 0
    if any(h is None for h in held):
        return None, 0
    carriers = [k for k, h in enumerate(held) if isinstance(h, Part)]
    if not carriers:
        return NOTHING, 0
    return (held[carriers[0]], carriers[0]) if len(carriers) == 1 else (UNCLEAR, 0)


def _joined(held: Iterable[Held | None]) -> Held | None:
    """Returns what a choice between several holds. Parts must agree on the number and on where it is."""
    known = {h for h in held if h is not None}
    if not known or UNCLEAR in known:
        return UNCLEAR if known else None
    parts = [h for h in known if isinstance(h, Part)]
    if not parts:
        return NOTHING
    if len({(p.number, p.top, p.of_value) for p in parts}) > 1:
        return UNCLEAR
    return replace(
        parts[0],
        fine=max(p.fine for p in parts),
        lost=max(p.lost for p in parts),
        moved=all(p.moved for p in parts),
        always=all(isinstance(h, Part) and h.always for h in known),
    )


def _bitcast(get: Get, i: Instruction) -> Held | None:
    number = float_like(i.operands[0].type)
    return Part(number, FRACTION[number]) if number is not None and takes_bits(i) else UNCLEAR


def _value(get: Get, i: Instruction) -> Held | None:
    number = float_like(i.operands[0].type)
    return NOTHING if number is None else Part(number, width(i.type), moved=False, of_value=True)


def _phi(get: Get, i: Instruction) -> Held | None:
    return _joined(get(value) for value, _ in i.incoming)


def _freeze(get: Get, i: Instruction) -> Held | None:
    return get(i.operands[0])


def _select(get: Get, i: Instruction) -> Held | None:
    return _joined(map(get, i.operands[1:]))


def _add(get: Get, i: Instruction) -> Held | None:
    held, _ = _one_carrier(get, i)
    return replace(held, moved=False) if isinstance(held, Part) else held


def _changes_sign(i: Instruction, held: Part) -> bool:
    mask, sign = constant_int(i.operands[1]), 1 << (width(i.type) - 1)
    return held.moved and held.number.bits == width(i.type) and mask == (sign - 1 if i.opcode == "and" else sign)


def is_all_ones(v: Value) -> bool:
    return isinstance(v, ConstantInt) and (v.value + 1) % 2 ** width(v.type) == 0


def ones(low: int, high: int) -> int:
    return (1 << max(low, high)) - (1 << low)


def _fraction(held: Part, i: Instruction) -> int:
    """Returns a mask of the bits of the integer that hold the fraction."""
    return ones(floor(held.fine), min(ceil(held.top), width(i.type)))


def _and(get: Get, i: Instruction) -> Held | None:
    held, _ = _one_carrier(get, i)
    mask = constant_int(i.operands[1])
    if not isinstance(held, Part) or (mask is not None and _changes_sign(i, held)):
        return held
    if mask is None:
        return UNCLEAR
    kept = mask & _fraction(held, i)
    if kept == 0:
        return NOTHING
    low, high = (kept & -kept).bit_length() - 1, kept.bit_length()
    if kept != ones(low, high):
        return UNCLEAR
    end = ceil(held.top)
    whole = ones(floor(held.fine), end + held.number.bits - FRACTION[held.number])
    return replace(
        held,
        fine=max(held.fine, low) if low > floor(held.fine) else held.fine,
        lost=max(held.lost, held.top - high) if high < end else held.lost,
        moved=held.moved and mask & whole == whole,
    )


def _or(get: Get, i: Instruction) -> Held | None:
    """Or and xor keep the slope if they change no bit of the fraction."""
    held, at = _one_carrier(get, i)
    if not isinstance(held, Part) or _changes_sign(i, held):
        return held
    possible, end = possible_bits(i.operands[1 - at]), ceil(held.top) + held.number.bits - FRACTION[held.number]
    if "disjoint" not in i.flags and possible & _fraction(held, i):
        return UNCLEAR
    return replace(held, moved=held.moved and possible & ones(floor(held.fine), end) == 0)


def possible_bits(value: Value, depth: int = 4) -> int:
    """Returns a mask of the bits of an integer that may be set."""
    constant, everything = constant_int(value), ones(0, width(value.type))
    if constant is not None:
        return constant
    if not isinstance(value, Instruction) or depth == 0:
        return everything
    if value.opcode == "phi":
        return reduce(or_, (possible_bits(v, depth - 1) for v, _ in value.incoming))
    known = _POSSIBLE.get(value.opcode)
    if known is None:
        return everything
    operands = [possible_bits(o, depth - 1) if width(o.type) else everything for o in value.operands]
    if value.opcode in LOGICAL_SHIFTS and constant_int(value.operands[1]) is None:
        return everything
    return known(*operands) & everything


_POSSIBLE: dict[str, Callable[..., int]] = {
    "zext": lambda a: a,
    "trunc": lambda a: a,
    "and": lambda a, b: a & b,
    "or": lambda a, b: a | b,
    "xor": lambda a, b: a | b,
    "select": lambda _, a, b: a | b,
    **dict.fromkeys(INTEGER_SUMS, lambda a, b: -((a | b) & -(a | b))),  # carries go up only
    "shl": lambda a, b: a << b if b < _WIDEST else 0,
    "lshr": lambda a, b: a >> b,
}


def _subtract(get: Get, i: Instruction) -> Held | None:
    """As a sum, but for the negation of a word: it has the bits of no number, but may be that of an integer."""
    held = _add(get, i)
    return UNCLEAR if isinstance(held, Part) and constant_int(i.operands[0]) == 0 else held


_WIDEST = 256


def _scale(get: Get, i: Instruction) -> Held | None:
    """Shifts by constants, and products and quotients with constants, move the bits."""
    held, at = _one_carrier(get, i)
    if not isinstance(held, Part):
        return held
    factor = slope_factor(get, i)
    if factor <= 0 or (at == 1 and i.opcode != "mul"):
        return UNCLEAR
    by, place = log2(factor), width(i.type)
    top = held.top + by
    found = replace(held, top=top, fine=max(held.fine + by, 0), lost=max(held.lost, top - place))
    return replace(found, moved=found.moved and by % 8 == 0 and found.is_whole(place))


def slope_factor(get: Get, i: Instruction) -> Fraction:
    """Returns the factor by which the operation multiplies a slope; 0 if it is not known."""
    if i.opcode == "sub":
        return Fraction(-1 if isinstance(get(i.operands[1]), Part) else 1)
    if i.opcode not in _SCALING:
        return Fraction(1)
    constants = [c for c in map(constant_int, i.operands) if c is not None]
    if len(constants) != 1:
        return Fraction(0)
    amount = constants[0] if i.opcode in PRODUCTS else 1 << min(constants[0], _WIDEST)
    if amount == 0 or (amount >> (width(i.type) - 1) and i.opcode in PRODUCTS and i.opcode != "udiv"):  # negative
        return Fraction(0)
    return Fraction(amount) if i.opcode == "mul" or i.opcode == "shl" else Fraction(1, amount)


def _resize(get: Get, i: Instruction) -> Held | None:
    held, place = get(i.operands[0]), width(i.type)
    if not isinstance(held, Part):
        return held
    return replace(held, lost=max(held.lost, held.top - place), moved=held.moved and held.is_whole(place))


def _call(get: Get, i: Instruction) -> Held | None:
    if choice(i) is not None:
        joined = _joined(map(get, i.arguments))
        return replace(joined, moved=False) if isinstance(joined, Part) else joined
    held = [get(a) for a in i.arguments]
    return NOTHING if i.callee_name.startswith(_COUNTING) or all(h is NOTHING for h in held) else UNCLEAR


_COUNTING = ("@llvm.ctlz.", "@llvm.cttz.", "@llvm.ctpop.")
_SCALING = SHIFTS | PRODUCTS


RULES: dict[str, Callable[[Get, Instruction], Held | None]] = {
    "bitcast": _bitcast,
    "fptosi": _value,
    "fptoui": _value,
    "phi": _phi,
    "freeze": _freeze,
    "select": _select,
    "add": _add,
    "sub": _subtract,
    "and": _and,
    "or": _or,
    "xor": _or,
    **dict.fromkeys(_SCALING, _scale),
    **dict.fromkeys(RESIZES, _resize),
    "call": _call,
}


#: the opcodes of the rules that compute an integer, and neither cast nor pass one on
COMPUTING = RULES.keys() - COPIES - FLOAT_TO_INTEGER - {"bitcast"}
