"""Loops that find a number by bisection: the sign of another number decides which half of a bracket is kept.

The number that such a loop finds depends on its inputs through comparisons, and comparisons have no derivative.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator

from ..ir.cfg import ControlFlow, Loop
from ..ir.constant_numbers import numbers
from ..ir.constants import Constant
from ..ir.graphs import reachable
from ..ir.instructions import BASIC_FLOAT_ARITHMETIC, CHOICES
from ..ir.types import FloatType
from ..ir.value_edges import COPIED
from ..ir.values import Instruction, Value


def bisections(flow: ControlFlow, varied: Container[Value], useful: Container[Value]) -> Iterator[Instruction]:
    """Yields the comparison by which each bisection decides.

    `varied` are the values that depend on an active input, `useful` those of them that an active output depends on. A
    bracket that does not vary at all loses the whole derivative.
    """
    for loop in flow.loops:
        bounds = [phi for phi in loop.header.phis if isinstance(phi.type, FloatType)]
        if any((phi in useful or phi not in varied) and _moves_to_the_middle(phi, bounds, loop) for phi in bounds):
            yield from _deciding(loop, bounds, varied)


def _moves_to_the_middle(bound: Instruction, bounds: list[Instruction], loop: Loop) -> bool:
    """True if each iteration leaves the bound as it is, or moves it to the middle of the bracket."""
    following = [value for value, block in bound.incoming if block in loop.blocks]
    merged = reachable(following, lambda v: _merged(v, bounds) if _is_in(loop, v, CHOICES) else ())
    kept = [v for v in merged if v in bounds or not _is_in(loop, v, CHOICES)]
    return bound in kept and len(kept) > 1 and all(v is bound or _is_middle(v, bound, bounds, loop) for v in kept)


def _merged(choice: Value, bounds: list[Instruction]) -> Iterable[Value]:
    """Returns the values among which a phi or select chooses. A bound itself stands for its value of this iteration."""
    return COPIED.operands(choice) if choice not in bounds else ()


def _is_middle(value: Value, bound: Instruction, bounds: list[Instruction], loop: Loop) -> bool:
    """True for (low + high)/2, low + (high - low)/2, low + width with a width that is halved, and the like."""
    terms = list(reachable([value], lambda v: _terms(v, loop)))
    ends = {v for v in terms if not isinstance(v, Constant) and not _is_in(loop, v, BASIC_FLOAT_ARITHMETIC)}
    return (
        bound in ends
        and len(ends) > 1  # a step size that is halved is no bracket
        and all(v in bounds for v in ends)
        and any(isinstance(v, Instruction) and _halves(v) for v in terms)
    )


def _terms(value: Value, loop: Loop) -> Iterable[Value]:
    if not _is_in(loop, value, BASIC_FLOAT_ARITHMETIC):
        return ()
    assert isinstance(value, Instruction)
    return value.operands


def _halves(i: Instruction) -> bool:
    factor = {"fmul": 0.5, "fdiv": 2.0}.get(i.opcode)
    return factor is not None and any(isinstance(v, Constant) and factor in numbers(v) for v in i.operands)


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
    return all(isinstance(v, Constant) or v in bounds for v in terms if not _is_in(loop, v, BASIC_FLOAT_ARITHMETIC))
