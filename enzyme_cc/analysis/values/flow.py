"""Walks along edges between values (ir/value_edges.py): origins, uses, and both.

A walk that also passes through memory or calls gives `reachable` a step of its own, which begins with the edges.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from ...ir.graphs import reachable
from ...ir.value_edges import ValueEdges
from ...ir.values import Instruction, Value

V = TypeVar("V", bound=Value)


def origins(
    values: Iterable[Value], edges: ValueEdges, among: Callable[[Value], bool] | None = None
) -> Iterator[Value]:
    """Yields the values, and all that they come from along the edges. `among`: enters only such values."""
    step = edges.operands
    return reachable(values, step if among is None else lambda v: filter(among, step(v)))


def uses(
    values: Iterable[V], edges: ValueEdges, among: Callable[[Instruction], bool] | None = None
) -> Iterator[V | Instruction]:
    """Yields the values, and all results that they go to along the edges. `among`: enters only such instructions."""
    step = edges.users
    starts: Iterable[V | Instruction] = values
    return reachable(starts, step if among is None else lambda v: filter(among, step(v)))


def ends(values: Iterable[Value], edges: ValueEdges) -> list[Value]:
    """Returns the values where the walk to the origins ends: no edge leads to them."""
    return [v for v in origins(values, edges) if not edges.operands(v)]


def stripped(value: Value, edges: ValueEdges) -> Value:
    """Returns the value at the end of a chain of instructions of which each has one operand that counts."""
    while operands := edges.operands(value):
        value = operands[0]
    return value
