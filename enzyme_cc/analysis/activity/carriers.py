"""Carriers: which values can carry numbers or pointers, by type and, for integers, by type analysis."""

from __future__ import annotations

from functools import cached_property

from ...ir.constants import Constant
from ...ir.graphs import reachable
from ...ir.instructions import (
    BIT_OPERATIONS,
    FLOAT_ARITHMETIC,
    FLOAT_RESIZES,
    INTEGER_TO_FLOAT,
    POINTER_TO_INTEGER,
)
from ...ir.types import (
    DOUBLE,
    FLOAT,
    HALF,
    X86_FP80,
    FloatType,
    IntType,
    NamedStruct,
    PointerType,
    StructType,
    Type,
    holds,
    store_size,
    struct_body,
    struct_fields,
)
from ...ir.value_edges import COMPUTED_BITS, COPIED, PACKED, PASSED, STORED_OR_COMPARED, UNKNOWN_WORDS
from ...ir.values import Block, Function, Instruction, Local, Value
from ...rules.knowledge import CalleeKind
from ..integers.bit_steps import is_all_ones
from ..integers.offsets import addresses_from, base_of
from ..type_analysis.analysis import Kind, TypeAnalysis
from ..values.flow import origins, uses
from .bits_in_place import BitsInPlace
from .integer_reads import IntegerReads
from .joined_words import joined_words
from .moved_integers import MovedIntegers
from .word_uses import WordUses

_PART_TYPES: dict[tuple[Kind, int], Type] = {
    (Kind.HALF, 16): HALF, (Kind.FLOAT, 32): FLOAT, (Kind.DOUBLE, 64): DOUBLE, (Kind.BFLOAT, 16): FloatType("bfloat"),
    (Kind.X86_FP80, 128): X86_FP80, (Kind.FP128, 128): FloatType("fp128"),
}  # fmt: skip
#: bytes of the smallest number that mixed memory may hold
_SMALLEST_NUMBER = 4
_BITS_OF_POINTER = 64
_BITS_OF_NUMBERS = (32, 64)
#: a function, and which of its arguments hold bits of numbers, or point at numbers
GivenBits = tuple[str, frozenset[int]]
_COMPUTING = FLOAT_ARITHMETIC | FLOAT_RESIZES | INTEGER_TO_FLOAT


def _field_values(aggregate: Value, index: int) -> list[Value]:
    """Returns values equal to the field: inserted by insertvalue, or taken by extractvalue, through copies."""
    found: list[Value] = []
    for v in reachable([aggregate], lambda v: _with_same_field(v, index)):
        if isinstance(v, Local):
            found += [u for u in v.users if u.opcode == "extractvalue" and u.indices == (index,)]
        if isinstance(v, Instruction) and v.opcode == "insertvalue" and v.indices == (index,):
            found.append(v.operands[1])
    return found


def _with_same_field(v: Value, index: int) -> list[Value]:
    """Returns the aggregates that the value is copied from or to, except by an insertion of the field."""
    if not isinstance(v, Local):
        return []
    found: list[Value] = [u for u in COPIED.users(v) if u.type == v.type]
    if isinstance(v, Instruction) and v.opcode == "insertvalue" and v.indices != (index,):
        found.append(v.operands[0])
    return [*found, *COPIED.operands(v)]


def _packed(value: Value) -> list[Value]:
    """Returns what an integer was moved or packed from."""
    if not isinstance(value.type, IntType):
        return []
    return [o for o in PACKED.operands(value) if not isinstance(o, Block)]


def _is_number(value: Value) -> bool:
    """Returns whether the value was computed as a number, or is too small for a pointer."""
    if isinstance(value.type, IntType):
        return value.type.bits < _BITS_OF_POINTER
    if not isinstance(value.type, FloatType):
        return False
    is_computed = isinstance(value, Instruction) and value.opcode in _COMPUTING
    return is_computed or 8 * store_size(value.type) < _BITS_OF_POINTER


def _may_be_constant(word: Value) -> bool:
    """Returns whether the integer, or a part of it, may be a constant that a union holds: nothing computes it."""
    if isinstance(word, Constant):
        return False
    ends = (v for v in reachable([word], _packed) if not _packed(v))
    return any(not isinstance(v, Instruction) or v.opcode in UNKNOWN_WORDS for v in ends)


def _joins_words(value: Value) -> bool:
    """Returns whether bits of two integers are joined and only stored, or all are changed: none of them is a tag."""
    if not isinstance(value, Instruction) or value.opcode not in BIT_OPERATIONS:
        return False
    return all(map(_is_word, value.operands)) and all(u.opcode in STORED_OR_COMPARED for u in value.users)


