"""Pointers that loops move from one array to another: the arrays may be whole structs that are copied word by word."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from ....ir.constants import Constant
from ....ir.graphs import strongly_connected
from ....ir.types import PointerType
from ....ir.values import Instruction, Value
from ..graph.graph_nodes import Edge, Handle, Node
from .program import Program


class MovedElements:
    """Enters into the graph which arrays pointers are moved between."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._entered: set[Handle] = set()
        self._walked: dict[Node, bool] = {}  # as the graph is now, for all nodes that were met

    def enter(self) -> bool:
        """Enters what is not entered yet. Returns whether there was anything."""
        self._walked.clear()
        found = (h._replace(node=h.node.find()) for load, store in self._pairs for h in self._handles(load, store))
        new = [handle for handle in dict.fromkeys(found) if handle not in self._entered]
        self._entered.update(new)
        for handle in new:
            self._program.graph.moves(handle)
        return bool(new)

    @cached_property
    def _pairs(self) -> list[tuple[Instruction, Instruction]]:
        """The loads and stores with addresses that vary, where what is loaded is stored."""
        stores = (i for f in self._program.functions.values() for i in f.instructions() if i.opcode == "store")
        moving = (s for s in stores if isinstance(s.operands[0].type, PointerType) and _may_vary(s.operands[1]))
        loads = self._program.moved_words.loads
        return [(load, s) for s in moving for load in loads(s.operands[0]) if _may_vary(load.operands[0])]

    def _handles(self, load: Instruction, store: Instruction) -> list[Handle]:
        """Returns the places of both, if both may be elements of arrays."""
        from_, to = list(self._elements(load.operands[0])), list(self._elements(store.operands[1]))
        return [*from_, *to] if from_ and to else []

    def _elements(self, pointer: Value) -> Iterator[Handle]:
        for instance in self._program.instances_of(pointer):
            handle = instance.values.get(pointer)
            if handle is not None and (handle.stride or self._is_walked(handle.node.find())):
                yield handle

    def _is_walked(self, start: Node) -> bool:
        """Returns whether a pointer there may be to any element of an array."""
        for members in strongly_connected(start, Node.viewed, self._walked):
            is_walked = any(_leads_on(node, edge) for node in members for edge in node.views())
            viewed = (after for node in members for after in node.viewed())
            is_walked = is_walked or any(self._walked.get(after, False) for after in viewed)  # others: members
            self._walked.update(dict.fromkeys(members, is_walked))
        return self._walked[start]


def _may_vary(pointer: Value) -> bool:
    return not isinstance(pointer, Constant)


def _leads_on(node: Node, edge: Edge) -> bool:
    return bool(edge.dst_stride) or (edge.target.find() is node and edge.dst != 0)
