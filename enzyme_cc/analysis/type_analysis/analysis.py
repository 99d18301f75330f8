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

from ...ir.constants import ConstantInt, ConstantWord
from ...ir.module import Module
from ...ir.types import FloatType, IntType, PointerType, scalar, store_size
from ...ir.values import Function, Instruction, Value
from .constraints.addresses import is_address
from .evidence.collected_evidence import Portion, together
from .evidence.places import WORD, Evidence
from .evidence.registers import integer_parts, without_wide_arithmetic
from .evidence.stored_distances import StoredDistances
from .graph.graph_nodes import Node
from .kinds import FLOATS, Kind, Layout, Segment, Tag, scalar_tag
from .memory_contents import MemoryContents, are_told
from .number_flow import NumberFlow


class TypeAnalysis(MemoryContents):
    """The types of all bytes and integers of the given functions, which are analysed together.

    `roots`: names of functions that other code may call, too (None: all functions that no analysed function calls).
    `outside`: names of those that are not differentiated: they only ask for derivatives.
    """

    def __init__(
        self,
        module: Module,
        functions: Iterable[Function],
        roots: Iterable[str] | None = None,
        outside: Container[str] = (),
    ) -> None:
        super().__init__(module, functions, roots)
        self.number_flow = NumberFlow(self, self._program, self._moved, outside)
        self._kinds: dict[Value, tuple[tuple[int, int, Kind], ...]] = {}
        self._pointers: dict[Value, bool] = {}

    def forget(self) -> None:
        """Frees the memory of an analysis that is out of date. Its nodes refer to each other.

        The garbage collector is off in a link: it takes seconds for so much memory.
        """
        self._program.forget()
        self.__dict__.clear()

    def points_at_numbers(self, pointer: Value, size: int = 2 * WORD) -> bool:
        """Returns whether pointers among the first bytes at the pointer may lead to memory with numbers."""
        for place in self._places(pointer):
            for node, start in _objects_at(place.node.find(), place.offset):
                for offset, _, pointee in node.pointers():
                    if start <= offset < start + size and self._fields.cycles.kinds(pointee.find()) & FLOATS:
                        return True
        return False

    def may_be_floats(self, i: Instruction) -> bool:
        """Returns whether a double is loaded, without a declaration, where floats may lie at other times."""
        if i.opcode != "load" or self.value_kind(i) is not Kind.DOUBLE or self.declared_kind(i) is not None:
            return False
        return self.has_several_numbers(i.operands[0], store_size(i.type))

    def may_read_number(self, load: Instruction) -> bool:
        """Returns whether a load of a pointer may read a number.

        TBAA tells real pointers, and so does a place where nothing else lies.
        """
        if not isinstance(scalar(load.type), PointerType) or self.declared_kind(load) is Kind.POINTER:
            return False
        return self.is_mixed(load.operands[0], store_size(load.type))

    def may_be_distance(self, load: Instruction) -> bool:
        """Returns whether the integer may be a distance of two objects: a difference of pointers was stored there.

        Of functions that are not analysed, it is not known where they store. They cannot reach private memory.
        """
        names, is_private = self.names_at(load.operands[0]), self.is_private(load.operands[0])
        if any(not names.isdisjoint(self.names_at(store.operands[1])) for store in self._distances.stores):
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
        return is_address(value) or self.may_be_pointer(value)

    def loads_of(self, value: Value) -> Iterable[Instruction]:
        """Yields the loads, in any function, that the value may be the result of without any computation."""
        return self._moved.loads(value)

    def value_kind(self, value: Value) -> Kind:
        """Returns the kind of a scalar value; CONFLICT if its parts are of different kinds (see `value_parts`)."""
        element = scalar(value.type)
        if isinstance(element, PointerType):
            return Kind.POINTER
        tag = scalar_tag(element)
        if tag is not None and isinstance(element, FloatType):
            return tag.kind
        parts = self.value_parts(value)
        return parts[0][2] if len(parts) == 1 else Kind.CONFLICT

    def value_parts(self, value: Value) -> tuple[tuple[int, int, Kind], ...]:
        """Returns (bit offset, bits, kind) of each part of an integer, low bits first."""
        found = self._kinds.get(value)
        if found is None:
            found = self._kinds[value] = tuple(self._parts(value))
        return found

    def may_be_pointer(self, value: Value) -> bool:
        """Returns whether there is evidence that the integer carries a pointer, whatever other evidence there is."""
        found = self._pointers.get(value)
        if found is None:
            kind = self.value_kind(value)
            mixed = kind is Kind.CONFLICT and any(map(_is_pointer_at_0, self._evidence_of(value)))
            found = self._pointers[value] = kind is Kind.POINTER or mixed
        return found

    def may_be_number(self, value: Value) -> bool:
        """Returns whether there is evidence that the integer carries numbers, whatever other evidence there is."""
        size = value.type.bits // 8 if isinstance(value.type, IntType) else 0
        tags = [(i.offset, i.tag) for i in self._evidence_of(value) if isinstance(i.tag, Tag)]
        return any(tag.kind in FLOATS and -tag.size < offset < size for offset, tag in tags)

    def _evidence_of(self, value: Value) -> Iterable[Evidence]:
        registers = [i.registers[value].find() for i in self._instances(value) if value in i.registers]
        return (item for r in dict.fromkeys(registers) for item in self._in_register(r).portion(Portion.CARRIED))

    def _parts(self, value: Value) -> list[tuple[int, int, Kind]]:
        type_ = value.type
        if not isinstance(type_, IntType):
            return [(0, 0, self.value_kind(value))]
        if isinstance(value, ConstantWord) or (isinstance(value, ConstantInt) and value.value == 0):
            return [(0, type_.bits, Kind.ANYTHING)]
        registers = [i.registers[value].find() for i in self._instances(value) if value in i.registers]
        if type_.bits < 8 or type_.bits % 8 or not registers:
            return [(0, type_.bits, Kind.INTEGER)]
        found = together([self._in_register(r) for r in dict.fromkeys(registers)])
        return integer_parts(without_wide_arithmetic(found), type_.bits)


def _is_pointer_at_0(item: Evidence) -> bool:
    return isinstance(item.tag, Tag) and item.tag.kind is Kind.POINTER and item.offset == 0


__all__ = ["FLOATS", "Kind", "Layout", "Segment", "TypeAnalysis", "are_told"]


def _objects_at(node: Node, offset: int) -> Iterator[tuple[Node, int]]:
    """Yields the node and the objects that it is a view of at fixed places, with the offset in each."""
    yield node, offset
    for edge in node.views():
        if not edge.src_stride and not edge.dst_stride:
            yield edge.target.find(), offset - edge.src + edge.dst
