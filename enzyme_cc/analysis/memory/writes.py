"""An index of the writes of a function, which finds those that may overlap a load without a look at all of them.

Writes are sorted by object, then by offset if that is constant. `reached_after` tells which blocks can run after which.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from msgspec import Struct, field

from ...ir.cfg import ControlFlow
from ...ir.graphs import strongly_connected
from ...ir.values import Instruction
from ..integers.offsets import Offset, may_overlap
from .effects import Access

#: writes of up to so many bytes at constant offsets are found by offset, wider ones one by one
_WIDE = 32


class Written(NamedTuple):
    """A writing instruction, with the number of its block and its index there."""

    instruction: Instruction
    block: int
    position: int


class Group(Struct):
    """Writes with the same range and metadata.

    `mask`: the blocks that they are in, as bits; `last`: the last write of each block; `own`: the writes themselves;
    `joined`: groups whose writes belong to this one too.
    """

    mask: int = 0
    last: dict[int, Written] = field(default_factory=dict)
    own: list[Written] = field(default_factory=list)
    joined: list[Group] = field(default_factory=list)

    def add(self, write: Written) -> None:
        self.own.append(write)
        self._note(write)

    def _note(self, write: Written) -> None:
        self.mask |= 1 << write.block
        known = self.last.get(write.block)
        if known is None or known.position < write.position:
            self.last[write.block] = write

    def join(self, other: Group) -> None:
        self.joined.append(other)
        for write in other.last.values():
            self._note(write)

    def all(self) -> Iterator[Written]:
        yield from self.own
        for group in self.joined:
            yield from group.all()

    def all_after(self, block: int, index: int, reached: int) -> Iterator[Instruction]:
        """Yields the writes that can run after an instruction, some more than once."""
        for write in self.all():
            if (write.block == block and write.position > index) or reached >> write.block & 1:
                yield write.instruction

    def after(self, block: int, index: int, reached: int) -> Instruction | None:
        """Returns a write that can run after an instruction, or None."""
        last = self.last.get(block)
        if last is not None and last.position > index:
            return last.instruction
        common = self.mask & reached
        return self.last[(common & -common).bit_length() - 1].instruction if common else None


#: what tells writes to one object apart: alias metadata and points-to set
Key = tuple[Access, frozenset[int] | None]


class Bucket(Struct):
    """All writes to one object, or to all objects of unknown origin.

    `groups` holds all writes by key. Each of them is also in `exact` (narrow, by constant offset), in `wide` (at a
    constant offset) or in `loose`.
    """

    groups: dict[Key, Group] = field(default_factory=dict)
    loose: dict[tuple[Key, Offset, int | None], Group] = field(default_factory=dict)
    exact: dict[int, list[tuple[int, Key, Group]]] = field(default_factory=dict)
    wide: list[tuple[int, int, Key, Group]] = field(default_factory=list)

    def add(self, offset: Offset, size: int | None, key: Key, write: Written) -> None:
        self.groups.setdefault(key, Group()).add(write)
        if not isinstance(offset, int) or size is None:
            self.loose.setdefault((key, offset, size), Group()).add(write)
        elif size > _WIDE:
            group = Group()
            group.add(write)
            self.wide.append((offset, size, key, group))
        else:
            entries = self.exact.setdefault(offset, [])
            for known_size, known_key, group in entries:
                if known_size == size and known_key == key:
                    group.add(write)
                    return
            group = Group()
            group.add(write)
            entries.append((size, key, group))

    def at(self, offset: Offset, size: int | None) -> Iterable[tuple[Key, Group]]:
        """Returns the groups that may overlap the range."""
        if offset is None or size is None:
            return self.groups.items()
        found = [(k, g) for (k, at, n), g in self.loose.items() if may_overlap(offset, size, at, n)]
        found += [(k, g) for at, n, k, g in self.wide if may_overlap(offset, size, at, n)]
        starts = range(offset - _WIDE + 1, offset + size) if isinstance(offset, int) else self.exact
        for start in starts:
            for length, key, group in self.exact.get(start, ()):
                if may_overlap(offset, size, start, length):
                    found.append((key, group))
        return found


def reached_after(flow: ControlFlow) -> list[int]:
    """Returns for each block in order a bit mask of the blocks that can run after it has ended.

    One pass over the strongly connected components is enough, since each comes after those that it leads to.
    """
    successors = [[flow.number[s] for s in block.successors] for block in flow.order]
    component: dict[int, int] = {}
    members: list[int] = []  # bit masks of blocks, by component
    after: list[int] = []
    for blocks in strongly_connected(0, successors.__getitem__, component):
        component.update(dict.fromkeys(blocks, len(members)))
        members.append(sum(1 << n for n in blocks))
        targets = {component[s] for n in blocks for s in successors[n]}
        cyclic = len(blocks) > 1 or blocks[0] in successors[blocks[0]]
        mask = members[-1] if cyclic else 0
        for c in targets - {len(after)}:
            mask |= after[c] | members[c]
        after.append(mask)
    return [after[component[n]] for n in range(len(flow.order))]
