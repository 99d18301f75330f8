"""Masks over the bits of vectors of numbers: they keep, clear or change the sign of each lane, or keep the sign alone.

LLVM makes plain arithmetic of a mask that is the same for all lanes. Programs also have masks that differ: complex
products and inverses of small matrices change the sign of some lanes. A mask that cuts a number has no form here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum
from typing import TypeVar

from ....ir.builder import Builder
from ....ir.constants import Constant, ConstantAggregate, ConstantInt, ConstantSplat, ConstantWord
from ....ir.folding import float_constant, is_zero, numbers_of_bits, zero
from ....ir.instructions import CHOICES
from ....ir.types import IntType, Type, VectorType, alloc_size
from ....ir.value_edges import COPIED
from ....ir.values import Instruction, Value
from ....rules.expression_functions import type_suffix

_NO_VALUE = ("poison", "undef")


class LaneForm(Enum):
    """What a mask makes of a number x."""

    KEPT = "x"
    ZERO = "0"
    ABSOLUTE = "|x|"
    NEGATED = "-x"
    NEGATIVE = "-|x|"
    SIGN = "zero with the sign of x"


LaneKey = TypeVar("LaneKey")


def _copysign(b: Builder, magnitude: Value, sign: Value) -> Value:
    return b.call(f"@llvm.copysign.{type_suffix(sign.type)}", sign.type, (magnitude, sign))


def _fabs(b: Builder, x: Value) -> Value:
    return b.call(f"@llvm.fabs.{type_suffix(x.type)}", x.type, (x,))


_MADE: dict[LaneForm, Callable[[Builder, Value], Value]] = {
    LaneForm.KEPT: lambda b, x: x,
    LaneForm.ZERO: lambda b, x: zero(x.type),
    LaneForm.ABSOLUTE: _fabs,
    LaneForm.NEGATED: lambda b, x: b.fneg(x),
    LaneForm.NEGATIVE: lambda b, x: b.fneg(_fabs(b, x)),
    LaneForm.SIGN: lambda b, x: _copysign(b, zero(x.type), x),
}

#: for each operation, what masks of no bits, of the sign, of all other bits and of all bits make of a number
_FORMS: dict[str, tuple[LaneForm | None, ...]] = {
    "and": (LaneForm.ZERO, LaneForm.SIGN, LaneForm.ABSOLUTE, LaneForm.KEPT),
    "or": (LaneForm.KEPT, LaneForm.NEGATIVE, None, None),
    "xor": (LaneForm.KEPT, LaneForm.NEGATED, None, None),
}


def is_mask(i: Instruction) -> bool:
    """True for an operation that this file knows, with a constant mask."""
    return i.opcode in _FORMS and _bits(i.operands[1], i.opcode) is not None


def masked(b: Builder, i: Instruction, first: Value | None, second: Value | None) -> Value | None:
    """Emits the numbers whose bits the result of `and`, `or` or `xor` holds.

    `first` and `second` are the vectors of numbers whose bits the operands hold, None for other operands. Returns None
    if the result does not hold whole numbers.
    """
    if first is not None and second is not None:
        return _joined(b, i, first, second) if first.type == second.type else None
    forms = _lane_forms(i, first) if first is not None else None
    if first is None or forms is None:
        return None
    return _by_lanes(b, forms, lambda form: _MADE[form](b, first))


def _lane_forms(i: Value, numbers: Value) -> list[LaneForm] | None:
    """Returns what an operation with a constant mask makes of each lane. None for others, and if it cuts a number."""
    mask = _bits(i.operands[1], i.opcode) if isinstance(i, Instruction) and i.opcode in _FORMS else None
    if mask is None or not isinstance(i, Instruction):
        return None
    size, ones, lanes = _lane_bits(numbers)
    sign = 1 << (size - 1)
    known = dict(zip((0, sign, ones ^ sign, ones), _FORMS[i.opcode], strict=True))
    forms = [known.get(mask >> size * lane & ones) for lane in lanes]
    found = [form for form in forms if form is not None]
    return found if len(found) == len(forms) else None


def _lane_bits(numbers: Value) -> tuple[int, int, range]:
    """Returns the size of a lane in bits, an integer of as many ones, and the lanes."""
    assert isinstance(numbers.type, VectorType)
    size = 8 * alloc_size(numbers.type.element)
    return size, (1 << size) - 1, range(numbers.type.count)


def _bits(mask: Value, opcode: str) -> int | None:
    """Returns the bits of a constant vector of integers, the first lane lowest. None for other values.

    A lane without a value, which nobody uses, changes nothing in the operation.
    """
    type_ = mask.type
    if not isinstance(type_, VectorType) or not isinstance(type_.element, IntType):
        return None
    if is_zero(mask):
        return 0
    lanes: Sequence[Value] = ()
    if isinstance(mask, ConstantAggregate):
        lanes = mask.elements
    elif isinstance(mask, ConstantSplat):
        lanes = [mask.element] * type_.count
    size, bits = type_.element.bits, 0
    for k, lane in enumerate(lanes):
        if isinstance(lane, ConstantWord) and lane.word in _NO_VALUE:
            value = -1 if opcode == "and" else 0
        elif isinstance(lane, ConstantInt):
            value = lane.value
        else:
            return None
        bits |= (value & ((1 << size) - 1)) << size * k
    return bits if lanes else None


def constant_numbers(value: Value, type_: Type) -> Constant | None:
    """Returns the constant vector of numbers whose bits the value holds. None for other values, and for NaNs."""
    bits = _bits(value, "or")
    return numbers_of_bits(bits, type_) if bits is not None and isinstance(type_, VectorType) else None


def _by_lanes(b: Builder, lanes: Sequence[LaneKey], make: Callable[[LaneKey], Value]) -> Value:
    """Emits the vector whose lanes are those of `make(key)`, by the key of each lane."""
    first, *others = dict.fromkeys(lanes)
    result = make(first)
    for key in others:
        result = b.shuffle(result, make(key), [k + len(lanes) * (lane == key) for k, lane in enumerate(lanes)])
    return result


def _joined(b: Builder, i: Instruction, first: Value, second: Value) -> Value | None:
    """Emits `or` or `xor` of two vectors of numbers. In each lane, one of them is zero, or a sign for the other."""
    numbers = (first, second)
    forms = [_lanes_of(operand, first, set()) for operand in i.operands]
    lanes = [_roles(i.opcode, left, right) for left, right in zip(*forms, strict=True)]
    found = [lane for lane in lanes if lane is not None]
    if len(found) < len(lanes):
        return None

    def made(roles: tuple[int, bool]) -> Value:
        number, is_signed = roles
        x, sign = numbers[number], numbers[1 - number]
        if not is_signed:
            return x
        return _copysign(b, x, sign) if i.opcode == "or" else b.fmul(x, _copysign(b, float_constant(1.0, x.type), sign))

    return _by_lanes(b, found, made)


def _lanes_of(value: Value, numbers: Value, seen: set[Value]) -> list[LaneForm]:
    """Returns what is known of each lane of an operand: of a phi or `select`, what holds for all its values."""
    size, ones, lanes = _lane_bits(numbers)
    if isinstance(value, Instruction) and value.opcode in CHOICES and value not in seen:
        seen.add(value)
        found = [_lanes_of(each, numbers, seen) for each in COPIED.operands(value) if each not in seen]
        found = found or [[LaneForm.KEPT for _ in lanes]]
        return [one.pop() if len(one := set(forms)) == 1 else LaneForm.KEPT for forms in zip(*found, strict=True)]
    constant = _bits(value, "or")
    if constant is not None:
        return [LaneForm.KEPT if constant >> size * lane & ones else LaneForm.ZERO for lane in lanes]
    return _lane_forms(value, numbers) or [LaneForm.KEPT for _ in lanes]


def _roles(opcode: str, first: LaneForm, second: LaneForm) -> tuple[int, bool] | None:
    """Returns which operand's number is the result, and whether the other one's sign counts. None if bits are mixed."""
    for number, (own, other) in enumerate(((first, second), (second, first))):
        if opcode != "and" and other is LaneForm.ZERO:
            return number, False
        if other is LaneForm.SIGN and (opcode == "xor" or (opcode == "or" and own is LaneForm.ABSOLUTE)):
            return number, True
    return None
