"""What values in registers carry: the kind of a scalar, and the parts of integers."""

from __future__ import annotations

from collections.abc import Iterable

from ...ir.constants import ConstantInt, ConstantWord
from ...ir.types import FloatType, IntType, PointerType, scalar
from ...ir.values import Value
from .evidence.collected_evidence import Portion, together
from .evidence.places import Evidence
from .evidence.registers import integer_parts, without_wide_arithmetic
from .kinds import FLOATS, Kind, Tag, scalar_tag
from .memory_evidence import MemoryEvidence


class ValueKinds:
    """Answers about values of the analysed functions."""

    def __init__(self, evidence: MemoryEvidence) -> None:
        self._evidence = evidence
        self._kinds: dict[Value, tuple[tuple[int, int, Kind], ...]] = {}
        self._pointers: dict[Value, bool] = {}

    def kind(self, value: Value) -> Kind:
        """Returns the kind of a scalar value; CONFLICT if its parts are of different kinds."""
        element = scalar(value.type)
        if isinstance(element, PointerType):
            return Kind.POINTER
        tag = scalar_tag(element)
        if tag is not None and isinstance(element, FloatType):
            return tag.kind
        parts = self.parts(value)
        return parts[0][2] if len(parts) == 1 else Kind.CONFLICT

    def parts(self, value: Value) -> tuple[tuple[int, int, Kind], ...]:
        """Returns (bit offset, bits, kind) of each part of an integer, low bits first."""
        found = self._kinds.get(value)
        if found is None:
            found = self._kinds[value] = tuple(self._parts(value))
        return found

    def may_be_pointer(self, value: Value) -> bool:
        """Returns whether there is evidence that the integer carries a pointer, whatever other evidence there is."""
        found = self._pointers.get(value)
        if found is None:
            kind = self.kind(value)
            mixed = kind is Kind.CONFLICT and any(map(_is_pointer_at_0, self._evidence_of(value)))
            found = self._pointers[value] = kind is Kind.POINTER or mixed
        return found

    def may_be_number(self, value: Value) -> bool:
        """Returns whether there is evidence that the integer carries numbers, whatever other evidence there is."""
        size = value.type.bits // 8 if isinstance(value.type, IntType) else 0
        tags = [(i.offset, i.tag) for i in self._evidence_of(value) if isinstance(i.tag, Tag)]
        return any(tag.kind in FLOATS and -tag.size < offset < size for offset, tag in tags)

    def _evidence_of(self, value: Value) -> Iterable[Evidence]:
        registers = self._evidence.points_to.registers(value)
        return (item for r in registers for item in self._evidence.in_register(r).portion(Portion.CARRIED))

    def _parts(self, value: Value) -> list[tuple[int, int, Kind]]:
        type_ = value.type
        if not isinstance(type_, IntType):
            return [(0, 0, self.kind(value))]
        if isinstance(value, ConstantWord) or (isinstance(value, ConstantInt) and value.value == 0):
            return [(0, type_.bits, Kind.ANYTHING)]
        registers = self._evidence.points_to.registers(value)
        if type_.bits < 8 or type_.bits % 8 or not registers:
            return [(0, type_.bits, Kind.INTEGER)]
        found = together([self._evidence.in_register(r) for r in registers])
        return integer_parts(without_wide_arithmetic(found), type_.bits)


def _is_pointer_at_0(item: Evidence) -> bool:
    return isinstance(item.tag, Tag) and item.tag.kind is Kind.POINTER and item.offset == 0
