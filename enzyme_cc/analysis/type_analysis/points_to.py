"""What points where, as the solved graph says: places and objects behind pointers, and which of them may overlap."""

from __future__ import annotations

from ...ir.constants import Constant
from ...ir.graphs import strongly_connected
from ...ir.values import Value
from .constraints.program import Program
from .graph.graph_nodes import Handle, Node


class PointsTo:
    """Answers about a solved program. Objects have numbers; 0 stands for all external ones."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._objects: dict[Node, frozenset[int]] = {}
        self._alike: dict[frozenset[int], frozenset[int]] = {}  # one set for all nodes with the same objects
        self._targets: dict[Value, frozenset[int] | None] = {}
        self._of_several: dict[frozenset[Node], frozenset[int]] = {}
        self._numbers: dict[Node, int] = {}
        self._names: dict[frozenset[Node], frozenset[Node | int]] = {}
        self._names_at: dict[Value, frozenset[Node | int]] = {}

    def places(self, pointer: Value) -> list[Handle]:
        """Returns where the pointer points, in all contexts."""
        if isinstance(pointer, Constant):
            handles = [self.program.constant_handle(pointer)]
        else:
            handles = [instance.values.get(pointer) for instance in self.program.instances_of(pointer)]
        return [handle for handle in handles if handle is not None]

    def nodes(self, pointer: Value) -> list[Node]:
        return [place.node.find() for place in self.places(pointer)]

    def registers(self, value: Value) -> list[Node]:
        """Returns the nodes of an integer in a register."""
        found = (i.registers[value].find() for i in self.program.instances_of(value) if value in i.registers)
        return list(dict.fromkeys(found))

    def targets(self, pointer: Value) -> frozenset[int] | None:
        """Returns the numbers of the objects that the pointer may point into.

        Returns None if the pointer was not analysed. Two pointers whose sets have no common number never alias.
        """
        if pointer not in self._targets:
            self._targets[pointer] = self._found_targets(pointer)
        return self._targets[pointer]

    def _found_targets(self, pointer: Value) -> frozenset[int] | None:
        if isinstance(pointer, Constant):
            handle = self.program.constant_handle(pointer)
            return frozenset() if handle is None else self._objects_of(handle.node.find())
        instances = self.program.instances_of(pointer)
        if not instances or not all(pointer in instance.values for instance in instances):
            return None
        handles = [instance.values[pointer] for instance in instances]
        return self._objects_of_all(frozenset(h.node.find() for h in handles if h is not None))

    def _objects_of_all(self, nodes: frozenset[Node]) -> frozenset[int]:
        """Returns the objects of several nodes, in one set for all that have the same."""
        found = self._of_several.get(nodes)
        if found is None:
            union = frozenset().union(*map(self._objects_of, nodes))
            found = self._of_several[nodes] = self._alike.setdefault(union, union)
        return found

    def may_overlap(self, a: Value, b: Value) -> bool:
        """Returns whether the two pointers may point into the same object."""
        first, second = self.targets(a), self.targets(b)
        return first is None or second is None or not first.isdisjoint(second)

    def is_private(self, pointer: Value) -> bool:
        """Returns whether only analysed code may access what the pointer points at. That code also made it."""
        targets = self.targets(pointer)
        return targets is not None and 0 not in targets

    def names_at(self, pointer: Value) -> frozenset[Node | int]:
        """Returns names of the memory that the pointer may point at. Pointers without a common name do not overlap.

        It is one set for all pointers to the same nodes: that of an allocator may be as large as the program.
        """
        found = self._names_at.get(pointer)
        if found is None:
            nodes = frozenset(self.nodes(pointer))
            found = self._names.get(nodes)
            if found is None:
                numbers = (number for node in nodes for number in self._objects_of(node) if number)
                found = self._names[nodes] = frozenset([*nodes, *numbers])
            self._names_at[pointer] = found
        return found

    def _objects_of(self, node: Node) -> frozenset[int]:
        """Returns the objects that a node is a view of, and the external nodes on the paths to them, by number."""
        for members in strongly_connected(node, Node.viewed, self._objects):
            viewed = {after for member in members for after in member.viewed()}
            own = [self._number(m) for m in members if m.external or not m.viewed()]
            further = {self._objects[after] for after in viewed if after in self._objects}  # others: members
            found = frozenset(own).union(*further)
            self._objects.update(dict.fromkeys(members, self._alike.setdefault(found, found)))
        return self._objects[node]

    def _number(self, node: Node) -> int:
        return 0 if node.external else self._numbers.setdefault(node, len(self._numbers) + 1)
