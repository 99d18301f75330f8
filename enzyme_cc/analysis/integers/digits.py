"""On which integers others depend without being computed from them: the digits of an integer in a text.

A digit may be an element of a table, one of two constants that a condition chooses, or a character whose place tells
something. An integer that is read from a text may be made in the same ways.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ...ir.graphs import reachable
from ...ir.instructions import BRANCHES, CHOICES
from ...ir.types import IntType, PointerType
from ...ir.value_edges import SAME_OBJECT
from ...ir.values import Block, Instruction, Value

#: integers of at most this many bits hold characters: one, or two that are moved together
CHARACTERS = 16


class PointedPlace(NamedTuple):
    """Where a pointer leads. Searches that meet many loads and stores at one place ask once what decides it."""

    pointer: Value


def depends_on(v: Value) -> Iterable[Value]:
    """Returns the integers on which the value depends: a table's index, what chooses among values, what a call gets."""
    if not isinstance(v, Instruction):
        return ()
    if v.opcode == "load":
        return indices(v.operands[0])
    if v.opcode in CHOICES:
        return conditions_of_choice(v)
    if v.opcode == "call":
        return [a for a in v.arguments if isinstance(a.type, IntType)]
    return v.operands if v.opcode == "icmp" else ()


def depends_on_or_place(v: Value | PointedPlace) -> Iterable[Value | PointedPlace]:
    """Returns the same, with the place of a load in the place of what decides it; and what decides a place."""
    if isinstance(v, PointedPlace):
        return (*_own_indices(v.pointer), *map(PointedPlace, _earlier(v.pointer)))
    return (PointedPlace(v.operands[0]),) if isinstance(v, Instruction) and v.opcode == "load" else depends_on(v)


def decides_store(store: Instruction) -> Iterator[Value]:
    """Yields the integers that decide where, or whether, something is stored."""
    yield from indices(store.operands[1])
    yield from decides_whether(store)


def decides_whether(i: Instruction) -> Iterable[Value]:
    """Returns the integers that decide whether an instruction runs."""
    return _conditions_of(i.block.predecessors) if i.block is not None else ()


def indices(pointer: Value) -> Iterator[Value]:
    """Yields what decides where the pointer leads: indices, and what chooses among pointers, also out of a table."""
    for v in reachable([pointer], _earlier):
        yield from _own_indices(v)


def _own_indices(pointer: Value) -> list[Value]:
    """Returns what decides where the pointer leads among those that it is computed from."""
    if not isinstance(pointer, Instruction):
        return []
    return pointer.operands[1:] if pointer.opcode == "getelementptr" else conditions_of_choice(pointer)


def _earlier(pointer: Value) -> Iterable[Value]:
    """Returns the pointers that a pointer is computed from, chosen among, or loaded at."""
    if isinstance(pointer, Instruction) and pointer.opcode == "load":
        return pointer.operands
    return (v for v in SAME_OBJECT.operands(pointer) if isinstance(v.type, PointerType))


def conditions_of_choice(choice: Instruction) -> list[Value]:
    """Returns the condition of a select; of a phi, those of the branches one and two blocks before it."""
    if choice.opcode != "phi":
        return choice.operands[:1] if choice.opcode == "select" else []
    return _conditions_of([block for _, block in choice.incoming])


def _conditions_of(blocks: Iterable[Block]) -> list[Value]:
    """Returns the conditions of the branches that end the blocks, or those before them."""
    ends = [block.instructions[-1] for b in blocks for block in (b, *b.predecessors) if block.instructions]
    return [end.operands[0] for end in ends if end.opcode in BRANCHES and len(end.operands) > 1]
