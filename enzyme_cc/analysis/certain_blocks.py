"""Blocks that every complete run of a function passes, if loops count as entered."""

from __future__ import annotations

from collections.abc import Iterator

from ..ir.cfg import ControlFlow, Loop
from ..ir.graphs import Dominators, reverse_postorder_from
from ..ir.values import Block

#: None is behind all returns
_Node = Block | None
_Edges = dict[_Node, list[_Node]]


def certain_blocks(flow: ControlFlow) -> frozenset[Block]:
    """Returns the blocks on all paths from the entry to a return. Paths that end otherwise do not count.

    A loop counts as entered: its guard, or the test in its header, is no condition. These blocks postdominate the entry
    of the graph without the edges that pass loops by.
    """
    following: _Edges = {block: list(block.successors) for block in flow.order}
    for loop in flow.loops:
        _enter(loop, following)
    for block in flow.order:
        if block.terminator.opcode == "ret":
            following[block] = [None]
    before: _Edges = {node: [] for node in (*flow.order, None)}
    for node, successors in following.items():
        for successor in successors:
            before[successor].append(node)
    order = reverse_postorder_from(None, before.__getitem__)
    reached = set(order)
    if flow.function.entry not in reached:
        return frozenset()
    tree = Dominators(order, {node: [s for s in following.get(node, ()) if s in reached] for node in order})
    return frozenset(_up(tree, flow.function.entry))


def _up(tree: Dominators[_Node], node: _Node) -> Iterator[Block]:
    while node is not None:
        yield node
        node = tree.idom[node]


def _enter(loop: Loop, following: _Edges) -> None:
    """Removes the edges by which a path passes a loop by, or leaves it before its first round."""
    outside = [s for block, s in loop.exit_edges if block is loop.header]
    if outside and loop.latches != [loop.header]:
        following[loop.header] = [s for s in following[loop.header] if s in loop.blocks]
        for latch in loop.latches:
            following[latch] += outside
    joins = {s for _, left in loop.exit_edges for s in (left, *(left.successors if len(left.successors) == 1 else ()))}
    for guard in map(_above, loop.entering):
        following[guard] = [s for s in following[guard] if s not in joins] or following[guard]


def _above(block: Block) -> Block:
    """Returns the nearest block above with a branch, if only straight paths lead here from there."""
    while len(block.successors) == 1 and len(block.predecessors) == 1:
        block = block.predecessors[0]
    return block
