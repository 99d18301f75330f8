"""Predicates of refusal for writes to memory: what unsupported.py says of stores and atomic exchanges."""

from __future__ import annotations

from collections.abc import Container

from ...ir.constants import Constant, ConstantInt
from ...ir.instructions import EXTENSIONS, TRANSPARENT
from ...ir.types import IntType, PointerType, scalar, store_size
from ...ir.value_edges import COPIED, COPIED_BYTES, SAME_OBJECT
from ...ir.values import Instruction, Value
from ...rules.knowledge import CalleeKind
from ..callees import plain_name
from ..type_analysis.analysis import FLOATS, Kind
from ..values.flow import ends, origins
from .activity import Activity
from .lone_bytes import is_lone_byte
from .untracked_bits import BIT_ARITHMETIC, SMALLEST_TRACKED, UntrackedBits, is_integer_vector, origins_of_bits

_UNDECIDED = (Kind.UNKNOWN, Kind.CONFLICT, Kind.ANYTHING)
_UNKNOWN = frozenset([CalleeKind.UNKNOWN, CalleeKind.INDIRECT])


def stored_without_shadow(bits: UntrackedBits, i: Instruction) -> str:
    """Returns the function that gave the memory, if it has no shadow and nobody can say that it is constant."""
    value, pointer = i.operands
    if not bits.carries(value) or bits.activity.shadowed(pointer):
        return ""
    unknown = _UNKNOWN | {CalleeKind.INACTIVE} if value in bits.activity.varied else _UNKNOWN
    return _made_by(bits.activity, pointer, unknown)


def copied_without_shadow(bits: UntrackedBits, i: Instruction) -> str:
    """Returns the library function that gave the memory to which numbers that carry derivatives are copied."""
    callee = bits.activity.callees.of(i)
    if callee.kind is not CalleeKind.COPY or callee.known is None:
        return ""
    target, source = bits.activity.callees.copy_operands(i)
    length = i.arguments[callee.known.length]
    size = length.value if isinstance(length, ConstantInt) else 0
    if bits.activity.shadowed(target) or not bits.moves_number(source, size):
        return ""
    return _made_by(bits.activity, target, {CalleeKind.INACTIVE})


def _made_by(activity: Activity, pointer: Value, kinds: Container[CalleeKind]) -> str:
    """Returns a function of one of the kinds that may have returned the pointer."""
    for v in origins([pointer], SAME_OBJECT):
        if isinstance(v, Instruction) and v.opcode == "call" and activity.callees.of(v).kind in kinds:
            return plain_name(activity.callees.of(v).name) or "an unknown function"
    return ""


def stores_pointer_or_number(bits: UntrackedBits, i: Instruction) -> bool:
    """Matches a part of a pointer, or several, that were loaded where numbers lie at other times.

    Memory that this program made itself is differentiated (mixed memory). Of a pointer, the run tells what it is.
    """
    value, pointer = i.operands
    if isinstance(value.type, PointerType) or not bits.activity.shadowed(pointer):
        return False
    if not any(_may_read_number(bits, v) for v in bits.types.loads_of(value)):
        return False
    # last: it may ask about the whole object
    return bits.types.contents(pointer, store_size(value.type)).may_be_numbers


def _may_read_number(bits: UntrackedBits, load: Instruction) -> bool:
    place, block = load.operands[0], load.block
    is_constant = block is not None and block.function is bits.activity.function and not bits.activity.shadowed(place)
    return not is_constant and not bits.types.points_to.is_private(place) and bits.types.may_read_number(load)


def stores_vector(bits: UntrackedBits, i: Instruction) -> bool:
    value, pointer = i.operands
    if isinstance(value, Constant) or not bits.activity.shadowed(pointer) or not is_integer_vector(value):
        return False
    is_unknown = value in bits.computed or bits.comes_from_shadowed_memory(value)
    return is_unknown and bits.may_be_in_number(pointer, store_size(value.type))


def _is_integer_without_adjoint(bits: UntrackedBits, value: Value, pointer: Value) -> bool:
    """Returns whether a store writes an integer that is followed by no adjoint to memory with a shadow."""
    if isinstance(value, Constant) or not isinstance(value.type, IntType) or not bits.activity.shadowed(pointer):
        return False
    return bits.carriers.adjoint_type(value) is None


def stores_byte(bits: UntrackedBits, i: Instruction) -> bool:
    value, pointer = i.operands
    if not _is_integer_without_adjoint(bits, value, pointer) or _bits(value) != 8:
        return False
    if _chooses_branch(value) or _is_flag(value) or _is_member(bits, i):
        return False
    return bits.may_be_in_number(pointer) and bits.comes_from_shadowed_memory(value)


