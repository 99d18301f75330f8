"""Pointers in globals, as values: single ones, rows of them, and those to memory that code outside the derivative made.

Such memory is called external memory (globals/external_memory.py).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from ...rules.memory_functions import release_of_family
from .markers import RequestKind

#: bytes of a pointer
POINTER_BYTES = 8


class GlobalPointer(NamedTuple):
    """One pointer in a global."""

    name: str
    offset: int


class PointerRow(NamedTuple):
    """`number` pointers in one global: the first at `offset`, then one every `stride` bytes."""

    offset: int
    number: int
    stride: int

    @property
    def offsets(self) -> range:
        return range(self.offset, self.offset + self.number * self.stride, self.stride)


class Pool(NamedTuple):
    """Pointers into the same blocks of the heap, which hold numbers only.

    `first`: those that point to the first byte of a block. `inside`: the others. `allocate`: the function that makes
    such a block, given its size.
    """

    first: list[GlobalPointer]
    inside: list[GlobalPointer]
    allocate: str

    @property
    def free(self) -> str:
        """The function that frees a block."""
        return release_of_family(self.allocate)


@dataclass
class ExternalPointers:
    """Pointers in globals that may lead to external memory.

    resolved: in active globals; a request finds their shadows when it begins.
    pools: those of them that only hold addresses in blocks of numbers in the heap.
    foreign: in globals that are not active; they must not point at memory that carries a derivative.
    numbers: globals that are a number or an array of numbers, in which arguments of requests may lie.
    made: names of the functions that do this, by task, number of arguments, width and kind of request.
    """

    resolved: dict[str, list[PointerRow]] = field(default_factory=dict)
    pools: list[Pool] = field(default_factory=list)
    foreign: dict[str, list[PointerRow]] = field(default_factory=dict)
    numbers: list[str] = field(default_factory=list)
    made: dict[tuple[str, int, int, RequestKind], str] = field(default_factory=dict)
