"""Control-flow facts of one function: orders, dominators, natural loops, irreducible regions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, reduce
from typing import Generic, TypeVar

from .values import Block, Function

N = TypeVar("N")


def reverse_postorder(entry: Block) -> list[Block]:
    """Blocks reachable from entry, each before its successors but for back edges."""
    return graph_order(entry, lambda block: block.successors)


def graph_order(entry: N, successors: Callable[[N], Iterable[N]]) -> list[N]:
    """The same of any graph."""
    order: list[N] = []
    seen = {entry}
    stack = [(entry, iter(successors(entry)))]
    while stack:
        node, following = stack[-1]
        for successor in following:
            if successor not in seen:
                seen.add(successor)
                stack.append((successor, iter(successors(successor))))
                break
        else:
            stack.pop()
            order.append(node)
    order.reverse()
    return order


class Dominators(Generic[N]):
    """The dominator tree of a graph whose nodes are given in reverse postorder, the entry first.

    After Cooper, Harvey and Kennedy, A Simple, Fast Dominance Algorithm (2001).
    """

    def __init__(self, order: Sequence[N], predecessors: Mapping[N, Sequence[N]]) -> None:
        self.number = {node: i for i, node in enumerate(order)}
        self.idom = {order[0]: order[0]}
        changed = True
        while changed:
            changed = False
            for node in order[1:]:
                known = [p for p in predecessors[node] if p in self.idom]
                new = reduce(self.common, known)
                if node not in self.idom or self.idom[node] is not new:
                    self.idom[node] = new
                    changed = True

    def common(self, a: N, b: N) -> N:
        """The nearest node that dominates both."""
        while a is not b:
            if self.number[a] > self.number[b]:
                a = self.idom[a]
            else:
                b = self.idom[b]
        return a


@dataclass(eq=False)
class Loop:
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
        """Whether every path from the entry to b goes through a (a block dominates itself)."""
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
        body = {header}
        work = [b for b in latches if b is not header]
        while work:
            block = work.pop()
            if block not in body:
                body.add(block)
                work.extend(self.predecessors[block])
        return body

    def loops_around(self, block: Block) -> list[Loop]:
        """The loops that hold the block, innermost first."""
        out, loop = [], self.loop_of[block]
        while loop is not None:
            out.append(loop)
            loop = loop.parent
        return out

    def retreating_edges(self) -> list[tuple[Block, Block]]:
        """Edges to a block not later in reverse postorder whose target does not dominate its source.

        There are none exactly when the function's control flow is reducible.
        """
        return [
            (block, successor)
            for block in self.order
            for successor in block.successors
            if self.number[successor] <= self.number[block] and not self.dominates(successor, block)
        ]

    def reaching(self, targets: Iterable[Block]) -> set[Block]:
        """Blocks from which a path of at least zero edges leads to one of the targets."""
        return closure(targets, self.predecessors.__getitem__)


def closure(starts: Iterable[Block], following: Callable[[Block], Iterable[Block]]) -> set[Block]:
    """The blocks, those that follow them, those that follow these, …"""
    seen: set[Block] = set()
    work = list(starts)
    while work:
        block = work.pop()
        if block not in seen:
            seen.add(block)
            work.extend(following(block))
    return seen
