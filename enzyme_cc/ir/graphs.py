"""Algorithms on graphs of any kind of nodes: what can be reached, orders, components, dominators.

A graph is given by a function from a node to its successors. All orders are those of the successors, so that results
are the same in every run.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Hashable, Iterable, Iterator, Mapping, MutableMapping, Sequence
from functools import reduce
from typing import Generic, TypeVar

N = TypeVar("N", bound=Hashable)


def reachable(starts: Iterable[N], successors: Callable[[N], Iterable[N]]) -> Iterator[N]:
    """Yields the start nodes and all nodes that can be reached from them, each once, depth first.

    The last successor of a node comes first. The successors of a node are asked for after it has been yielded: a
    caller that has found what it searches can stop, and may change the graph behind the node it was given.
    `successors` leaves out nodes that are not to be visited.
    """
    seen: set[N] = set()
    work = list(starts)
    while work:
        node = work.pop()
        if node not in seen:
            seen.add(node)
            yield node
            work.extend(successors(node))


def leads_to(
    start: N, successors: Callable[[N], Iterable[N]], is_end: Callable[[N], bool], known: MutableMapping[N, bool]
) -> bool:
    """Returns whether a node for which `is_end` is true can be reached from the start. `known` keeps the answers.

    No node is asked about twice: the answer is also that of all nodes on the way to such a node.
    """
    came_from: dict[N, N] = {}

    def following(node: N) -> Iterator[N]:
        for after in () if node in known else successors(node):
            came_from.setdefault(after, node)
            yield after

    passed: list[N] = []
    for node in reachable([start], following):
        if known[node] if node in known else is_end(node):
            known[node] = True
            while node != start:
                node = came_from[node]
                known[node] = True
            return True
        passed.append(node)
    known.update(dict.fromkeys(passed, False))
    return False


def reverse_postorder_from(entry: N, successors: Callable[[N], Iterable[N]]) -> list[N]:
    """Returns the nodes that can be reached from the entry, each before its successors except along back edges."""
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


def strongly_connected(root: N, successors: Callable[[N], Iterable[N]], done: Container[N]) -> Iterator[list[N]]:
    """Yields the strongly connected components that can be reached from the root, each after those that it leads to.

    The members of a component are in order of discovery. Nodes in `done` are passed over. The caller puts the members
    of each component into `done` before it asks for the next one.

    Tarjan, Depth-First Search and Linear Graph Algorithms (1972), with a stack in place of recursion.
    """
    if root in done:
        return
    number = {root: 0}
    low = {root: 0}
    open_ = [root]
    stack = [(root, iter(successors(root)))]
    while stack:
        node, following = stack[-1]
        for successor in following:
            if successor in done:
                continue
            if successor not in number:
                number[successor] = low[successor] = len(number)
                open_.append(successor)
                stack.append((successor, iter(successors(successor))))
                break
            low[node] = min(low[node], number[successor])
        else:
            stack.pop()
            if stack:
                above = stack[-1][0]
                low[above] = min(low[above], low[node])
            if low[node] == number[node]:
                members = [open_.pop()]
                while members[-1] is not node:
                    members.append(open_.pop())
                yield members[::-1]


class Dominators(Generic[N]):
    """The dominator tree of a graph whose nodes are given in reverse postorder, the entry first.

    Cooper, Harvey and Kennedy, A Simple, Fast Dominance Algorithm (2001).
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
        """Returns the nearest node that dominates both."""
        while a is not b:
            if self.number[a] > self.number[b]:
                a = self.idom[a]
            else:
                b = self.idom[b]
        return a