def _is_word(operand: Value) -> bool:
    """Returns whether all bits of an integer may be set, and it is no address as far as the code tells."""
    if isinstance(operand, Constant):
        return is_all_ones(operand)
    if not isinstance(operand, Instruction):
        return True
    is_masked = operand.opcode in BIT_OPERATIONS and any(isinstance(o, Constant) for o in operand.operands)
    return not is_masked and operand.opcode not in POINTER_TO_INTEGER


class Carriers:
    """Answers which values can carry numbers or pointers, by their types and, for integers, by their uses."""

    def __init__(self, types: TypeAnalysis, uses: WordUses) -> None:
        self.types = types
        self.uses = uses
        self.integer_reads = IntegerReads(uses.callees, self._carries)
        self.bits_in_place = BitsInPlace(types)
        self.moved_integers = MovedIntegers(uses.callees, types)
        self._in_unions: dict[Instruction, bool] = {}
        self._read_from_unions: dict[Function, frozenset[Value]] = {}
        #: whether functions write digits of what they are given (unsupported_digits.py): one answer for all calls
        self.digit_writers: dict[GivenBits, bool] = {}
        #: the same for functions that would write digits of anything
        self.digit_places: dict[str, bool] = {}
        self._mixed: dict[Instruction, bool] = {}
        self._constant: dict[Instruction, bool] = {}
        self._made_of_numbers: dict[Value, bool] = {}
        self._aggregates: dict[Value, Type | None] = {}

    def _carries(self, load: Instruction) -> bool:
        if not isinstance(load.type, IntType) or self.can_point(load) or self.adjoint_type(load) is not None:
            return True
        return self.types.contents(load.operands[0], store_size(load.type)).may_be_known_numbers  # bytes of a number

    def adjoint_type(self, value: Value) -> Type | None:
        """Returns the type of the value's adjoint; None if the value carries no floating-point number."""
        type_ = value.type
        if isinstance(type_, IntType):
            return self._integer_adjoint(value)
        if isinstance(type_, StructType | NamedStruct):
            if value not in self._aggregates:
                self._aggregates[value] = self._struct_adjoint(value)
            return self._aggregates[value]
        if isinstance(type_, PointerType):
            return None
        return type_ if holds(type_, FloatType) else None

    def _integer_adjoint(self, value: Value) -> Type | None:
        """Returns the number's type, or a packed struct if the integer carries several things."""
        assert isinstance(value.type, IntType)
        parts = self.types.values.parts(value) if value.type.bits >= 16 else ()
        fields = tuple(_PART_TYPES.get((kind, bits), IntType(bits)) for _, bits, kind in parts)
        if not any(isinstance(field, FloatType) for field in fields):
            return None
        return fields[0] if len(fields) == 1 else StructType(fields, packed=True)

    def _struct_adjoint(self, value: Value) -> Type | None:
        """Returns the struct. Integer fields are replaced by the adjoint types of what is put in or taken out."""
        fields = list(struct_fields(value.type))
        if not any(isinstance(f, IntType) and f.bits >= 16 for f in fields):
            return value.type if holds(value.type, FloatType) else None
        for k, declared in enumerate(fields):
            if isinstance(declared, IntType):
                found = (self.adjoint_type(v) for v in _field_values(value, k))
                fields[k] = next((t for t in found if t is not None), declared)
        changed = StructType(tuple(fields), struct_body(value.type).packed)
        return changed if holds(changed, FloatType) else None

    def stored_type(self, i: Instruction) -> Type | None:
        """Returns the adjoint type of what a store or atomicrmw overwrites. Memory tells the type of a constant."""
        value, pointer = i.operands if i.opcode == "store" else i.operands[::-1]
        if not isinstance(value.type, IntType) or not isinstance(value, Constant):
            return self.adjoint_type(value)
        size = value.type.bits // 8
        layout = self.types.contents(pointer, size).layout if size > 1 else None
        if layout is None:
            return None
        fields: list[Type] = []
        for start in range(0, size, layout.period or size):
            for segment in layout.segments:
                unit = next((t for (kind, _), t in _PART_TYPES.items() if kind is segment.kind), IntType(8))
                length = min(segment.length, size - start - segment.offset)
                fields += [unit] * max(0, length // store_size(unit))
        whole = sum(map(store_size, fields)) == size and any(isinstance(f, FloatType) for f in fields)
        return StructType(tuple(fields), packed=True) if whole else None

    def is_mixed_store(self, store: Instruction) -> bool:
        """Returns whether a store writes a number or pointer to mixed memory, so that its shadow is cleared.

        Memory is mixed if it holds numbers at one time and pointers at another. In memory of callers, only numbers that
        are parts of words need that. A constant integer may stand for a number or a pointer.
        """
        if store not in self._mixed and self._is_open_constant(store):
            self._mixed[store] = True
        if store not in self._mixed:
            value, pointer = store.operands
            carries = self.adjoint_type(value) is not None or self.can_point(value) or isinstance(value, Constant)
            carries = carries or self.is_integer_in_union(store)
            self._mixed[store] = carries and self.is_cleared_at(pointer, store_size(value.type))
        return self._mixed[store]

    def is_integer_in_union(self, store: Instruction) -> bool:
        """Returns whether a word, an integer as far as the code tells, is stored where numbers and pointers lie, too.

        As in the values of an interpreter: a tag tells what the word is. If it was made of the bits of a number, and is
        read as one again, its derivative is lost. The sweeps test that, as they do for integers in place.
        """
        if store not in self._in_unions:
            value, pointer = store.operands
            self._in_unions[store] = (
                isinstance(value.type, IntType)
                and value.type.bits in _BITS_OF_NUMBERS
                and not isinstance(value, Constant)
                and self.types.declared.kind_of(store, value.type) is None
                and self.adjoint_type(value) is None
                and not self.can_point(value)
                and self._goes_to_union(pointer, store_size(value.type))
            )
        return self._in_unions[store]

    def tags_tell(self, place: Value, size: int) -> bool:
        """Returns whether numbers and pointers lie there: only a tag beside a word tells what it is."""
        return self.types.contents(place, size).is_mixed

    def _goes_to_union(self, place: Value, size: int) -> bool:
        """Returns whether numbers and pointers lie at the place, or where local variables are copied to from there."""
        return any(self.tags_tell(p, size) for p in reachable([place], self._copied_to))

    def _copied_to(self, place: Value) -> list[Value]:
        if not isinstance(place, Instruction) or place.opcode != "alloca":
            return []
        callees = self.uses.callees
        users = [u for address in addresses_from(place) for u in address.users]
        copies = [
            callees.copy_operands(u) for u in users if u.opcode == "call" and callees.of(u).kind is CalleeKind.COPY
        ]
        read = uses([u for u in users if u.opcode == "load"], PASSED)
        stores = (u for v in read for u in v.users if u.opcode == "store" and u.operands[0] is v)
        return [*(to for to, source in copies if base_of(source) is place), *(store.operands[1] for store in stores)]

    def _is_joined_in_unions(self, value: Value) -> bool:
        """Returns whether bits of integers are joined in a word that is stored where tags tell what lies there."""
        if not _joins_words(value):
            return False
        stores = [u for u in value.users if u.opcode == "store"] if isinstance(value, Instruction) else []
        return all(self._goes_to_union(store.operands[1], store_size(value.type)) for store in stores)

    def loses_stored_bits(self, store: Instruction) -> bool:
        """Returns whether a store may write bits of a number whose derivative is lost: its adjoint tells."""
        return self.bits_in_place.is_written(store) or self.is_integer_in_union(store)

    def loses_loaded_bits(self, load: Instruction) -> bool:
        """Returns whether a load may read bits of a number whose derivative is lost: its tangent tells."""
        if self.bits_in_place.is_read(load):
            return True
        function = load.block.function if load.block is not None else None
        if function is None or not isinstance(load.type, IntType) or load.type.bits not in _BITS_OF_NUMBERS:
            return False
        if function not in self._read_from_unions:
            stores = (i for i in function.instructions() if i.opcode == "store" and self.is_integer_in_union(i))
            read = frozenset(origins([i.operands[0] for i in stores], COMPUTED_BITS))
            self._read_from_unions[function] = read
        if load not in self._read_from_unions[function] or self.types.declared.is_integer_member(load):
            return False
        return self.types.contents(load.operands[0], store_size(load.type)).may_be_known_numbers

    def may_store_constant(self, store: Instruction) -> bool:
        """Returns whether an integer is stored that may be a constant number, or is one of a union (joined_words.py).

        It lies where other integers and numbers lie, so that nothing tells what it is. As a number, its derivative is
        zero, and that of the number which it overwrites must not stay.
        """
        if store not in self._constant:
            value, pointer = store.operands
            self._constant[store] = (
                isinstance(value.type, IntType)
                and (self._joins_words or _may_be_constant(value))
                and self.adjoint_type(value) is None
                and not self.can_point(value)
                and self.types.declared.kind_of(store, value.type) is not Kind.INTEGER
                and (self._is_among_numbers(value, pointer) or self._is_beside_joined_words(value, pointer))
            )
        return self._constant[store]

    def _is_among_numbers(self, value: Value, pointer: Value) -> bool:
        return _may_be_constant(value) and self.types.contents(pointer, store_size(value.type)).may_be_known_numbers

    def _is_beside_joined_words(self, value: Value, pointer: Value) -> bool:
        """Returns whether a word is stored in a union, in a program that computes with integers of unions."""
        is_word = isinstance(value.type, IntType) and value.type.bits in _BITS_OF_NUMBERS
        return is_word and self._joins_words and self.types.number_flow.may_be_stored_number(pointer)

    @cached_property
    def _joins_words(self) -> bool:
        return any(joined_words(i) for i in self.types.instructions())

    def is_cleared_at(self, pointer: Value, size: int | None) -> bool:
        """Returns whether writes of numbers there clear shadows of pointers, and the other way round."""
        there = self.types.contents(pointer, size)
        return there.is_mixed if self.types.points_to.is_private(pointer) else there.leaves_pointers

    def may_store_number(self, store: Instruction) -> bool:
        """Returns whether a stored pointer may be a number, which was loaded as a pointer.

        Words of this program that one function loads and stores are moved in memory instead (normalise/demote.py).
        Those that pass through calls stay pointers.
        """
        value, pointer = store.operands
        if not isinstance(value.type, PointerType):
            return False
        if not self.types.contents(pointer, store_size(value.type)).may_be_numbers:
            return False
        return any(map(self.types.may_read_number, self.types.loads_of(value)))

    def is_read_outside(self, value: Value) -> bool:
        """Returns whether what may be a number or pointer was loaded from memory that others can reach."""
        loads = filter(self.types.may_read_number, self.types.loads_of(value))
        return any(not self.types.points_to.is_private(v.operands[0]) for v in loads)

    def _is_open_constant(self, store: Instruction) -> bool:
        """Returns whether an integer constant is stored where only the run tells what it overwrites."""
        value, pointer = store.operands
        size = store_size(value.type)
        if not isinstance(value, Constant) or not isinstance(value.type, IntType) or size < _SMALLEST_NUMBER:
            return False
        overwritten = self.types.contents(pointer, size)
        return overwritten.layout is None and (self.types.points_to.is_private(pointer) or overwritten.is_tagged())

    def result_type(self, function: Function) -> Type | None:
        """Returns the type of the adjoint of the function's result."""
        returned = [b.terminator.operands[0] for b in function.blocks if b.terminator.opcode == "ret"]
        found = (self.adjoint_type(v) for v in returned if not isinstance(v, Constant))
        declared = function.type.result if holds(function.type.result, FloatType) else None
        return next((t for t in found if t is not None), declared)

    def holds_pointers(self, *pointers: Value) -> bool:
        """Returns whether there may be pointers in the memory behind any of the pointers."""
        return any(self.types.contents(pointer, None).has(frozenset([Kind.POINTER])) for pointer in pointers)

    def can_point(self, value: Value) -> bool:
        """Returns whether the value is a pointer, contains one, or is an integer that carries one."""
        if isinstance(value.type, IntType):
            is_word = value.type.bits == _BITS_OF_POINTER and self.types.values.may_be_pointer(value)
            if not is_word or self.is_made_of_numbers(value) or self._is_joined_in_unions(value):
                return False
            return self.uses.may_be_pointer(value)
        return holds(value.type, PointerType)

    def is_made_of_numbers(self, value: Value) -> bool:
        """Returns whether the bits of a word come from numbers that were computed, and from constants, only.

        Such a word of a union is no pointer, although other words that lie in its place are.
        """
        if value not in self._made_of_numbers:
            is_word = isinstance(value.type, IntType) and value.type.bits == _BITS_OF_POINTER
            sources = list(reachable([value], _packed)) if is_word else []
            ends = [v for v in sources if not _packed(v)]
            self._made_of_numbers[value] = any(map(_is_number, ends)) and all(
                isinstance(v, Constant) or _is_number(v) for v in ends
            )
        return self._made_of_numbers[value]

    def moves_number(self, i: Instruction, operand: Value) -> bool:
        """Returns whether the result may be equal to the operand, which is a number and no pointer."""
        return operand in PASSED.operands(i) and self.is_made_of_numbers(operand)
