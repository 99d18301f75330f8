"""Adjoints of loads, stores and atomic operations.

Shadow memory holds the adjoints of numbers in memory. The adjoint of a load adds to it. The adjoint of a store takes
the number there and leaves zero. bulk_adjoints.py handles copies, fills and allocations; primal_memory.py handles the
pointers in shadow memory.
"""

from __future__ import annotations

from ...analysis.type_analysis.analysis import FLOATS
from ...ir.folding import int_constant, zero
from ...ir.leaves import float_leaves
from ...ir.types import DOUBLE, FLOAT, I64, FloatType, IntType, StructType, Type, field_offsets, store_size
from ...ir.values import Instruction, Value
from ..emit.frame import SHADOW_METADATA, kept_metadata
from ..emit.shadow_access.number_places import Purpose
from ..emit.shadow_memory import add_apart
from .mixed_adjoints import clear_after_store, mark_adjoint
from .reverse_values import ReverseValues


def adjoint_of_load(sweep: ReverseValues, i: Instruction) -> None:
    _add_to_shadow(sweep, i, i.operands[0], sweep.take(i))


def _add_to_shadow(sweep: ReverseValues, i: Instruction, pointer: Value, adjoint: Value) -> None:
    size, types = store_size(adjoint.type), sweep.round.types
    shadow = sweep.memory.place(i, pointer, size, Purpose.ADD)
    is_open = types.has_several_numbers(pointer, size)
    is_mixed = is_open or types.is_mixed(pointer, size)
    may_be_other = is_mixed and not types.declares_number(i)
    for indices, leaf, offset in float_leaves(adjoint.type):
        part = sweep.b.extract_value(adjoint, *indices) if indices else adjoint
        place = sweep.b.offset(shadow, offset)
        align = _align(i, offset)
        if sweep.round.options.separate_additions and not is_mixed and sweep.memory.state(pointer).is_shared:
            add_apart(sweep.b, place, part)
            continue
        old = sweep.b.load(leaf, place, align)
        old.metadata = _shadow_metadata(sweep, i)
        total = sweep.b.fadd(old, part)
        if may_be_other and isinstance(leaf, FloatType):  # LLVM may load early what turns out to be something else
            total = sweep.b.select(_may_be_other(sweep, old, part), old, total)
        store = sweep.b.store(total, place, align)
        store.metadata = _shadow_metadata(sweep, i)
        if is_open or types.is_marked(pointer, size):
            mark_adjoint(sweep, place, part)


def _may_be_other(sweep: ReverseValues, old: Value, part: Value) -> Value:
    """Returns whether a shadow that an adjoint of zero is added to may be (half of) something else, and would change.

    That is a pointer or a number of another type. An addition of zero may change denormal numbers and NaN only; as a
    double, a pointer is denormal. All others get the sum: the adjoint of zero may have a derivative that is not zero,
    and a later round differentiates the sum.
    """
    b, sizes = sweep.b, _BITS.get(part.type)
    is_zero = b.fcmp("oeq", part, zero(part.type))
    if sizes is None:
        return is_zero
    bits, fraction = sizes
    integer = IntType(bits)
    size = b.int_op("and", b.cast("bitcast", old, integer), int_constant(2 ** (bits - 1) - 1, integer))
    is_denormal = b.icmp("ult", b.sub(size, int_constant(1, integer)), int_constant(2**fraction - 1, integer))
    is_special = b.icmp("uge", size, int_constant(2 ** (bits - 1) - 2**fraction, integer))
    return b.int_op("and", is_zero, b.int_op("or", is_denormal, is_special))


#: of types that share memory with pointers: the bits, and those of the fraction
_BITS: dict[Type, tuple[int, int]] = {DOUBLE: (64, 52), FLOAT: (32, 23)}


def adjoint_of_store(sweep: ReverseValues, i: Instruction) -> None:
    value, pointer = i.operands
    type_ = sweep.activity.carriers.stored_type(i)
    if type_ is None:
        if sweep.activity.carriers.bits_in_place.is_written(i):
            sweep.memory.refuse_bits(i, value.type, pointer)
        if sweep.activity.carriers.is_mixed_store(i):
            clear_after_store(sweep, i)
        elif sweep.activity.carriers.may_store_constant(i):
            _clear_constant(sweep, i)
        return
    sweep.add(value, _take_shadow(sweep, i, pointer, type_, carries=value in sweep.activity.varied))