def stores_widened_byte(bits: UntrackedBits, i: Instruction) -> bool:
    """Matches a byte of a number that is stored as a larger integer, such as an argument of printf."""
    value = i.operands[0]
    if not isinstance(value, Instruction) or value.opcode not in EXTENSIONS:
        return False
    return _bits(value.operands[0]) == 8 and bits.is_part_of_number(value)


def stores_digit(bits: UntrackedBits, i: Instruction) -> bool:
    """Matches a character that is computed from the bits of a number, in a text from which integers are read."""
    value, pointer = i.operands
    return _bits(value) == 8 and value in bits.computed and bits.types.number_flow.feeds_integers(pointer)


def _is_member(bits: UntrackedBits, store: Instruction) -> bool:
    """Returns whether a byte is copied from one struct to another; it may be one of several, and constants."""
    value, pointer = store.operands
    sources = [v for v in ends([value], COPIED) if not isinstance(v, Constant)]
    is_lone = bool(sources) and is_lone_byte(pointer) and all(map(_is_loaded_member, sources))
    return is_lone or _is_declared_member(bits, store)


def _is_declared_member(bits: UntrackedBits, store: Instruction) -> bool:
    """Returns whether a byte goes to a member that is declared a byte, as tags of unions are, or is made of such."""
    is_member = bits.types.declared.is_byte_member
    found = origins_of_bits(store.operands[0], COPIED_BYTES, counts=False)
    loads = [v for v in found if isinstance(v, Instruction) and v.opcode == "load"]
    return is_member(store) or (loads != [] and all(map(is_member, loads)))


def _is_loaded_member(value: Value) -> bool:
    return isinstance(value, Instruction) and value.opcode == "load" and is_lone_byte(value.operands[0])


def _is_flag(value: Value) -> bool:
    """Returns whether it is 1 - x, or only the lowest bit of x: only of a flag does one compute that."""
    at = {"sub": 0, "and": 1}.get(value.opcode) if isinstance(value, Instruction) else None
    one = value.operands[at] if isinstance(value, Instruction) and at is not None else None
    return isinstance(one, ConstantInt) and one.value == 1


def _chooses_branch(value: Value) -> bool:
    """Returns whether a byte from a fixed place is compared with constants: it tells what a variant or union holds.

    In a loop over bytes, as when a message is escaped, the place is not fixed.
    """
    if not isinstance(value, Instruction) or value.opcode != "load":
        return False
    place = value.operands[0]
    while isinstance(place, Instruction) and place.opcode == "getelementptr":
        if not all(isinstance(index, Constant) for index in place.operands[1:]):
            return False
        place = place.operands[0]
    compared = any(u.opcode == "icmp" and isinstance(u.operands[1], Constant) for u in value.users)
    is_fixed = not isinstance(place, Instruction) or place.opcode not in TRANSPARENT
    return is_fixed and (compared or any(u.opcode == "switch" for u in value.users))


