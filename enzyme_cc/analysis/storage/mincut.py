"""Minimum vertex cut by maximum flow (Dinic 1970)."""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Iterable, Mapping
from typing import TypeVar

from ...ir.graphs import reachable

N = TypeVar("N", bound=Hashable)
INFINITE = 1 << 60


class _Network:
    def __init__(self, nodes: int) -> None:
        self.edges: list[list[int]] = [[] for _ in range(nodes)]
        self.head: list[int] = []
        self.capacity: list[int] = []

    def connect(self, a: int, b: int, capacity: int) -> None:
        self.edges[a].append(len(self.head))
        self.head.append(b)
        self.capacity.append(capacity)
        self.edges[b].append(len(self.head))
        self.head.append(a)
        self.capacity.append(0)

    def levels(self, source: int) -> list[int]:
        level = [-1] * len(self.edges)
        level[source] = 0
        queue = deque([source])
        while queue:
            a = queue.popleft()
            for e in self.edges[a]:
                b = self.head[e]
                if level[b] < 0 and self.capacity[e] > 0:
                    level[b] = level[a] + 1
                    queue.append(b)
        return level

    def saturate(self, source: int, sink: int) -> None:
        while True:
            level = self.levels(source)
            if level[sink] < 0:
                return
            self._blocking_flow(source, sink, level)

    def _blocking_flow(self, source: int, sink: int, level: list[int]) -> None:
        position = [0] * len(self.edges)
        path: list[int] = []
        node = source
        while True:
            if node == sink:
                pushed = min(self.capacity[e] for e in path)
                for e in path:
                    self.capacity[e] -= pushed
                    self.capacity[e ^ 1] += pushed
                first = next(i for i, e in enumerate(path) if self.capacity[e] == 0)
                del path[first:]
                node = self.head[path[-1]] if path else source
                continue
            edges = self.edges[node]
            while position[node] < len(edges):
                e = edges[position[node]]
                if self.capacity[e] > 0 and level[self.head[e]] == level[node] + 1:
                    break
                position[node] += 1
            else:
                if not path:
                    return
                level[node] = -1
                node = self.head[path.pop() ^ 1]
                continue
            path.append(e)
            node = self.head[e]


def minimum_vertex_cut(inputs: Mapping[N, Iterable[N] | None], cost: Mapping[N, int], wanted: Iterable[N]) -> set[N]:
    """Returns the cheapest set of nodes to store, so that each wanted node is stored or computable from stored ones.

    `inputs` maps a node to the nodes that it is computed from, or to None if it can only be stored. `cost` maps a node
    to the cost of storing it. Among cuts of equal cost, the one nearest to the wanted nodes is returned.
    """
    index = {node: i for i, node in enumerate(inputs)}
    source, sink = 2 * len(index), 2 * len(index) + 1
    network = _Network(2 * len(index) + 2)
    for node, i in index.items():
        network.connect(2 * i, 2 * i + 1, cost[node])
        given = inputs[node]
        if given is None:
            network.connect(source, 2 * i, INFINITE)
            continue
        for other in given:
            network.connect(2 * index[other] + 1, 2 * i, INFINITE)
    for node in wanted:
        network.connect(2 * index[node] + 1, sink, INFINITE)
    network.saturate(source, sink)
    # a node is two, with an edge between them: it is cut if only its second half still reaches the sink
    reaches = _reaching(network, sink)
    return {node for node, i in index.items() if reaches[2 * i + 1] and not reaches[2 * i]}


def _reaching(network: _Network, sink: int) -> list[bool]:
    found = set(reachable([sink], lambda b: [network.head[e] for e in network.edges[b] if network.capacity[e ^ 1] > 0]))
    return [node in found for node in range(len(network.edges))]
