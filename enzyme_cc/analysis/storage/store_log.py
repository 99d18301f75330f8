"""Finds overwritten memory that the reverse sweep can read again, because it undoes the writes.

The primal sweep logs the bytes that such a write overwrites. The reverse of the write puts them back. So at each point
of the reverse sweep, memory is what it was when the primal sweep was at that point. The minimum cut decides which
writes are logged (store_or_recompute.py).
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable
from functools import cache, cached_property
from typing import NamedTuple

from ...ir.cfg import ControlFlow, Loop
from ...ir.constants import ConstantInt
from ...ir.graphs import reachable
from ...ir.instructions import ACCESSES
from ...ir.types import IntType, alloc_size, store_size
from ...ir.value_edges import ADDRESS_ARITHMETIC
from ...ir.values import Block, Instruction, Value
from ...rules.knowledge import CalleeKind
from ..callees import Callees
from ..memory.facts import MemoryFacts
from .refills import Refills
from .regions import Region, region_of, stride
from .reversal import Reversal

#: a load that more writes may overwrite is stored, and not read again
_MANY = 40
#: a write that so many others follow may be freed by one of them
_VERY_MANY = 400


class Point(NamedTuple):
    """A point of the reverse sweep: the primal sweep had run the first `done` instructions of the block."""

    block: Block
    done: int


class StoreLog:
    """Answers which writes of one function can be undone.

    - `left_out`: writes that the primal sweep leaves out;
    - `active_calls`: calls that are differentiated, and free memory only after the reverse sweep;
    - `split`: other code runs between the two sweeps, and may write the caller's memory;
    - `held`: the reverse sweep may run more than once.
    """

    def __init__(
        self,
        flow: ControlFlow,
        facts: MemoryFacts,
        callees: Callees,
        reversal: Reversal,
        left_out: Container[Instruction],
        active_calls: Container[Instruction],
        split: bool,
        held: bool,
    ) -> None:
        self._flow = flow
        self._facts = facts
        self._callees = callees
        self._reversal = reversal
        self._left_out = left_out
        self._active_calls = active_calls
        self._split = split
        self._held = held
        self.writes_over: Callable[[Instruction], tuple[Instruction, ...] | None] = cache(self._writes_over)
        self.overwriting: Callable[[Instruction], tuple[Instruction, ...] | None] = cache(self._overwriting)
        self.region: Callable[[Instruction], Region] = cache(self._region)
        self.refill: Callable[[Instruction], Instruction | None] = cache(self._refill)
        self._refills = Refills(flow, reversal.trip_counts, self._copy_operands)
        self._can_undo: Callable[[Instruction], bool] = cache(self._decide)
        self._reached: dict[tuple[Block, Loop | None], frozenset[Block]] = {}
        self._numbered: set[Block] = set()
        self._index: dict[Instruction, int] = {}

    # -- which writes

    def _writes_over(self, access: Instruction) -> tuple[Instruction, ...] | None:
        """Returns the writes to undo, so that the access sees its memory again; None if one cannot be undone."""
        writes = self.overwriting(access)
        return writes if writes is not None and all(map(self._can_undo, writes)) else None

    def _overwriting(self, access: Instruction) -> tuple[Instruction, ...] | None:
        """Returns the writes that may overwrite the access before the reverse sweep; None if they are not known."""
        pointer = self.target(access)
        if self._split and not self._facts.is_private(pointer):
            return None
        writes = self._facts.writes_after(access, pointer, self._bytes(access), _MANY)
        if writes is None:
            return None
        writes = [w for w in writes if w not in self._left_out]
        if access in writes and self._never_meets_itself(access):
            writes.remove(access)
        return tuple(writes)

    def _bytes(self, access: Instruction) -> int | None:
        if access.opcode in ACCESSES:
            return store_size(access.accessed_type)
        return None

    def _never_meets_itself(self, store: Instruction) -> bool:
        """True for a store in a single loop that writes other bytes in each iteration."""
        assert store.block is not None
        loop = self._flow.loop_of[store.block]
        if store.opcode != "store" or loop is None or loop.parent is not None:
            return False
        step = stride(store.operands[1], loop)
        return step is not None and abs(step) >= alloc_size(store.operands[0].type)

    def _decide(self, write: Instruction) -> bool:
        if self._held or write.block not in self._reversal.live or self._may_be_freed(write):
            return False
        return (self.is_bulk(write) or _is_plain(write)) and self._is_restorable(write)

    def _may_be_freed(self, write: Instruction) -> bool:
        """True if a callee may free the memory before the reverse sweep. Differentiated functions free it later."""
        if write.opcode != "store" and not self.is_bulk(write):
            return True
        if not self._frees:
            return False
        later = self._facts.writes_after(write, self.target(write), None, _VERY_MANY)
        return later is None or any(self._may_free(w) for w in later)

    @cached_property
    def _frees(self) -> bool:
        """True if any call may free memory before the reverse sweep."""
        return any(self._may_free(i) and self._facts.writes(i) for b in self._flow.order for i in b.instructions)

    def _may_free(self, write: Instruction) -> bool:
        return write.is_call and not self.is_bulk(write) and write not in self._active_calls

    def is_bulk(self, write: Instruction) -> bool:
        """True for a call that copies or fills a given number of bytes."""
        return write.opcode == "call" and self._callees.of(write).kind in (CalleeKind.COPY, CalleeKind.FILL)

    def target(self, write: Instruction) -> Value:
        """Returns the pointer through which a write writes or a load reads."""
        if write.opcode in ACCESSES:
            return write.accessed_pointer
        known = self._callees.of(write).known
        assert known is not None
        return write.arguments[known.target]

    def size(self, write: Instruction) -> Value:
        """Returns the operand of a bulk write that holds the number of bytes."""
        known = self._callees.of(write).known
        assert known is not None
        return write.arguments[known.length]

    def _is_restorable(self, write: Instruction) -> bool:
        """True if the memory can get its final state back after the reverse sweep, or if no caller sees it."""
        if self.is_own(write):
            return True
        if self._split:
            return False
        assert write.block is not None
        return self.is_bulk(write) or self._flow.loop_of[write.block] is None or bool(self.region(write).dimensions)

    def is_own(self, write: Instruction) -> bool:
        """True if nobody sees what is written once the function has returned."""
        return self.is_private(self.target(write))

    def is_private(self, pointer: Value) -> bool:
        """True if the pointer points into memory of this call that nobody else reaches."""
        return self._facts.is_private(pointer)

    def _region(self, write: Instruction) -> Region:
        return region_of(write, self._flow, self._reversal.trip_counts)

    # -- what undoing asks for

    def needed_to_undo(self, write: Instruction) -> list[tuple[Value, list[Point]]]:
        """Returns the values that undoing the write uses, each with the points of the reverse sweep that use it."""
        assert write.block is not None
        here = [self.behind(write)]
        needed = [(self.target(write), here)]
        if self.is_bulk(write):
            needed.append((self.size(write), here))
        elif not self.is_own(write):
            region = self.region(write)
            at = here if region.outermost is None else self._behind(region.outermost)
            needed += [(leaf, at) for leaf in region.leaves()]
        return needed

    def _behind(self, loop: Loop) -> list[Point]:
        """Returns the points at which the reverse sweep enters a loop."""
        sources = self._reversal.sources
        return [
            Point(block, 0)
            for block in self._reversal.visited
            if block not in loop.blocks and any(s in loop.blocks for s in sources[block])
        ]

    def cost(self, write: Instruction, depth_of: Callable[[Loop | None], int]) -> int:
        """Returns the estimated bytes of the log, and of the copy of the final state if the caller sees the memory."""
        assert write.block is not None
        loop = self._flow.loop_of[write.block]
        if self.is_bulk(write):
            size = self.size(write)
            bytes_ = size.value if isinstance(size, ConstantInt) else 16 * 8
        else:
            bytes_ = alloc_size(write.operands[0].type)
        kept = 0
        if not self.is_own(write):
            kept = bytes_ << 4 * (0 if self.is_bulk(write) else len(self.region(write).dimensions))
        return (bytes_ << 4 * depth_of(loop)) + kept

    # -- values that are in memory

    @cached_property
    def _stored_in(self) -> dict[Value, list[Instruction]]:
        found: dict[Value, list[Instruction]] = {}
        for block in self._reversal.visited:
            for i in block.instructions:
                if i.opcode == "store" and isinstance(i.operands[0], Instruction) and _is_plain(i):
                    found.setdefault(i.operands[0], []).append(i)
        return found

    def holder(self, value: Value) -> Instruction | None:
        """Returns a store of the value, in the value's own block, whose memory the reverse sweep can read; or None."""
        assert isinstance(value, Instruction)
        for store in self._stored_in.get(value, ()):
            if store.block is not value.block or not self._is_before(store.operands[1], value):
                continue
            if self.writes_over(store) is not None or self.refill(store) is not None:
                return store
        return None

    def _is_before(self, pointer: Value, value: Instruction, depth: int = 8) -> bool:
        """True if the pointer can be computed from values before this one, so that recipes form no cycle."""
        if not isinstance(pointer, Instruction) or pointer.block is not value.block:
            return True
        if pointer is value or self.behind(pointer).done < self.behind(value).done:
            return pointer is not value
        if pointer.opcode not in ADDRESS_ARITHMETIC or not depth:  # others rarely lead to values that come earlier
            return False
        return all(self._is_before(o, value, depth - 1) for o in pointer.operands)

    # -- values that were copied elsewhere

    def _refill(self, store: Instruction) -> Instruction | None:
        """Returns a copy of all that the store writes in its loop, from which the memory can be filled again, or None.

        The copy is a bulk copy, or a store of what a load has read.
        """
        writes = self.overwriting(store)
        if writes is None or self._held or self._may_be_freed(store) or not self._is_restorable(store):
            return None
        for read in self._refills.copies_of(store):
            copy = self._copying(read)
            if copy is None or not self._is_whole_at(store, writes, copy):
                continue
            if copy not in writes or self._can_undo(copy):
                return copy
        return None

    def _copying(self, read: Instruction) -> Instruction | None:
        """Returns the bulk copy, or the store of the loaded value; None if its target cannot be seen again."""
        if read.opcode != "load":
            return read if self.writes_over(read) is not None else None
        writes = self.overwriting(read)
        for store in self._stored_in.get(read, ()) if writes is not None and not read.flags else ():
            if store.block is read.block and self.writes_over(store) is not None:
                others = [w for w in writes or () if w is not store]
                return store if self.is_seen_at(read, others, [self.behind(store)]) else None
        return None

    def _is_whole_at(self, store: Instruction, writes: Iterable[Instruction], copy: Instruction) -> bool:
        """True if no write comes between the store and the copy, in one iteration of the loop around both."""
        assert store.block is not None and copy.block is not None
        loop = self._flow.loop_of[store.block]
        around = loop.parent if loop is not None else None
        start, end = self.behind(store), self.behind(copy)
        others = [self.behind(w) for w in writes if w is not store and w is not copy]
        return not any(self._may_follow(start, p, around) and self._may_follow(p, end, around) for p in others)

    def _copy_operands(self, i: Instruction) -> tuple[Value, Value, Value] | None:
        callee = self._callees.of(i)
        if callee.kind is not CalleeKind.COPY or callee.known is None:
            return None
        return self.target(i), i.arguments[callee.known.source], self.size(i)

    def copied_from(self, copy: Instruction) -> Value:
        """Returns the pointer from which a copy reads."""
        operands = self._copy_operands(copy) if copy.opcode == "call" else None
        return self.copied_load(copy).operands[0] if operands is None else operands[1]

    def copied_load(self, store: Instruction) -> Instruction:
        """Returns the load whose value a copying store stores."""
        load = store.operands[0]
        assert isinstance(load, Instruction) and load.opcode == "load"
        return load

    def needed_to_refill(self, copy: Instruction) -> list[tuple[Value, list[Point]]]:
        """Returns the values that a refill uses, each with the points of the reverse sweep that use it."""
        here = [self.behind(copy)]
        needed = [(self.target(copy), here), (self.copied_from(copy), here)]
        if copy.opcode == "call":
            return [*needed, (self.size(copy), here)]
        region = self.region(self.copied_load(copy))
        if not self.is_private(region.pointer):
            assert region.outermost is not None
            needed += [(leaf, self._behind(region.outermost)) for leaf in region.leaves()]
        return needed

    # -- points

    def is_seen_at(self, access: Instruction, writes: Iterable[Instruction], points: Iterable[Point]) -> bool:
        """True if no write comes between the access and a point, in one iteration of the loops around the access."""
        assert access.block is not None
        loop = self._flow.loop_of[access.block]
        start = self.behind(access)
        between = [p for w in writes if w is not access and self._may_follow(start, p := self.behind(w), loop)]
        return not any(self._may_follow(p, point, loop) for p in between for point in points)

    def behind(self, i: Instruction) -> Point:
        """Returns the point right after an instruction."""
        assert i.block is not None
        if i.block not in self._numbered:
            self._numbered.add(i.block)
            self._index.update((other, k) for k, other in enumerate(i.block.instructions))
        return Point(i.block, self._index[i] + 1)

    def _may_follow(self, first: Point, second: Point, loop: Loop | None) -> bool:
        """True if control may go from the first point to the second within one iteration of the loop."""
        if first.block is second.block and first.done <= second.done:
            return True
        return second.block in self._reached_from(first.block, loop)

    def _reached_from(self, block: Block, loop: Loop | None) -> frozenset[Block]:
        key = block, loop
        if key not in self._reached:
            inside = None if loop is None else loop.blocks - {loop.header}

            def following(b: Block) -> list[Block]:
                return [s for s in b.successors if inside is None or s in inside]

            self._reached[key] = frozenset(reachable(following(block), following))
        return self._reached[key]


def _is_plain(store: Instruction) -> bool:
    """True for a store of whole bytes that is neither volatile nor atomic."""
    type_ = store.operands[0].type
    return store.opcode == "store" and not store.flags and not (isinstance(type_, IntType) and type_.bits % 8)
