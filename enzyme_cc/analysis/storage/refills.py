"""Finds copies of memory that a loop has written. From a copy, the reverse sweep fills the memory again without a log.

    for (t…) {
        for (i…) next[i] = tanh(…);     // the store
        for (i…) state[i] = next[i];    // the copy: a load that a store holds, or a memcpy
    }

When the reverse sweep comes to the copy, `state` holds what the copy wrote. The reverse of the copy writes it back to
`next`. So the writes of later steps to `next` need not be undone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from ...ir.cfg import ControlFlow, Loop
from ...ir.constants import ConstantInt
from ...ir.graphs import reachable
from ...ir.types import alloc_size, is_pointer
from ...ir.value_edges import EXTENDED
from ...ir.values import Block, Instruction, Value
from ..integers.loops import TripCount
from ..values.flow import stripped
from .regions import Region, induction_of, region_of, varies

Number = Value | int


class Span(NamedTuple):
    """The contiguous bytes from base + offset on: `number` (a constant or a value) times `scale` of them."""

    base: Value
    offset: int
    number: Number
    scale: int


class Refills:
    """Finds copies of what a store in a loop writes, in the same iteration of the loop around that loop.

    `copy_operands` returns target, source and size of a bulk copy, and None for any other instruction.
    """

    def __init__(
        self,
        flow: ControlFlow,
        trip_counts: Mapping[Loop, TripCount | None],
        copy_operands: Callable[[Instruction], tuple[Value, Value, Value] | None],
    ) -> None:
        self._flow = flow
        self._trip_counts = trip_counts
        self._copy_operands = copy_operands
        self._spans: dict[Loop | None, list[tuple[Span, Instruction]]] = {}

    def copies_of(self, store: Instruction) -> Iterator[Instruction]:
        """Yields the loads and bulk copies after the loop of the store that read exactly the bytes it has written."""
        assert store.block is not None
        loop = self._flow.loop_of[store.block]
        span = self._span(store) if loop is not None else None
        if loop is None or span is None:
            return
        if loop.parent not in self._spans:
            self._spans[loop.parent] = list(self._copies_in(loop.parent))
        for other, copy in self._spans[loop.parent]:
            if other == span and self._always_follows(copy, loop):
                yield copy

    def _copies_in(self, around: Loop | None) -> Iterator[tuple[Span, Instruction]]:
        for block in self._flow.order:
            own = self._flow.loop_of[block]
            for i in block.instructions:
                span = None
                if own is around and i.opcode == "call":
                    span = self._span_of_copy(i)
                elif own is not None and own is not around and own.parent is around and i.opcode == "load":
                    span = self._span(i)
                if span is not None:
                    yield span, i

    def _always_follows(self, copy: Instruction, loop: Loop) -> bool:
        """True if control always gets from the loop to the copy, within one iteration of the loop around both."""
        assert copy.block is not None
        around, place = loop.parent, self._entry(copy.block, loop.parent)

        def misses(block: Block) -> bool:
            leaves = around is not None and (block is around.header or block not in around.blocks)
            return leaves or block.terminator.opcode == "ret" or block in loop.blocks

        def following(block: Block) -> list[Block]:
            return [] if block is place else block.successors

        after = reachable((outside for _, outside in loop.exit_edges), following)
        return place not in loop.blocks and not any(misses(block) for block in after if block is not place)

    def _entry(self, block: Block, around: Loop | None) -> Block:
        """Returns the block, or the header of the inner loop that it is in."""
        own = self._flow.loop_of[block]
        return block if own is None or own is around else own.header

    # -- spans

    def _span(self, access: Instruction) -> Span | None:
        """Returns the bytes that a load or store accesses in all iterations of its loop, or None."""
        region = region_of(access, self._flow, self._trip_counts)
        if not region.dimensions or not region.dimensions[0].runs_last:
            return None
        region = Region(access, region.dimensions[:1])
        start, count = _start(region), _executions(region.dimensions[0].count)
        return None if start is None or count is None else Span(*start, *_scaled(count, region.size))

    def _span_of_copy(self, i: Instruction) -> Span | None:
        operands = self._copy_operands(i)
        if operands is None:
            return None
        base, offset = _based(operands[1])
        return Span(base, offset, *_scaled(_stripped(operands[2]), 1))


def _start(region: Region) -> tuple[Value, int] | None:
    """Returns base and offset of the first element, if the region is a row of adjacent elements."""
    pointer, loops = region.pointer, region.loops
    variable = induction_of(pointer, loops)
    if variable is not None:
        return _based(variable.start) if variable.step == region.size else None
    if not isinstance(pointer, Instruction) or pointer.opcode != "getelementptr" or len(pointer.operands) != 2:
        return None
    base, index = pointer.operands[0], _stripped(pointer.operands[1])
    variable = None if isinstance(index, int) else induction_of(index, loops)
    scale = alloc_size(pointer.source_type)
    if variable is None or variable.step * scale != region.size or varies(base, loops):
        return None
    if not isinstance(variable.start, ConstantInt):
        return None
    base, offset = _based(base)
    return base, offset + variable.start.value * scale


def _based(pointer: Value) -> tuple[Value, int]:
    """Returns the pointer without its constant offsets, and their sum."""
    offset = 0
    while isinstance(pointer, Instruction) and pointer.opcode == "getelementptr" and len(pointer.operands) == 2:
        index = pointer.operands[1]
        if not isinstance(index, ConstantInt) or not is_pointer(pointer.operands[0].type):
            break
        offset += index.value * alloc_size(pointer.source_type)
        pointer = pointer.operands[0]
    return pointer, offset


def _executions(count: TripCount) -> Number | None:
    """Returns how often a loop runs, if it runs at least once and counts up by one from a constant; else None."""
    if not isinstance(count.start, ConstantInt) or count.step != 1 or not count.tests_next:
        return None
    if isinstance(count.bound, ConstantInt):
        number = count.bound.value - count.start.value
        return number if count.predicate in ("ne", "ult", "slt") and number > 0 else None
    return _stripped(count.bound) if count.start.value == 0 and count.predicate == "ne" else None


def _stripped(value: Value) -> Number:
    """Returns the value without integer extensions, or the number of a constant."""
    value = stripped(value, EXTENDED)
    return value.value if isinstance(value, ConstantInt) else value


def _scaled(count: Number, scale: int) -> tuple[Number, int]:
    """Returns the product as a value and a constant factor, in one form for multiplications and shifts."""
    if isinstance(count, int):
        return count * scale, 1
    if isinstance(count, Instruction) and isinstance(count.operands[-1], ConstantInt):
        factor = count.operands[-1].value
        if count.opcode == "shl":
            return _scaled(_stripped(count.operands[0]), scale << factor)
        if count.opcode == "mul":
            return _scaled(_stripped(count.operands[0]), scale * factor)
    return count, scale
