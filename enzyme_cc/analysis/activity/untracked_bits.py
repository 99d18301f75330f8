"""Integers that may hold the bits of a number whose adjoint nothing tracks.

Derivatives follow an integer that only carries a number from place to place: it has an adjoint type
(Carriers.adjoint_type). They do not follow integer arithmetic on the bits of a number, nor the lanes of integer
vectors. This file finds the integers that such bits reach. unsupported.py refuses the uses that lose a derivative.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property

from ...ir.constants import Constant
from ...ir.graphs import reachable
from ...ir.instructions import COPIES, EXTENSIONS, INTEGER_ARITHMETIC, INTEGER_SUMS, RESIZES
from ...ir.types import I8, IntType, PointerType, StructType, VectorType, is_int, store_size
from ...ir.value_edges import COMPUTED_BITS, COPIED_BYTES, MOVED_BITS, ValueEdges
from ...ir.values import Instruction, Value
from ...rules.knowledge import CalleeKind
from ..integers.digits import PointedPlace
from ..type_analysis.analysis import FLOATS, POINTERS_LOOKED_AT, Kind
from ..type_analysis.evidence.places import WORD
from .activity import Activity
from .decided_bits import DecidedBits
from .lone_bytes import is_lone_byte
from .number_bytes import is_byte_of_number

#: integer arithmetic through which the bits of a number may travel
BIT_ARITHMETIC = INTEGER_ARITHMETIC | RESIZES
#: types that can hold untracked bits. Structs are results of intrinsics such as umul.with.overflow.
_INTEGERS = (IntType, VectorType, StructType)
#: type analysis follows integers of this many bits or more
SMALLEST_TRACKED = 16


def origins_of_bits(value: Value, edges: ValueEdges = COMPUTED_BITS, *, counts: bool = True) -> Iterator[Value]:
    """Yields what bits of the value may come from in its function: itself, and what it was moved or computed from.

    `counts`: also what a count is computed from.
    """

    def parts(v: Value) -> Iterable[Value]:
        if isinstance(v, Instruction) and v.callee_name.startswith("@llvm."):
            return v.arguments
        return edges.operands(v) if counts or not _is_count(v) else ()

    return reachable([value], parts)


def _is_extended(value: Value) -> bool:
    """Returns whether it was made of an integer that is too small for a number."""
    if not isinstance(value, Instruction) or value.opcode not in EXTENSIONS:
        return False
    return not _is_tracked_integer(value.operands[0])


def _is_count(v: Value) -> bool:
    """Returns whether the integer is a sum of constants and of smaller integers: a size or an index, no bits in place.

    A word is put together of smaller integers by shifts.
    """
    if not isinstance(v, Instruction) or v.opcode not in INTEGER_SUMS:
        return False
    return all(isinstance(o, Constant) or (isinstance(o, Instruction) and o.opcode in EXTENSIONS) for o in v.operands)


class UntrackedBits:
    """The untracked integers of one function, and questions that refusals ask.

    `computed`: integers computed from the bits of varied numbers, and integer vectors loaded where numbers may lie.
    `loaded`: also all other integers loaded where numbers may lie. `chosen`: integers without adjoint that are one of
    several values, among them an integer with the bits of a varied number. `dependent`: which values are known to
    depend on such bits, or not to (unsupported_digits.py).
    """

    def __init__(self, activity: Activity) -> None:
        self.activity = activity
        self.carriers = activity.carriers
        self.types = activity.carriers.types
        self.dependent: dict[Value | PointedPlace, bool] = {}
        self.computed = self._closure(self._loads_vector)
        self.loaded = self._closure(self._loads_integer)
        self.chosen = frozenset(i for i in activity.function.instructions() if self._drops_number(i))

    @cached_property
    def decided(self) -> DecidedBits:
        return DecidedBits(self.activity, self.computes, self.surely_holds_bits)

    def _closure(self, is_source: Callable[[Instruction], bool]) -> frozenset[Value]:
        """Returns the sources, the bits of varied numbers, and what integer arithmetic makes of both."""

        def untracked(values: Iterable[Instruction]) -> Iterator[Instruction]:
            return (v for v in values if isinstance(v.type, _INTEGERS) and self.carriers.adjoint_type(v) is None)

        def uses(i: Instruction) -> Iterable[Instruction]:
            return untracked(u for u in i.users if u.opcode in MOVED_BITS or is_vector_intrinsic(u) or self.computes(u))

        starts = (i for i in self.activity.function.instructions() if is_source(i) or self._takes_bits(i))
        return frozenset(reachable(untracked(starts), uses))

    def _takes_bits(self, i: Instruction) -> bool:
        """Returns whether it reinterprets a varied number, or chooses or computes from an integer that carries one."""
        if i.opcode == "bitcast":
            return i.operands[0] in self.activity.varied
        if self._drops_number(i) or self._gets_number(i):
            return True
        return self.computes(i) and any(is_int(o.type) and o in self.activity.varied for o in i.operands)

    def _drops_number(self, i: Instruction) -> bool:
        if i.opcode not in COPIES or not isinstance(i.type, IntType) or self.carriers.adjoint_type(i) is not None:
            return False
        return any(o in self.activity.varied and self.carriers.adjoint_type(o) is not None for o in i.operands)

    def _gets_number(self, call: Instruction) -> bool:
        """Returns whether a called function returns a number in an integer that this one computes with.

        It may be the function itself. Others of this kind are inlined (autodiff/analyses/passed_bits.py).
        """
        if call.opcode != "call" or not isinstance(call.type, IntType) or not any(map(self.carries, call.arguments)):
            return False
        callee = self.activity.callees.of(call)
        if callee.kind is not CalleeKind.DEFINED or self.carriers.adjoint_type(call) is not None:
            return False
        return self.carriers.result_type(self.activity.callees.module.body(callee.name)) is not None

    def _loads_vector(self, i: Instruction) -> bool:
        return is_integer_vector(i) and self._loads_integer(i)

    def _loads_integer(self, i: Instruction) -> bool:
        """Returns whether it loads integers from memory with a shadow where numbers may lie."""
        if i.opcode != "load" or not (is_integer_vector(i) or _is_tracked_integer(i)):
            return False
        pointer = i.operands[0]
        if not self.activity.shadowed(pointer) or self.types.declared.kind(i) is Kind.INTEGER:
            return False
        if not self.types.number_flow.may_be_stored_number(pointer):
            return False
        # the load is itself evidence for an integer: other code may have stored a number there
        if isinstance(i.type, IntType) and self.types.contents(pointer, store_size(i.type)).holds_number:
            return True
        return self.may_be_in_number(pointer, store_size(i.type))  # last: it may ask about the whole object

    # -- questions about values

    def computes(self, i: Instruction) -> bool:
        """Returns whether it is arithmetic, or an intrinsic that computes integers from integers (umax)."""
        known = self.activity.callees.of(i).known if i.opcode == "call" else None
        return i.opcode in BIT_ARITHMETIC or (known is not None and known.pure)

    def carries(self, value: Value) -> bool:
        """Returns whether the value is varied or has a shadow."""
        return value in self.activity.varied or self.activity.shadowed(value)

    def may_carry_number(self, value: Value) -> bool:
        """Returns whether the integer may hold something else than an integer. Vectors of integers may."""
        if isinstance(value.type, VectorType):
            return True
        return _is_tracked_integer(value) and any(k is not Kind.INTEGER for _, _, k in self.types.values.parts(value))

    def is_union(self, value: Value) -> bool:
        """Returns whether an integer from memory with a shadow may be a number, but also something else."""
        if not _is_tracked_integer(value) or isinstance(value, Constant) or _is_extended(value):
            return False
        conflict = any(kind is Kind.CONFLICT for _, _, kind in self.types.values.parts(value))
        return conflict and self.types.values.may_be_number(value) and self.comes_from_shadowed_memory(value)

    def comes_from_shadowed_memory(self, value: Value) -> bool:
        """Returns whether a part of the value was loaded from memory with a shadow, and is not declared an integer.

        A byte that is declared a member of a struct, as a count or a tag, is no part of a number.
        """
        found = origins_of_bits(value, COPIED_BYTES, counts=False)
        loads = (v for v in found if isinstance(v, Instruction) and v.opcode == "load")
        declared = self.types.declared
        return any(
            self.activity.shadowed(v.operands[0])
            and declared.kind(v) is not Kind.INTEGER
            and not declared.is_byte_member(v)
            for v in loads
        )

    def is_byte_of_number(self, value: Value) -> bool:
        """Returns whether the value is a byte loaded from memory with a shadow where a number may lie.

        A byte that is declared as a bool is no part of a number.
        """
        if not isinstance(value, Instruction) or value.opcode != "load" or value.type != I8:
            return False
        if self.types.declared.kind(value) is Kind.INTEGER:
            return False
        return self.activity.shadowed(value.operands[0]) and self.may_be_in_number(value.operands[0])

    def is_part_of_number(self, value: Value) -> bool:
        """Returns whether some of the bits are those of a number that carries a derivative, as far as one can tell."""
        found = (v for v in origins_of_bits(value, COPIED_BYTES) if isinstance(v.type, IntType))
        return any(v in self.activity.varied or self._is_loaded_from_number(v) for v in found)

    def holds_bits(self, value: Value) -> bool:
        """Returns whether it is an integer with bits of a number that carries a derivative."""
        return value in self.loaded or self.surely_holds_bits(value)

    def surely_holds_bits(self, value: Value) -> bool:
        """Returns the same, without integers from memory where something else may lie, too."""
        if value in self.computed or (isinstance(value.type, IntType) and value in self.activity.varied):
            return True
        if not isinstance(value, Instruction) or value.opcode != "load":
            return False
        return self.activity.shadowed(value.operands[0]) and self.is_loaded_from_number(value, is_sure=True)

    def _is_loaded_from_number(self, value: Value) -> bool:
        if not isinstance(value, Instruction) or value.opcode != "load":
            return False
        return self.activity.shadowed(value.operands[0]) and self.is_loaded_from_number(value)

    def is_loaded_from_number(self, load: Instruction, *, is_sure: bool = False) -> bool:
        """Returns whether a number or a part of one is loaded, whether it carries a derivative or not.

        `is_sure`: a byte counts only if it is no member, if the bytes around it begin with a number, and if no pointers
        lie there at other times: as a tag beside a union, it tells what the union holds.
        """
        place, size = load.operands[0], store_size(load.type)
        if size == 1:
            declared = self.types.declared
            if declared.kind(load) is Kind.INTEGER or declared.is_byte_member(load) or is_lone_byte(place):
                return False
            if not is_sure:
                there = self.types.contents(place, size)
                return there.may_be_known_numbers or there.may_be_part_of_number
            if declared.is_member(load) or self.types.contents(place, size).is_mixed_here:
                return False  # asked first: a tag tells
            return is_byte_of_number(self.types, place, size) and not self.carriers.tags_tell(place, size)
        return self._is_number_at(place, behind=False) or self.types.contents(place, size).holds_part_of_number

    def may_hold_number(self, value: Value) -> bool:
        """Returns whether it is an integer loaded from memory with a shadow where a number of its size may lie."""
        if not isinstance(value, Instruction) or value.opcode != "load" or not isinstance(value.type, IntType):
            return False
        return (
            self.activity.shadowed(value.operands[0])
            and self.types.contents(value.operands[0], store_size(value.type)).holds_number
        )

    # -- questions about memory

    def may_be_in_number(self, pointer: Value, size: int = 1) -> bool:
        """Returns whether one of the bytes may be a part of a number or pointer."""
        layout = self.types.contents(pointer, size).layout
        return layout is None or any(s.kind not in (Kind.INTEGER, Kind.ANYTHING) for s in layout.segments)

    def moves_number(self, pointer: Value, size: int) -> bool:
        """Returns whether a number may be among these bytes, or where they point. `size`: 0 if unknown."""
        if not self.activity.shadowed(pointer):
            return False
        if self.types.contents(pointer, POINTERS_LOOKED_AT).points_at_numbers:
            return True  # asked first: only the graph is looked at
        return self.types.contents(pointer, max(size, WORD)).may_be_known_numbers

    def gets_parts(self, pointer: Value) -> bool:
        """Returns whether parts of numbers may be copied to what is around the pointer."""
        return self.activity.shadowed(pointer) and self.types.contents(pointer, 1).is_packed

    def is_number(self, pointer: Value, behind: bool) -> bool:
        """Returns whether there surely is a number with a derivative at the pointer. `behind`: or after other bytes."""
        is_shadowed = isinstance(pointer.type, PointerType) and self.activity.shadowed(pointer)
        return is_shadowed and self._is_number_at(pointer, behind)

    def _is_number_at(self, pointer: Value, behind: bool) -> bool:
        there = (self.types.contents(pointer, size) for size in (4, 8, 16))  # the widest takes longest
        if not behind:
            return any(contents.begins_with_number for contents in there)
        layouts = (contents.layout for contents in there)
        return any(s.kind in FLOATS for layout in layouts if layout is not None for s in layout.segments)


def is_integer_vector(value: Value) -> bool:
    return isinstance(value.type, VectorType) and is_int(value.type)


def is_vector_intrinsic(i: Instruction) -> bool:
    """Returns whether it is an intrinsic that computes vectors from vectors (pshufb)."""
    return i.opcode == "call" and isinstance(i.type, VectorType)


def _is_tracked_integer(value: Value) -> bool:
    return isinstance(value.type, IntType) and value.type.bits >= SMALLEST_TRACKED
