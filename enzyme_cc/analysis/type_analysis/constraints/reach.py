"""From where memory is reached: from an argument that other code passes, or from a global."""

from __future__ import annotations

from collections.abc import Callable
from enum import Flag, auto
from functools import cached_property

from ....ir.graphs import reachable, strongly_connected
from ....ir.values import Value
from ..graph.graph_nodes import Node
from .program import Program


class ReachedFrom(Flag):
    """Memory is an argument that other code passes, or behind one, or behind a global. It may be all of these."""

    ARGUMENT = auto()
    BEHIND_ARGUMENT = auto()
    BEHIND_GLOBAL = auto()


_NOWHERE = ReachedFrom(0)


class Reach:
    """Answers about a solved graph. Each is found once for all nodes of a component of views.

    `nodes_at` returns what a pointer may point at, as views.
    """

    def __init__(self, program: Program, nodes_at: Callable[[Value], list[Node]]) -> None:
        self._program = program
        #: those that the functions mention: questions about others make nodes later
        self._variables = list(program.variables())
        self._nodes_at = nodes_at
        self._found: dict[Node, ReachedFrom] = {}

    def is_passed(self, pointer: Value) -> bool:
        """Returns whether what the pointer points at may be reached from an argument that other code passes."""
        return ReachedFrom.BEHIND_ARGUMENT in self._at(pointer)

    def is_argument(self, pointer: Value) -> bool:
        """Returns whether such an argument itself may point there."""
        return ReachedFrom.ARGUMENT in self._at(pointer)

    def globals_at(self, pointer: Value) -> list[str]:
        """Returns the names of the globals that the pointer may point into."""
        if ReachedFrom.BEHIND_GLOBAL not in self._at(pointer):
            return []
        views = set(reachable(self._nodes_at(pointer), Node.viewed))
        return [name for name, node in self._variables if node.find() in views]

    @cached_property
    def mixes_globals(self) -> bool:
        """True if some pointer may lead to memory behind an argument and to memory behind a global."""
        both = ReachedFrom.BEHIND_ARGUMENT | ReachedFrom.BEHIND_GLOBAL
        instructions = (i for function in self._program.functions.values() for i in function.instructions())
        return any(i.opcode == "store" and both in self._at(i.operands[1]) for i in instructions)

    def _at(self, pointer: Value) -> ReachedFrom:
        found = _NOWHERE
        for node in self._nodes_at(pointer):
            found |= self._of(node)
        return found

    def _of(self, node: Node) -> ReachedFrom:
        for members in strongly_connected(node, Node.viewed, self._found):
            found = _NOWHERE
            for member in members:
                found |= self._own.get(member, _NOWHERE)
                for view in member.viewed():
                    found |= self._found.get(view, _NOWHERE)  # others: members
            self._found.update(dict.fromkeys(members, found))
        return self._found[node]

    @cached_property
    def _own(self) -> dict[Node, ReachedFrom]:
        arguments = self._program.passed_arguments()
        variables = [node.find() for _, node in self._variables]
        found: dict[Node, ReachedFrom] = {}
        for where, nodes in (
            (ReachedFrom.ARGUMENT, reachable(arguments, Node.viewed)),
            (ReachedFrom.BEHIND_ARGUMENT, reachable(arguments, Node.reached)),
            (ReachedFrom.BEHIND_GLOBAL, reachable(variables, Node.reached)),
        ):
            for node in nodes:
                found[node] = found.get(node, _NOWHERE) | where
        return found
