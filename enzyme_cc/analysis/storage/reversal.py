"""The shape of the reverse sweep: which blocks it visits, and where it goes from each.

The reverse of a block goes to the reverse of the block that control came from. If no block between a block and its
dominator has work in the reverse sweep, it goes directly to the dominator. So an inactive branch or loop costs nothing.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from ...ir.cfg import ControlFlow, Loop
from ...ir.graphs import reachable
from ...ir.types import is_int
from ...ir.values import Block, Function, Instruction, Value
from ..integers.loops import TripCount, trip_count


class Choice(Struct, frozen=True):
    """The condition that tells which of two predecessors control came from: `when_true`, or else `when_false`."""

    condition: Value
    when_true: Block
    when_false: Block


class Reversal:
    """`visited`: the blocks with a reverse. `sources[b]`: the blocks that control may have come from, in a fixed order.

    `has_work` tells which instructions have an adjoint, or are undone.
    """

    def __init__(self, function: Function, flow: ControlFlow, has_work: Callable[[Instruction], bool]) -> None:
        self.function = function
        self.flow = flow
        self.returns = [b for b in flow.order if b.terminator.opcode == "ret"]
        self.live = flow.reaching(self.returns)
        self._working = {b for b in flow.order if b in self.live and any(map(has_work, b.instructions))}
        self._active_phis = {b for b in flow.order if any(map(has_work, b.phis))}
        self.sources: dict[Block, list[Block]] = {}
        self._visit()
        self.visited = [b for b in flow.order if b in self.sources]
        around = {loop for b in self.visited for loop in flow.loops_around(b)}
        self.loops = [loop for loop in flow.loops if loop in around]
        self.trip_counts: dict[Loop, TripCount | None] = {
            loop: trip_count(loop, flow, self.live) for loop in self.loops
        }

    def _visit(self) -> None:
        for block in reachable(self.returns, self.sources.__getitem__):
            self.sources[block] = self._sources_of(block)

    def _sources_of(self, block: Block) -> list[Block]:
        predecessors = [p for p in self.flow.predecessors[block] if p in self.live]
        if block in self._active_phis or not predecessors:
            return predecessors
        shortcut = self._shortcut(block)
        return predecessors if shortcut is None else [shortcut]

    def _shortcut(self, block: Block) -> Block | None:
        """Returns the nearest dominator in the same loop, if no block between has work in reverse; else None."""
        flow, loop = self.flow, self.flow.loop_of[block]
        if loop is not None and loop.header is block:
            return None
        dominator = flow.idom[block]
        while flow.loop_of[dominator] is not loop:
            inner = flow.loop_of[dominator]
            if inner is None or (loop is not None and inner.depth <= loop.depth) or dominator is flow.idom[dominator]:
                return None
            dominator = flow.idom[dominator]
        return dominator if self._idle_between(dominator, block) else None

    def _idle_between(self, dominator: Block, block: Block) -> bool:
        ends = (dominator, block)

        def before(b: Block) -> list[Block]:
            return [p for p in self.flow.predecessors[b] if p not in ends]

        return not any(b in self._working for b in reachable(before(block), before))

    def leads_in_by_iteration(self, block: Block) -> tuple[Block, Block] | None:
        """Returns (entering block, latch) of a header that has one of each. The iteration number tells which it was."""
        loop = self.flow.loop_of[block]
        sources = self.sources[block]
        if loop is None or loop.header is not block or len(sources) != 2:
            return None
        outside = [p for p in sources if p not in loop.blocks]
        inside = [p for p in sources if p in loop.blocks]
        return (outside[0], inside[0]) if len(outside) == len(inside) == 1 else None

    def choice(self, block: Block) -> Choice | None:
        """Returns the branch condition that tells which of the block's two sources control came from, or None."""
        sources = self.sources[block]
        loop = self.flow.loop_of[block]
        if len(sources) != 2 or (loop is not None and loop.header is block):
            return None
        dominator = self.flow.idom[block]
        branch = dominator.terminator
        if self.flow.loop_of[dominator] is not loop or branch.opcode != "br" or len(branch.operands) != 3:
            return None
        sides = [self._side(branch, source, block) for source in sources]
        if sides == [True, False]:
            return Choice(branch.operands[0], sources[0], sources[1])
        if sides == [False, True]:
            return Choice(branch.operands[0], sources[1], sources[0])
        return None

    def _side(self, branch: Instruction, source: Block, block: Block) -> bool | None:
        """Returns the value of the condition for which control reaches the block through source; None if both do."""
        then, otherwise = branch.successors
        if then is otherwise or not is_int(branch.operands[0].type):
            return None
        for target, side in ((then, True), (otherwise, False)):
            if source is branch.block and target is block:
                return side
            only_from_branch = self.flow.predecessors[target] == [branch.block]
            if target is not block and only_from_branch and self.flow.dominates(target, source):
                return side
        return None
