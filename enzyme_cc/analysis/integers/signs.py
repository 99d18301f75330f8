"""Proves lower bounds of integers, for example that an index is never negative, and finds indices that surely are."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import IntEnum

from ...ir.constants import ConstantInt
from ...ir.graphs import reachable
from ...ir.value_edges import CHOSEN, EXTENDED
from ...ir.values import Instruction, Value


class Direction(IntEnum):
    """Where indices lead from a pointer: also back for some of their values, perhaps there, or never.

    Of several, the least one counts.
    """

    BACK = -1
    EITHER = 0
    FORWARDS = 1


_DEPTH = 8
_Assumed = dict[Value, int]


def at_least(value: Value, least: int, depth: int = 0, assumed: _Assumed | None = None) -> bool:
    """True if the integer, read as signed, is never less than `least`.

    `assumed` maps the phis whose proof is under way to the bound assumed of them: the proof is by induction.
    """
    if isinstance(value, ConstantInt):
        return value.value >= least
    if not isinstance(value, Instruction) or depth > _DEPTH:
        return False
    known = assumed or {}
    if value in known:
        return known[value] >= least
    rule = _RULES.get(value.opcode)
    return rule is not None and rule(value, least, depth + 1, known)


def direction(indices: Iterable[Value]) -> Direction:
    """Returns where the indices lead."""
    found = list(indices)
    if all(at_least(index, 0) for index in found):
        return Direction.FORWARDS
    return Direction.BACK if any(map(_is_negative_at_times, found)) else Direction.EITHER


def _is_negative_at_times(value: Value) -> bool:
    """Returns whether one of the values that the integer has is negative: it starts there, or a count is subtracted."""
    return any(map(_is_negative, reachable([value], lambda v: (*CHOSEN.operands(v), *EXTENDED.operands(v)))))


def _is_negative(value: Value) -> bool:
    if isinstance(value, ConstantInt):
        return value.value < 0
    rule = _NEGATIVE.get(value.opcode) if isinstance(value, Instruction) else None
    return rule is not None and isinstance(value, Instruction) and rule(*value.operands)


def _is_subtracted(a: Value, b: Value) -> bool:
    return isinstance(a, ConstantInt) and a.value <= 0 and at_least(b, 0)


def _is_negated(a: Value, b: Value) -> bool:
    return isinstance(b, ConstantInt) and b.value < 0 and at_least(a, 0)


def _is_less_at_first(a: Value, b: Value) -> bool:
    return isinstance(b, ConstantInt) and b.value < 0 and _starts_at(a, -b.value)


_NEGATIVE: dict[str, Callable[[Value, Value], bool]] = {
    "sub": _is_subtracted,
    "mul": _is_negated,
    "add": _is_less_at_first,
}


def _starts_at(value: Value, most: int) -> bool:
    """Returns whether the integer is less than `most` at first: a constant that a loop starts with."""
    return any(isinstance(v, ConstantInt) and 0 <= v.value < most for v in reachable([value], CHOSEN.operands))


def _phi(i: Instruction, least: int, depth: int, assumed: _Assumed) -> bool:
    further = {**assumed, i: least}
    return all(at_least(value, least, depth, further) for value in i.operands[::2])


def _select(i: Instruction, least: int, depth: int, assumed: _Assumed) -> bool:
    return all(at_least(value, least, depth, assumed) for value in i.operands[1:])


def _same(i: Instruction, least: int, depth: int, assumed: _Assumed) -> bool:
    return at_least(i.operands[0], least, depth, assumed)


def _zext(i: Instruction, least: int, depth: int, assumed: _Assumed) -> bool:
    return least <= 0 or ("nneg" in i.flags and at_least(i.operands[0], least, depth, assumed))


def _add(i: Instruction, least: int, depth: int, assumed: _Assumed) -> bool:
    if "nsw" not in i.flags:
        return False
    a, b = i.operands
    if isinstance(b, ConstantInt):
        return at_least(a, least - b.value, depth, assumed)
    return at_least(a, max(least, 0), depth, assumed) and at_least(b, 0, depth, assumed)


def _sub(i: Instruction, least: int, depth: int, assumed: _Assumed) -> bool:
    a, b = i.operands
    return "nsw" in i.flags and isinstance(b, ConstantInt) and at_least(a, least + b.value, depth, assumed)


def _product(i: Instruction, least: int, depth: int, assumed: _Assumed) -> bool:
    return least <= 0 and "nsw" in i.flags and all(at_least(o, 0, depth, assumed) for o in i.operands)


def _quotient(i: Instruction, least: int, depth: int, assumed: _Assumed) -> bool:
    return least <= 0 and all(at_least(o, 0, depth, assumed) for o in i.operands)


def _remainder(i: Instruction, least: int, depth: int, assumed: _Assumed) -> bool:
    return least <= 0 and at_least(i.operands[0], 0, depth, assumed)


def _and(i: Instruction, least: int, depth: int, assumed: _Assumed) -> bool:
    return least <= 0 and any(at_least(o, 0, depth, assumed) for o in i.operands)


def _shift_down(i: Instruction, least: int, depth: int, assumed: _Assumed) -> bool:
    by = i.operands[1]
    return least <= 0 and isinstance(by, ConstantInt) and by.value > 0


def _call(i: Instruction, least: int, depth: int, assumed: _Assumed) -> bool:
    name = i.callee_name
    if name.startswith("@llvm.smax."):
        return any(at_least(a, least, depth, assumed) for a in i.arguments)
    return name.startswith(("@llvm.smin.", "@llvm.umin.")) and all(
        at_least(a, max(least, 0), depth, assumed) for a in i.arguments
    )


_RULES: dict[str, Callable[[Instruction, int, int, _Assumed], bool]] = {
    "phi": _phi,
    "select": _select,
    "sext": _same,
    "freeze": _same,
    "zext": _zext,
    "add": _add,
    "sub": _sub,
    "mul": _product,
    "shl": _product,
    "sdiv": _quotient,
    "udiv": _quotient,
    "srem": _remainder,
    "urem": _quotient,
    "and": _and,
    "lshr": _shift_down,
    "call": _call,
}