def _take_shadow(sweep: ReverseValues, i: Instruction, pointer: Value, type_: Type, *, carries: bool) -> Value:
    """Takes the adjoint from the shadow, which is then zero. `carries`: the number that was stored has a derivative."""
    shadow = sweep.memory.place(i, pointer, store_size(type_), Purpose.TAKE if carries else Purpose.CLEAR)
    taken: Value = zero(type_)
    for indices, leaf, offset in float_leaves(type_):
        place, align = sweep.b.offset(shadow, offset), _align(i, offset)
        old = sweep.b.load(leaf, place, align)
        old.metadata = _shadow_metadata(sweep, i)
        sweep.b.store(zero(leaf), place, align).metadata = _shadow_metadata(sweep, i)
        taken = sweep.b.insert_value(taken, old, *indices) if indices else old
    if i.opcode == "store" and isinstance(i.operands[0].type, IntType):
        _clear_constants(sweep, i, shadow, type_)
    return taken


def _clear_constant(sweep: ReverseValues, i: Instruction) -> None:
    """Clears the shadow of a stored integer, which the code may read as a number."""
    value, pointer = i.operands
    size = store_size(value.type)
    if sweep.round.types.is_mixed(pointer, size):
        clear_after_store(sweep, i)
        return
    place = sweep.memory.place(i, pointer, size, Purpose.CLEAR)
    store = sweep.b.store(zero(value.type), place, i.memory.align)
    store.metadata = _shadow_metadata(sweep, i)


def _clear_constants(sweep: ReverseValues, i: Instruction, shadow: Value, type_: Type) -> None:
    """Clears the shadow of those parts of a stored word that are no numbers for type analysis.

    Where a union lies, the code may read them as numbers, for a part may be a constant number.
    """
    if not isinstance(type_, StructType):
        return
    layout = sweep.round.types.layout(i.operands[1], store_size(type_))
    numbers = [s for s in layout.segments if s.kind in FLOATS] if layout is not None else None
    for field, offset in zip(type_.fields, field_offsets(type_), strict=True):
        is_open = numbers is None or any(s.offset <= offset < s.offset + s.length for s in numbers)
        if is_open and isinstance(field, IntType) and field != I64:
            store = sweep.b.store(zero(field), sweep.b.offset(shadow, offset), _align(i, offset))
            store.metadata = _shadow_metadata(sweep, i)


def _shadow_metadata(sweep: ReverseValues, i: Instruction) -> tuple[tuple[str, str], ...]:
    """The metadata of an access to the shadow of the memory that the instruction accesses."""
    return sweep.round.scopes.of_adjoint(kept_metadata(i, SHADOW_METADATA))


def _align(i: Instruction, offset: int) -> int | None:
    align = i.memory.align
    if align is None or offset == 0:
        return align
    return min(align, offset & -offset)


def take_memory(sweep: ReverseValues, i: Instruction, pointer: Value, type_: Type) -> Value:
    """Takes from the shadow the adjoint of a number that a library function stored; the shadow is then zero."""
    shadow = sweep.memory.place(i, pointer, store_size(type_), Purpose.TAKE)
    old = sweep.b.load(type_, shadow)
    sweep.b.store(zero(type_), shadow)
    return old


def adjoint_of_atomicrmw(sweep: ReverseValues, i: Instruction) -> None:
    """Emits the adjoint of an atomic operation.

    It stores old ± value, or the value alone, and returns the old number.
    """
    pointer, value = i.operands
    if i.memory.operation not in _ATOMIC:
        raise sweep.analyses.refusal(i, f"{i.memory.operation} of a number that carries a derivative is atomic")
    type_ = sweep.activity.carriers.stored_type(i)
    assert type_ is not None
    new = _take_shadow(sweep, i, pointer, type_, carries=value in sweep.activity.varied)
    sweep.add(value, sweep.b.fneg(new) if i.memory.operation == "fsub" else new)
    old = sweep.converted(i, sweep.take(i), type_) if sweep.is_active(i) else zero(type_)
    _add_to_shadow(sweep, i, pointer, old if i.memory.operation == "xchg" else sweep.b.fadd(new, old))


#: operations with a linear adjoint
_ATOMIC = frozenset(["fadd", "fsub", "xchg"])
