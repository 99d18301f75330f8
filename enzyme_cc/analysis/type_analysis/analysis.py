"""Type analysis: what is at each byte behind each pointer, and what integers carry.

It is interprocedural and flow-insensitive, over LLVM IR with opaque pointers. It is given all functions that take part.
It answers by bytes: the layout behind a pointer, the kind of a value. If it cannot tell, it says so; it never guesses.

The stages, each a folder:

1. declared/: what TBAA, LLVM types and debug information say;
2. constraints/: what instructions say. A function is analysed once for each call of it while it is small;
3. graph/: facts spread along the edges of a points-to graph;
4. evidence/: the evidence about the bytes of a query is collected and weighed.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from functools import cached_property

from ...ir.module import Module
from ...ir.types import PointerType, scalar, store_size
from ...ir.values import Function, Instruction, Value
from ..pointed_functions import PointedFunctions
from .constraints.addresses import is_address
from .constraints.program import Program
from .constraints.reach import Reach
from .constraints.solution import solve
from .contents import POINTERS_LOOKED_AT, Contents, are_tagged
from .copied_memory import CopiedMemory
from .declared_accesses import DeclaredAccesses
from .evidence.stored_distances import StoredDistances
from .kinds import FLOATS, Kind, Layout, Segment
from .memory_evidence import MemoryEvidence
from .number_flow import NumberFlow
from .points_to import PointsTo
from .value_kinds import ValueKinds


class TypeAnalysis:
    """The types of all bytes and integers of the given functions, which are analysed together.

    `roots`: names of functions that other code may call, too (None: all functions that no analysed function calls).
    `outside`: names of those that are not differentiated: they only ask for derivatives.
    `pointed`: the functions that calls through pointers may reach (None: as the module tells).

    - `contents(pointer, size)`: what memory holds;
    - `values`: what values in registers carry;
    - `declared`: what loads, stores and copies declare;
    - `points_to`, `reach`: what points where, and what other code can reach;
    - `number_flow`: which integers become numbers.
    """

    def __init__(
        self,
        module: Module,
        functions: Iterable[Function],
        roots: Iterable[str] | None = None,
        outside: Container[str] = (),
        pointed: PointedFunctions | None = None,
    ) -> None:
        program = self._program = Program(module, functions, roots, pointed)
        self._moved = program.moved_words
        solve(program)
        self.points_to = PointsTo(program)
        self.declared = DeclaredAccesses(program)
        self.reach = Reach(program, self.points_to.nodes)
        evidence = self.evidence = MemoryEvidence(self.points_to)
        self.values = ValueKinds(evidence)
        self._contents: dict[tuple[Value, int | None], Contents] = {}
        self._copied = CopiedMemory(program.functions.values(), evidence, self.declared, self.contents_of)
        self.number_flow = NumberFlow(program, self._moved, self.points_to, self.declared, self.contents, outside)

    def contents(self, pointer: Value, size: int | None) -> Contents:
        """Returns what so many bytes (None: an unknown number) at the pointer hold."""
        found = self._contents.get((pointer, size))
        if found is None:
            found = self._contents[pointer, size] = Contents(self.evidence, self._copied, (pointer,), size)
        return found

    def contents_of(self, pointers: Iterable[Value], size: int | None) -> Contents:
        """Returns what so many bytes hold at each of the pointers."""
        return Contents(self.evidence, self._copied, tuple(pointers), size)

    @property
    def work(self) -> int:
        """How many facts were carried along edges, and how many fields queries have visited so far."""
        return self._program.graph.carried + self.evidence.fields.visited

    def instructions(self) -> Iterator[Instruction]:
        """Yields the instructions of all analysed functions."""
        return (i for function in self._program.functions.values() for i in function.instructions())

    def forget(self) -> None:
        """Frees the memory of an analysis that is out of date. Its nodes refer to each other.

        The garbage collector is off in a link: it takes seconds for so much memory.
        """
        self._program.forget()
        self.__dict__.clear()

    def may_be_floats(self, i: Instruction) -> bool:
        """Returns whether a double is loaded, without a declaration, where floats may lie at other times."""
        if i.opcode != "load" or self.values.kind(i) is not Kind.DOUBLE or self.declared.kind(i) is not None:
            return False
        return self.contents(i.operands[0], store_size(i.type)).has_several_numbers

    def may_read_number(self, load: Instruction) -> bool:
        """Returns whether a load of a pointer may read a number.

        TBAA tells real pointers, and so does a place where nothing else lies.
        """
        if not isinstance(scalar(load.type), PointerType) or self.declared.kind(load) is Kind.POINTER:
            return False
        return self.contents(load.operands[0], store_size(load.type)).is_mixed

    def may_be_distance(self, load: Instruction) -> bool:
        """Returns whether the integer may be a distance of two objects: a difference of pointers was stored there.

        Of functions that are not analysed, it is not known where they store. They cannot reach private memory.
        """
        points_to = self.points_to
        names, is_private = points_to.names_at(load.operands[0]), points_to.is_private(load.operands[0])
        if any(not names.isdisjoint(points_to.names_at(store.operands[1])) for store in self._distances.stores):
            return True
        return not is_private and bool(self._distances_elsewhere.stores)

    @cached_property
    def _distances(self) -> StoredDistances:
        return StoredDistances(self._program.functions.values(), self._may_be_address)

    @cached_property
    def _distances_elsewhere(self) -> StoredDistances:
        functions = self._program.module.functions
        others = (functions[name] for name in functions if name not in self._program.functions)
        return StoredDistances((f for f in others if not f.is_declaration), is_address)

    def _may_be_address(self, value: Value) -> bool:
        return is_address(value) or self.values.may_be_pointer(value)

    def loads_of(self, value: Value) -> Iterable[Instruction]:
        """Yields the loads, in any function, that the value may be the result of without any computation."""
        return self._moved.loads(value)


__all__ = ["FLOATS", "POINTERS_LOOKED_AT", "Contents", "Kind", "Layout", "Segment", "TypeAnalysis", "are_tagged"]
