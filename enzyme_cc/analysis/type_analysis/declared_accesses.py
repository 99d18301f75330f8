"""What loads, stores and copies themselves declare of the bytes that they access (TBAA)."""

from __future__ import annotations

from collections.abc import Iterable

from ...ir.instructions import ACCESSES
from ...ir.types import FloatType, IntType, PointerType, Type, scalar, store_size
from ...ir.values import Argument, Instruction, Value
from .constraints.program import Program
from .declared.source_paths import SourcePaths
from .kinds import Kind, Layout, Segment, Tag


class DeclaredAccesses:
    """Declarations at the accesses of a program."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._tbaa = program.tbaa
        self._paths = SourcePaths(program.debug_types)

    def kind(self, load: Instruction) -> Kind | None:
        """Returns what TBAA declares that the loaded value is. Members of unions have no such declaration.

        flang has one tag for integers and pointers in descriptors: a pointer with a tag of integers is a pointer.
        """
        return self.kind_of(load, load.type)

    def kind_of(self, access: Instruction, type_: Type) -> Kind | None:
        """Returns the same of a load or store of a value of the type."""
        declared = self._tbaa.scalar_access(access, store_size(type_))
        if declared is not None and declared.kind is Kind.INTEGER and isinstance(scalar(type_), PointerType):
            return Kind.POINTER
        return declared.kind if declared is not None else None

    def is_number(self, load: Instruction) -> bool:
        """Returns whether TBAA declares that the loaded value is a number and no pointer.

        flang only tells variables from descriptors: a double may be two floats (EQUIVALENCE).
        """
        if not isinstance(load.type, FloatType):
            return False
        return self.kind(load) is not None or self._tbaa.is_fortran_data(load)

    def is_integer(self, i: Instruction) -> bool:
        """Returns whether `!tbaa` declares an integer where an instruction loads or stores."""
        type_ = i.operands[0].type if i.opcode == "store" else i.type
        declared = self._tbaa.scalar_access(i, store_size(type_) if isinstance(type_, IntType) else 0)
        return declared is not None and declared.kind is Kind.INTEGER

    def is_descriptor_member(self, i: Instruction) -> bool:
        """Returns whether `!tbaa` declares a member of an array descriptor of Fortran: no number lies there."""
        return self._tbaa.is_descriptor_member(i)

    def is_byte_member(self, access: Instruction) -> bool:
        """Returns whether a load or store is declared to be one of a struct's member, a character or byte."""
        return self._tbaa.is_byte_member(access)

    def is_integer_member(self, access: Instruction) -> bool:
        """Returns whether a load or store is declared to be one of a struct's member, an integer."""
        return self._tbaa.is_integer_member(access)

    def is_member(self, i: Instruction) -> bool:
        """Returns whether `!tbaa` declares that the access is to a member of a struct, not of a union."""
        return self._tbaa.is_member(i)

    def member(self, access: Instruction) -> tuple[str, int] | None:
        """Returns the name of the struct that a load or store accesses a member of, and the member's offset."""
        tag = self._tbaa.tag_of(access) if self.is_member(access) else None
        return (self._tbaa.type(tag.base).name, tag.offset) if tag is not None else None

    def name_of_read(self, load: Instruction) -> str | None:
        """Returns what a load reads as the source writes it: `p->next->data`; else the member, `node::data`."""
        path = self._paths.of(load)
        if path is not None:
            return path
        found = self.member(load)
        return self._program.debug_types.member(*found) if found is not None else None

    def points_at_integer_member(self, pointer: Value) -> bool:
        """Returns whether an access by this very pointer is declared to be one of a struct's member, an integer."""
        if not isinstance(pointer, Instruction):
            return False
        accesses = (u for u in pointer.users if u.opcode in ACCESSES and u.operands[-1] is pointer)
        return any(map(self.is_integer_member, accesses))

    def layout(self, i: Instruction, size: int | None) -> Layout | None:
        """Returns what a copy or fill itself declares of all its bytes; None if it does not, or not of some."""
        reference = i.metadata_node("!tbaa.struct")
        if reference is None:
            tag = self._tbaa.scalar_access(i) or self._element(i)
            return Layout(tag.size, (Segment(0, tag.size, tag.kind),)) if tag is not None else None
        declared = self._program.hints.copy(reference, self._program.module.metadata.get(reference, ""))
        if declared is None or size is None:
            return None
        segments = [Segment(*region) for region in declared.regions]
        end = segments[-1].offset + segments[-1].length
        if end > size or any(segment.kind is Kind.UNKNOWN for segment in segments):
            return None
        padding = [Segment(end, size - end, Kind.ANYTHING)] if end < size else []
        return Layout(None, (*segments, *padding))

    def _element(self, i: Instruction) -> Tag | None:
        """Returns what all pointers of a copy point at that are declared where they are loaded or stored: a scalar."""
        accesses = (access for a in i.arguments if isinstance(a.type, PointerType) for access in _moves_of(a))
        tags = (self._tbaa.tag_of(access) for access in accesses)
        found = {self._tbaa.pointee(tag.access) for tag in tags if tag is not None}
        found.discard(None)
        if len(found) != 1:
            return None
        element = found.pop()
        return element if isinstance(element, Tag) else None


def _moves_of(pointer: Value) -> Iterable[Instruction]:
    """Returns the loads and stores by which the pointer itself comes from memory, or gets there."""
    if isinstance(pointer, Instruction) and pointer.opcode == "load":
        yield pointer
    if isinstance(pointer, Instruction | Argument):
        yield from (u for u in pointer.users if u.opcode == "store" and u.operands[0] is pointer)
