"""Control-flow facts of one function: orders, dominators, natural loops, irreducible regions."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from msgspec import Struct, field

from .graphs import Dominators, reachable, reverse_postorder_from
from .values import Block, Function


def reverse_postorder(entry: Block) -> list[Block]:
    """Returns the blocks that can be reached from the entry, each before its successors except along back edges."""
    return reverse_postorder_from(entry, lambda block: block.successors)


class Loop(Struct, eq=False, dict=True):
    """A natural loop: `blocks` hold the header and all blocks that reach a latch without leaving it."""

    header: Block
    latches: list[Block]
    blocks: set[Block]
    parent: Loop | None = None
    depth: int = 1
    children: list[Loop] = field(default_factory=list)

    @property
    def entering(self) -> list[Block]:
        """Predecessors of the header from outside."""
        return [p for p in self.header.predecessors if p not in self.blocks]

    @cached_property
    def exit_edges(self) -> list[tuple[Block, Block]]:
        """(block inside, block outside)"""
        inside = [b for b in self.blocks_in_order if any(s not in self.blocks for s in b.successors)]
        return [(b, s) for b in inside for s in b.successors if s not in self.blocks]

    @property
    def blocks_in_order(self) -> list[Block]:
        function = self.header.function
        assert function is not None
        return [b for b in function.blocks if b in self.blocks]

    def __repr__(self) -> str:
        return f"<loop at %{self.header.name}>"


class ControlFlow:
    """Dominators and loops of a function, computed once; stale after the function's blocks change."""

    def __init__(self, function: Function) -> None:
        self.function = function
        self.order = reverse_postorder(function.entry)
        self.number = {block: i for i, block in enumerate(self.order)}
        self.predecessors = {block: [p for p in block.predecessors if p in self.number] for block in self.order}
        self.idom = Dominators(self.order, self.predecessors).idom
        self._enter, self._leave = self._dominator_intervals()
        self.loops: list[Loop] = []  # outer before inner
        self.loop_of: dict[Block, Loop | None] = dict.fromkeys(self.order)
        self._find_loops()

    def _dominator_intervals(self) -> tuple[dict[Block, int], dict[Block, int]]:
        children: dict[Block, list[Block]] = {block: [] for block in self.order}
        for block in self.order[1:]:
            children[self.idom[block]].append(block)
        enter: dict[Block, int] = {}
        leave: dict[Block, int] = {}
        clock = 0
        stack = [(self.order[0], False)]
        while stack:
            block, done = stack.pop()
            clock += 1
            if done:
                leave[block] = clock
                continue
            enter[block] = clock
            stack.append((block, True))
            stack.extend((child, False) for child in children[block])
        return enter, leave

    def dominates(self, a: Block, b: Block) -> bool:
        """True if every path from the entry to b passes through a. A block dominates itself."""
        return self._enter[a] <= self._enter[b] and self._leave[b] <= self._leave[a]

    def _find_loops(self) -> None:
        for header in reversed(self.order):
            latches = [p for p in self.predecessors[header] if self.dominates(header, p)]
            if latches:
                self.loops.append(Loop(header, latches, self._loop_body(header, latches)))
        # headers in reverse postorder: an outer loop's header comes before an inner one's
        self.loops.sort(key=lambda loop: self.number[loop.header])
        for loop in self.loops:
            loop.parent = self.loop_of[loop.header]
            if loop.parent is not None:
                loop.depth = loop.parent.depth + 1
                loop.parent.children.append(loop)
            for block in loop.blocks:
                self.loop_of[block] = loop

    def _loop_body(self, header: Block, latches: list[Block]) -> set[Block]:
        return {header, *reachable(latches, lambda b: self.predecessors[b] if b is not header else ())}

    def loops_around(self, block: Block) -> list[Loop]:
        """Returns the loops that hold the block, innermost first."""
        out, loop = [], self.loop_of[block]
        while loop is not None:
            out.append(loop)
            loop = loop.parent
        return out

    def retreating_edges(self) -> list[tuple[Block, Block]]:
        """Returns the edges that go back in reverse postorder to a target that does not dominate the source.

        There are none if and only if the function's control flow is reducible.
        """
        return [
            (block, successor)
            for block in self.order
            for successor in block.successors
            if self.number[successor] <= self.number[block] and not self.dominates(successor, block)
        ]

    def reaching(self, targets: Iterable[Block]) -> set[Block]:
        """Returns the blocks from which a path of zero or more edges leads to one of the targets."""
        return set(reachable(targets, self.predecessors.__getitem__))
