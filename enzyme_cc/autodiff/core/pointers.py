"""Pointers in globals: single pointers, rows of pointers, and pointers to foreign memory.

Code outside of the derivative made foreign memory (globals/foreign_memory.py).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import NamedTuple

from msgspec import Struct, field

from ...ir.values import Instruction
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

    - `first`: the pointers to the first byte of a block; `inside`: all others.
    - `allocate`: the function that allocates such a block, given its size.
    """

    first: list[GlobalPointer]
    inside: list[GlobalPointer]
    allocate: str

    def only(self, words: Collection[GlobalPointer]) -> Pool:
        first, inside = ([word for word in pointers if word in words] for pointers in (self.first, self.inside))
        return self._replace(first=first, inside=inside)

    @property
    def free(self) -> str:
        """The function that frees a block."""
        return release_of_family(self.allocate)


class ForeignPointers(Struct, frozen=True):
    """Pointers in globals that may lead to foreign memory.

    - `resolved`: pointers in active globals; a request finds their shadows when it begins.
    - `pools`: those of them that only hold addresses in heap blocks of numbers.
    - `inactive`: pointers in globals that are not active; they must not point at memory that carries a derivative.
    - `leading`: a global that is not active, and that leads to numbers in foreign memory; None if there is none.
    - `numbers`: globals that are a number or an array of numbers; arguments of requests may lie in them.
    - `keys`: offsets and sizes of what requests overwrite when they begin (globals/kept_keys.py).
    - `has_work_space`: constant arguments of requests (analyses/work_space.py) or what set-up calls made is work space.
    """

    resolved: Mapping[str, list[PointerRow]] = field(default_factory=dict)
    pools: tuple[Pool, ...] = ()
    inactive: Mapping[str, list[PointerRow]] = field(default_factory=dict)
    leading: str | None = None
    numbers: tuple[str, ...] = ()
    keys: Mapping[str, list[tuple[int, int]]] = field(default_factory=dict)
    has_work_space: bool = False

    @property
    def is_met(self) -> bool:
        """True if differentiated code may write to foreign memory."""
        return bool(self.resolved) or self.has_work_space


class ForeignCode(Struct):
    """What is known of code for foreign pointers once it is emitted: it grows while derivatives are made.

    - `functions`: names of the functions that handle them, by task, number of arguments, width and kind of request.
    - `shadow_pools`: pools of shadows, in derivatives that are differentiated again (globals/foreign_again.py).
    - `naming`: the calls by which requests name memory (globals/named_memory.py).
    - `compares_names`: derivatives look pointers up in it (emit/compared_pointers.py).
    """

    functions: dict[tuple[str, int, int, RequestKind], str] = field(default_factory=dict)
    shadow_pools: list[Pool] = field(default_factory=list)
    naming: list[Instruction] = field(default_factory=list)
    compares_names: bool = False
