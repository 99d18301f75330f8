"""How each integer operation changes what an integer holds of the bits of a number: one rule for each opcode."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from fractions import Fraction
from functools import reduce
from math import ceil, floor, log2
from operator import or_

from ...ir.instructions import (
    COPIES,
    FLOAT_TO_INTEGER,
    INTEGER_SUMS,
    LOGICAL_SHIFTS,
    PRODUCTS,
    RESIZES,
    SHIFTS,
)
from ...ir.values import Instruction, Value
from .number_parts import (
    FRACTION,
    NOTHING,
    UNCLEAR,
    Held,
    Part,
    constant_int,
    float_like,
    ones,
    takes_bits,
    width,
)

Get = Callable[[Value], Held | None]


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
    possible, end = _possible(i.operands[1 - at]), ceil(held.top) + held.number.bits - FRACTION[held.number]
    if "disjoint" not in i.flags and possible & _fraction(held, i):
        return UNCLEAR
    return replace(held, moved=held.moved and possible & ones(floor(held.fine), end) == 0)


def _possible(value: Value, depth: int = 4) -> int:
    """Returns a mask of the bits of an integer that may be set."""
    constant, everything = constant_int(value), ones(0, width(value.type))
    if constant is not None:
        return constant
    if not isinstance(value, Instruction) or depth == 0:
        return everything
    if value.opcode == "phi":
        return reduce(or_, (_possible(v, depth - 1) for v, _ in value.incoming))
    known = _POSSIBLE.get(value.opcode)
    if known is None:
        return everything
    operands = [_possible(o, depth - 1) if width(o.type) else everything for o in value.operands]
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
_WIDEST = 256


def _scale(get: Get, i: Instruction) -> Held | None:
    """Shifts by constants, and products and quotients with constants, move the bits."""
    held, at = _one_carrier(get, i)
    if not isinstance(held, Part):
        return held
    factor = factor_of(get, i)
    if factor <= 0 or (at == 1 and i.opcode != "mul"):
        return UNCLEAR
    by, place = log2(factor), width(i.type)
    top = held.top + by
    found = replace(held, top=top, fine=max(held.fine + by, 0), lost=max(held.lost, top - place))
    return replace(found, moved=found.moved and by % 8 == 0 and found.is_whole(place))


def factor_of(get: Get, i: Instruction) -> Fraction:
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


def choice(i: Instruction) -> str | None:
    """Returns the predicate that holds between the result of an integer minimum or maximum and the other operand."""
    return next((order for name, order in _CHOICES.items() if i.callee_name.startswith(name)), None)


_CHOICES = {"@llvm.umin.": "ult", "@llvm.umax.": "ugt", "@llvm.smin.": "slt", "@llvm.smax.": "sgt"}
RULES: dict[str, Callable[[Get, Instruction], Held | None]] = {
    "bitcast": _bitcast,
    "fptosi": _value,
    "fptoui": _value,
    "phi": _phi,
    "freeze": _freeze,
    "select": _select,
    "add": _add,
    "sub": _add,
    "and": _and,
    "or": _or,
    "xor": _or,
    **dict.fromkeys(_SCALING, _scale),
    **dict.fromkeys(RESIZES, _resize),
    "call": _call,
}
#: the opcodes of the rules that compute an integer, and neither cast nor pass one on
COMPUTING = RULES.keys() - COPIES - FLOAT_TO_INTEGER - {"bitcast"}