def stores_computed_bits(bits: UntrackedBits, i: Instruction) -> bool:
    value, pointer = i.operands
    if not _is_integer_without_adjoint(bits, value, pointer) or _bits(value) < SMALLEST_TRACKED:
        return False
    if value not in bits.computed or _is_extent(bits, i):
        return False
    if bits.types.values.kind(value) is not Kind.INTEGER or bits.types.number_flow.becomes_number(value):
        return True
    return not FLOATS.isdisjoint(frozenset().union(*bits.types.contents(pointer, _bits(value) // 8).words()))


def stores_part_elsewhere(bits: UntrackedBits, i: Instruction) -> bool:
    """Matches a part of a number that is stored apart from the others, where it comes together with them later."""
    value, pointer = i.operands
    if not isinstance(value.type, IntType) or bits.carriers.adjoint_type(value) is not None:
        return False
    is_part = value in bits.computed or _is_loaded_part(bits, value)
    return is_part and bits.types.number_flow.feeds_parts(pointer)


def _is_loaded_part(bits: UntrackedBits, value: Value) -> bool:
    if not isinstance(value, Instruction) or value.opcode != "load" or not bits.activity.shadowed(value.operands[0]):
        return False
    return bits.types.contents(value.operands[0], store_size(value.type)).holds_part_of_number


def stores_undecided(bits: UntrackedBits, i: Instruction) -> bool:
    value, pointer = i.operands
    if _is_integer_without_adjoint(bits, value, pointer) and _bits(value) >= SMALLEST_TRACKED:
        if bits.types.declared.is_integer(i) and isinstance(value, Instruction) and value.opcode in BIT_ARITHMETIC:
            return False
        is_undecided = bits.types.values.kind(value) in _UNDECIDED and bits.comes_from_shadowed_memory(value)
        return is_undecided and not _is_tested(bits, i)
    return _is_half_undecided(bits, value) and bits.activity.shadowed(pointer)


def _is_tested(bits: UntrackedBits, store: Instruction) -> bool:
    """Returns whether the sweeps test what the store writes: an integer that is made of loaded ones, in a union."""
    return store.operands[0] not in bits.computed and bits.carriers.is_integer_in_union(store)


def stores_part_of_number(bits: UntrackedBits, i: Instruction) -> bool:
    """Matches a part of a number that is read or stored as what `!tbaa` declares a smaller integer."""
    value, pointer = i.operands
    if not _is_integer_without_adjoint(bits, value, pointer):
        return False
    size = store_size(value.type)
    there = bits.types.contents(pointer, size)
    loads = filter(bits.types.declared.is_integer, bits.types.loads_of(value))
    read = [bits.types.contents(load.operands[0], size) for load in loads]
    if read and bits.types.declared.is_integer(i) and there.holds_part_of_number:
        return True
    return any(c.holds_part_of_number and (there.may_be_part_of_number or not c.is_integer_of_a_variable) for c in read)


def _is_half_undecided(bits: UntrackedBits, value: Value) -> bool:
    """Returns whether a part of a computed word is a number, and another may be anything: no adjoint follows that."""
    if not isinstance(value, Instruction) or not isinstance(value.type, IntType) or not bits.computes(value):
        return False
    has_open_part = any(kind is Kind.CONFLICT for _, _, kind in bits.types.values.parts(value))
    return has_open_part and bits.carriers.adjoint_type(value) is not None and bits.comes_from_shadowed_memory(value)


def _bits(value: Value) -> int:
    return value.type.bits if isinstance(value.type, IntType) else 0


def stores_bits_read_as_numbers(bits: UntrackedBits, i: Instruction) -> bool:
    """Matches untracked bits, or bytes of numbers, stored where numbers are read, or integers that become numbers."""
    value, pointer = i.operands
    element = scalar(value.type)
    if not isinstance(element, IntType):
        return False
    if element.bits < SMALLEST_TRACKED:
        is_part = (value in bits.loaded or bits.is_byte_of_number(value)) and not _is_member(bits, i)
        return is_part and (
            bits.types.number_flow.feeds_numbers(pointer, is_character=True) or _is_part_of_number(bits, i)
        )
    if value not in bits.loaded or _is_counted(value, pointer) or _is_tested(bits, i) or _is_extent(bits, i):
        return False
    is_constant = not bits.activity.shadowed(pointer)
    is_number = is_constant and bits.may_be_in_number(pointer, store_size(value.type))
    return is_number or bits.types.number_flow.feeds_numbers(pointer)


def _is_extent(bits: UntrackedBits, store: Instruction) -> bool:
    """Returns whether a computed member of an array descriptor of Fortran is stored: no number is read there.

    It is computed from integers, which may be in memory where numbers lie at other times. Only the bits of a number
    that is cast (transfer) count, and words that are only moved.
    """
    value = store.operands[0]
    if not bits.types.declared.is_descriptor_member(store):
        return False
    if any(v in bits.loaded and not (isinstance(v, Instruction) and bits.computes(v)) for v in ends([value], COPIED)):
        return False
    return not any(isinstance(v, Instruction) and v.opcode == "bitcast" for v in origins_of_bits(value))


def _is_part_of_number(bits: UntrackedBits, store: Instruction) -> bool:
    """Returns whether bytes computed from a number are stored where a number is read: byte by byte, in a loop."""
    value, pointer = store.operands
    return value in bits.computed and bits.types.contents(pointer, store_size(value.type)).may_be_known_numbers


def _is_counted(value: Value, pointer: Value) -> bool:
    """Returns whether a constant is added to what lies there: so are references counted, and no numbers computed."""
    if not isinstance(value, Instruction) or value.opcode != "add" or not isinstance(value.operands[1], ConstantInt):
        return False
    before = value.operands[0]
    if isinstance(before, Instruction) and before.opcode == "trunc":
        before = before.operands[0]
    return isinstance(before, Instruction) and before.opcode == "load" and before.operands[0] is pointer


def exchanges_number(bits: UntrackedBits, i: Instruction) -> bool:
    """The new value of a cmpxchg carries a derivative, or is a pointer with a shadow: nothing follows it to memory."""
    pointer, _, new = i.operands
    if new in bits.computed or new in bits.activity.varied or bits.activity.shadowed(new):
        return True
    if new in bits.loaded and bits.types.number_flow.feeds_numbers(pointer):
        return True
    return bits.activity.shadowed(pointer) and bits.types.values.kind(new) in FLOATS
