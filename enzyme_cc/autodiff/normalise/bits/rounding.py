"""Gives sums that round a number the derivative zero, as other roundings have.

If C is so large that the last digit of x + C is worth one, (x + C) - C is x rounded to an integer. By the rule for sums
its derivative would be one, and that of the remainder x - ((x + C) - C), from which exponentials are computed, zero
instead of one.

A fence keeps (x + C) - C whole beside adjoints (`fences.py`).
"""

from __future__ import annotations

from math import frexp, isfinite

from ....analysis.integers.number_parts import CONSTANT, FINE, FRACTION, width
from ....analysis.integers.offsets import global_of
from ....ir.builder import Builder
from ....ir.constant_numbers import numbers
from ....ir.constants import Constant, ConstantInt
from ....ir.graphs import reachable
from ....ir.instructions import CHOICES, FLOAT_SUMS, MOVES_LANES, SAME_VALUE
from ....ir.leaves import shuffle_lanes
from ....ir.module import Module
from ....ir.types import X86_FP80, FloatType, VectorType, scalar
from ....ir.value_edges import COPIED, PASSED
from ....ir.values import Function, Instruction, Value
from ...core.own_functions import call_own
from ..fences import fence

#: bits of the fraction, and how many of them may be in the steps, for looking tables up
_DIGITS = {**FRACTION, X86_FP80: 63}
_STEPS = {**FINE, X86_FP80: 12}
_FUSED = tuple(f"@llvm.{kind}{name}." for kind in ("", "experimental.constrained.") for name in ("fma", "fmuladd"))
_DEPTH = 3


def step_where_sums_round(source: Module, function: Function) -> None:
    """Rewrites the function in place: the rounded operand becomes a constant for derivatives."""
    fenced: dict[Instruction, None] = {}
    for i in list(function.instructions()):
        large = _large_summand(source, i)
        if large is None:
            continue
        ends = [u for v in reachable([i], _passed_on) for u in v.users if _takes_away(u, v, large)]
        if not ends:
            continue
        fenced.update(dict.fromkeys(end for end in ends if end.opcode in FLOAT_SUMS))
        b = Builder.before(i)
        for k, operand in enumerate(i.operands):
            if operand.type == i.type and operand is not large and not isinstance(operand, Constant):
                i.set_operand(k, call_own(b, CONSTANT, operand))
    for difference in fenced:
        fence(difference)


def _passed_on(total: Instruction) -> list[Instruction]:
    """Returns what a sum goes on as, on some way: a choice, or what is loaded where newlib stores it as volatile."""
    found = COPIED.users(total)
    for store in total.users:
        if store.opcode == "store" and store.operands[0] is total:
            place = store.operands[1]
            if isinstance(place, Instruction) and place.opcode == "alloca":
                found += [user for user in place.users if user.opcode == "load" and user.type == total.type]
    return found


def _large_summand(source: Module, i: Instruction) -> Value | None:
    """The summand that makes the sum round: a large constant, added or subtracted."""
    number = scalar(i.type)
    if not isinstance(number, FloatType) or number not in _DIGITS:
        return None
    if i.plain_opcode in FLOAT_SUMS:
        summands = i.operands[:2]
    elif i.callee_name.startswith(_FUSED):
        summands = i.operands[2:3]
    else:
        return None
    return next((s for s in summands if _is_large(source, s, number)), None)


def _is_large(source: Module, value: Value, number: FloatType, depth: int = _DEPTH) -> bool:
    """True if the value certainly is a rounding constant, in each lane."""
    if isinstance(value, Constant):
        found = list(numbers(value))
        return bool(found) and all(n is not None and _rounds(abs(n), number) for n in found)
    if not isinstance(value, Instruction) or depth == 0:
        return False
    if value.opcode == "load":
        variable = source.globals.get(global_of(value.operands[0]) or "")
        if variable is None or not variable.constant or variable.initializer is None:
            return False
        return _is_large(source, variable.initializer, number, depth - 1)
    if value.opcode in CHOICES:
        candidates = PASSED.operands(value)
    elif value.opcode == "fneg" or value.opcode in SAME_VALUE or value.callee_name.startswith("@llvm.copysign."):
        candidates = value.operands[:1]
    elif value.opcode in MOVES_LANES:
        assert isinstance(value.type, VectorType)
        candidates = [_lane(value, k) for k in range(value.type.count)]
    else:
        return False
    return all(_is_large(source, c, number, depth - 1) for c in candidates)


def _lane(value: Value, k: int) -> Value:
    """Returns the number that a lane was made of, or the vector that has it in some lane."""
    while isinstance(value, Instruction):
        index = value.operands[-1]
        if value.opcode == "insertelement" and isinstance(index, ConstantInt):
            if index.value == k:
                return value.operands[1]
            value = value.operands[0]
        elif value.opcode == "shufflevector":
            first, second, mask = value.operands
            assert isinstance(first.type, VectorType)
            k = max(shuffle_lanes(mask)[k], 0)
            value, k = (first, k) if k < first.type.count else (second, k - first.type.count)
        else:
            break
    return value


def _rounds(constant: float, number: FloatType) -> bool:
    """True for 2^k and 1.5 * 2^k whose last digit is worth about one.

    For 1.5 * 2^k it may be smaller: programs look up tables with the bits below.
    """
    if constant == 0 or not isfinite(constant):
        return False
    fraction, exponent = frexp(constant)  # logarithms round: that of DBL_MAX is 1024
    last = exponent - 1 - _DIGITS[number]
    return (fraction == 0.5 and -1 <= last <= 1) or (fraction == 0.75 and -_STEPS[number] <= last <= 1)


def _takes_away(i: Instruction, total: Instruction, large: Value) -> bool:
    """True if the user subtracts the constant again, or takes the bits of the sum."""
    if i.opcode == "bitcast":
        return width(i.type) > 0 and isinstance(large, Constant)
    if i.plain_opcode not in FLOAT_SUMS:
        return False
    other = i.operands[1] if i.operands[0] is total else i.operands[0]
    if isinstance(other, Instruction) and other.opcode == "fneg" and not _is_same(other, large):
        other = other.operands[0]
    return _is_as_large(other, large)


def _is_as_large(a: Value, b: Value, depth: int = _DEPTH) -> bool:
    """True if both values are the same, or of the same size on each way: LLVM chooses C and -C by a branch."""
    if isinstance(a, Constant) and isinstance(b, Constant):
        pairs = zip(numbers(a), numbers(b), strict=False)
        return any(x is not None and y is not None and abs(x) == abs(y) for x, y in pairs)
    if _is_same(a, b):
        return True
    together = _chosen_together(a, b) if depth else []
    return bool(together) and all(_is_as_large(x, y, depth - 1) for x, y in together)


def _chosen_together(a: Value, b: Value) -> list[tuple[Value, Value]]:
    """Returns the pairs of values of two choices that one condition makes, or the way that the program came."""
    if not isinstance(a, Instruction) or not isinstance(b, Instruction):
        return []
    if a.opcode == b.opcode == "phi" and a.block is b.block:
        on_way = {predecessor: value for value, predecessor in b.incoming}
        return [(value, on_way[predecessor]) for value, predecessor in a.incoming]
    if a.opcode == b.opcode == "select" and a.operands[0] is b.operands[0]:
        return [*zip(PASSED.operands(a), PASSED.operands(b), strict=True)]
    return []


def _is_same(a: Value, b: Value) -> bool:
    if not isinstance(a, Instruction) or not isinstance(b, Instruction):
        return a is b
    return a is b or (a.opcode == b.opcode == "load" and a.operands[0] is b.operands[0])
