"""What the copies of a program move: numbers of several types, or numbers that may begin at any byte."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from functools import cached_property

from ...ir.constants import ConstantInt
from ...ir.values import Function, Instruction, Value
from ...rules.knowledge import CalleeKind
from ...rules.library_functions import known
from ..callees import plain_name
from .contents import Contents, have_several_numbers
from .declared_accesses import DeclaredAccesses
from .evidence.boxed_pointers import boxes_pointer
from .evidence.places import WORD
from .memory_evidence import MemoryEvidence

#: what lies at some pointers
ContentsOf = Callable[[Iterable[Value], int | None], Contents]


class CopiedMemory:
    """Facts about all given functions, each found when it is first asked for."""

    def __init__(
        self,
        functions: Collection[Function],
        evidence: MemoryEvidence,
        declared: DeclaredAccesses,
        contents: ContentsOf,
    ) -> None:
        self._functions = functions
        self._evidence, self._declared, self._contents = evidence, declared, contents

    @cached_property
    def boxes_pointers(self) -> bool:
        """True if some function puts pointers into NaNs, or takes them out."""
        return any(map(boxes_pointer, self._instructions()))

    @cached_property
    def moves_several_numbers(self) -> bool:
        """True if a copy moves words that may hold numbers of several types."""
        for pointers, size in self._copies():
            count = size.value if isinstance(size, ConstantInt) else None
            if have_several_numbers(self._contents(pointers, count).words()):
                return True
        return False

    @cached_property
    def moves_packed_numbers(self) -> bool:
        """True if a copy moves numbers that may begin at any byte."""
        return any(self._contents([p], None).is_packed for pointers, _ in self._copies() for p in pointers)

    @cached_property
    def cut(self) -> frozenset[int]:
        """The names of connected memory in which a copy of a few bytes moves parts of numbers."""
        few = ((p, size) for p, size in self._copies() if isinstance(size, ConstantInt) and 0 < size.value <= WORD)
        few = ((p, size) for p, size in few if not any(self._contents([q], size.value).is_integer_here for q in p))
        told = ((p, size) for pointers, size in few for p in pointers if not self._declared.points_at_integer_member(p))
        cut = [p for p, size in told if self._contents([p], size.value).may_be_part_of_number]
        cycles, points_to = self._evidence.fields.cycles, self._evidence.points_to
        return frozenset(id(cycles.contents(node)) for p in cut for node in points_to.nodes(p))

    def _instructions(self) -> Iterator[Instruction]:
        return (i for function in self._functions for i in function.instructions())

    def _copies(self) -> Iterator[tuple[list[Value], Value | None]]:
        """Yields the pointers and the length of each call that copies memory; None if the length is unknown."""
        for i in (i for i in self._instructions() if i.opcode == "call"):
            row = known(plain_name(i.callee_name))
            if row is not None and row.kind is CalleeKind.COPY:
                yield [i.arguments[row.target], i.arguments[row.source]], i.arguments[row.length]
            elif row is not None and row.kind is CalleeKind.REALLOCATE:
                yield [i, i.arguments[0]], None
