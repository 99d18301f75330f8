"""Loops that find a number by bisection: the sign of another number decides which half of a bracket is kept.

The bracket is two bounds, or its middle, which moves to either side by a step that is halved each time. The number that
such a loop finds depends on its inputs through comparisons, and comparisons have no derivative.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator

from ..ir.cfg import ControlFlow, Loop
from ..ir.constant_numbers import numbers
from ..ir.constants import Constant
from ..ir.graphs import reachable
from ..ir.instructions import BASIC_FLOAT_ARITHMETIC, CHOICES, FUSED
from ..ir.types import FloatType
from ..ir.value_edges import COPIED
from ..ir.values import Instruction, Value

_ARITHMETIC = BASIC_FLOAT_ARITHMETIC | {"fneg"}


def bisections(flow: ControlFlow, varied: Container[Value], useful: Container[Value]) -> Iterator[Instruction]:
    """Yields the comparison by which each bisection decides.

    `varied` are the values that depend on an active input, `useful` those of them that an active output depends on. A
    bracket that does not vary at all loses the whole derivative.
    """
    for loop in flow.loops:
        bounds = [phi for phi in loop.header.phis if isinstance(phi.type, FloatType)]
        if any((phi in useful or phi not in varied) and _is_bound(phi, bounds, loop) for phi in bounds):
            yield from _deciding(loop, bounds, varied)


def _is_bound(bound: Instruction, bounds: list[Instruction], loop: Loop) -> bool:
    """True if each iteration leaves the bound as it is or moves it to the middle, or moves a middle to either side."""
    kept = _following(bound, bounds, loop)
    moves = [v for v in kept if v is not bound]
    if bound in kept and moves and all(_is_middle(v, bound, bounds, loop) for v in moves):
        return True
    return bool(moves) and all(_is_step(v, bound, bounds, loop, is_one_of_two=len(moves) > 1) for v in moves)


def _following(bound: Instruction, bounds: list[Instruction], loop: Loop) -> list[Value]:
    """Returns the values that a bound may have after an iteration."""
    following = [value for value, block in bound.incoming if block in loop.blocks]
    merged = [v for start in following for v in _leaves(start, bounds, loop)]
    return [v for v in dict.fromkeys(merged) if v in bounds or not _is_in(loop, v, CHOICES)]


def _merged(choice: Value, bounds: list[Instruction]) -> Iterable[Value]:
    """Returns the values among which a phi or select chooses. A bound itself stands for its value of this iteration."""
    return COPIED.operands(choice) if choice not in bounds else ()


def _is_middle(value: Value, bound: Instruction, bounds: list[Instruction], loop: Loop) -> bool:
    """True for (low + high)/2, low + (high - low)/2, low + width with a width that is halved, and the like."""
    terms = list(reachable([value], lambda v: _terms(v, loop)))
    ends = {v for v in terms if not isinstance(v, Constant) and not _is_arithmetic(loop, v)}
    return (
        bound in ends
        and len(ends) > 1  # a step size that is halved is no bracket
        and all(v in bounds for v in ends)
        and any(map(_halves, terms))
    )


def _is_step(value: Value, bound: Instruction, bounds: list[Instruction], loop: Loop, is_one_of_two: bool) -> bool:
    """True for middle + step, middle - step and middle + sign * step, where the step is halved in each iteration.

    `is_one_of_two`: which of them it is, is chosen behind them. Otherwise the sign is chosen.
    """
    terms = list(reachable([value], lambda v: _chosen_terms(v, bounds, loop)))
    choices = [v for v in terms if _is_in(loop, v, CHOICES) and v not in bounds]
    ends = {v for v in terms if not isinstance(v, Constant) and not _is_arithmetic(loop, v)}.difference(choices)
    steps = [step for step in bounds if step in ends and step is not bound]
    return (
        _is_arithmetic(loop, value)
        and bool(choices or is_one_of_two)
        and ends == {bound, *steps}
        and len(steps) == 1
        and _is_halved(steps[0], bounds, loop)
    )


def _is_halved(step: Instruction, bounds: list[Instruction], loop: Loop) -> bool:
    following = _following(step, bounds, loop)
    return len(following) == 1 and all(step in _terms(v, loop) and _halves(v) for v in following)


def _chosen_terms(value: Value, bounds: list[Instruction], loop: Loop) -> Iterable[Value]:
    if not _is_in(loop, value, CHOICES):
        return _terms(value, loop)
    is_sign = {-1.0, 1.0} <= {x for v in _leaves(value, bounds, loop) if isinstance(v, Constant) for x in numbers(v)}
    return () if is_sign else _merged(value, bounds)  # the sign of zero may be anything


def _leaves(value: Value, bounds: list[Instruction], loop: Loop) -> Iterable[Value]:
    return reachable([value], lambda v: _merged(v, bounds) if _is_in(loop, v, CHOICES) else ())


def _terms(value: Value, loop: Loop) -> Iterable[Value]:
    if not _is_arithmetic(loop, value):
        return ()
    assert isinstance(value, Instruction)
    return value.arguments if value.is_call else value.operands


def _is_arithmetic(loop: Loop, value: Value) -> bool:
    if _is_in(loop, value, _ARITHMETIC):
        return True
    return isinstance(value, Instruction) and value.block in loop.blocks and value.callee_name.startswith(FUSED)


def _halves(i: Value) -> bool:
    if not isinstance(i, Instruction):
        return False
    factor = 0.5 if i.is_call else {"fmul": 0.5, "fdiv": 2.0}.get(i.opcode)
    factors = i.arguments[:2] if i.is_call else i.operands
    return factor is not None and any(isinstance(v, Constant) and factor in numbers(v) for v in factors)


def _is_in(loop: Loop, value: Value, opcodes: frozenset[str]) -> bool:
    return isinstance(value, Instruction) and value.block in loop.blocks and value.opcode in opcodes


def _deciding(loop: Loop, bounds: list[Instruction], varied: Container[Value]) -> Iterator[Instruction]:
    """Yields the first comparison in the loop that an active input decides, but for tests of the bracket's width."""
    for block in loop.blocks_in_order:
        for i in block.instructions:
            if i.opcode == "fcmp" and any(v in varied for v in i.operands) and not _is_of_bracket(i, bounds, loop):
                yield i
                return


def _is_of_bracket(comparison: Instruction, bounds: list[Instruction], loop: Loop) -> bool:
    terms = reachable(comparison.operands, lambda v: _terms(v, loop))
    return all(isinstance(v, Constant) or v in bounds for v in terms if not _is_arithmetic(loop, v))
