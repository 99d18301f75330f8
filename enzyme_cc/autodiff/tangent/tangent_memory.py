"""Memory in forward mode: shadow memory holds the tangents of numbers, and the shadows of pointers.

Each operation on memory is made on shadow memory first, then on the primal's memory. The order matters with runtime
activity: constant memory is unshadowed, and must be left as the primal writes it.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from ...analysis.memory.objects import ObjectKind
from ...analysis.type_analysis.analysis import Kind
from ...ir.constants import Constant
from ...ir.folding import int_constant, zero
from ...ir.types import I64, VOID, IntType, alloc_size, store_size
from ...ir.values import Instruction, Value
from ...rules import runtime_functions as runtime
from ...rules.knowledge import Known
from ..core.alias_scopes import MemoryKind
from ..emit.frame import SHADOW_METADATA, kept_metadata
from ..emit.shadow_access.compared_pointers import forget_freed
from ..emit.shadow_access.number_places import Purpose
from ..emit.shadow_memory import allocated_size, clear, distance_apart
from .tangent_cloning import TangentCloning

# -- loads and stores


def clone_load(sweep: TangentCloning, i: Instruction) -> None:
    sweep.clone_plain(i)
    pointer = i.operands[0]
    if sweep.activity.shadowed(pointer) and sweep.activity.carriers.loses_loaded_bits(i):
        for _ in sweep.directions():
            sweep.memory.refuse_bits(i, i.type, pointer)
    if not sweep.has_shadow(i):
        return
    is_number = sweep.activity.active(i) and not sweep.activity.shadowed(i)
    for _ in sweep.directions():
        size = store_size(i.type)
        place = sweep.memory.place(i, pointer, size, Purpose.READ) if is_number else sweep.shadow_of(pointer)
        shadow = sweep.clone(i, [place])
        shadow.metadata = _metadata(sweep, i, i, pointer, place)
        loaded = sweep.memory.loaded_shadow(i, shadow)
        sweep.shadow[i] = sweep.memory.read(pointer, loaded) if is_number else loaded
        sweep.memory.refuse_unfit(i, shadow)


def _metadata(
    sweep: TangentCloning, i: Instruction, value: Value, pointer: Value, place: Value
) -> tuple[tuple[str, str], ...]:
    """The metadata of an access to shadow memory. The shadow of a pointer may be in memory of the primal."""
    kept = kept_metadata(i, SHADOW_METADATA)
    if sweep.round.options.runtime_activity or sweep.activity.carriers.can_point(value):
        return kept
    metadata = sweep.round.scopes.of(MemoryKind.SHADOW, kept)
    count = sweep.analyses.signature.directions
    if count == 1 or place is not sweep.shadow_of(pointer) or not _is_own(sweep, pointer):
        return metadata
    return sweep.round.scopes.of_direction(sweep.direction, count, metadata)


def _is_own(sweep: TangentCloning, pointer: Value) -> bool:
    """True if the shadow was made by this derivative, so that those of different directions do not overlap."""
    found = sweep.analyses.facts.objects(pointer)
    return all(o.kind is ObjectKind.CONSTANT_NULL or o.value in sweep.activity.objects for o in found)


def clone_store(sweep: TangentCloning, i: Instruction) -> None:
    value, pointer = i.operands
    if sweep.activity.shadowed(pointer) and not _is_plain_integer(sweep, i):
        for _ in sweep.directions():
            place = sweep.memory.place_of_store(i)
            store = sweep.clone(i, [sweep.shadow_of(value), place])
            store.metadata = _metadata(sweep, i, value, pointer, place)
    elif sweep.activity.shadowed(pointer) and _may_overwrite_number(sweep, i):
        for _ in sweep.directions():  # the tangent of a number that was there is none of the integer
            place = sweep.memory.place(i, pointer, store_size(value.type), Purpose.OVERWRITE)
            sweep.b.store(zero(value.type), place, i.memory.align)
    sweep.clone_write(i)


def _may_overwrite_number(sweep: TangentCloning, store: Instruction) -> bool:
    carriers = sweep.activity.carriers
    return carriers.loses_stored_bits(store) or carriers.may_store_constant(store)


def _is_plain_integer(sweep: TangentCloning, store: Instruction) -> bool:
    """True if the stored value is neither a number nor a pointer, so that nothing reads its shadow.

    Zero may be either.
    """
    value = store.operands[0]
    if not isinstance(value.type, IntType) or sweep.has_shadow(value):
        return False
    if isinstance(value, Constant):
        return value.type.bits < 16
    return sweep.activity.carriers.types.values.kind(value) is Kind.INTEGER


def clone_atomic(sweep: TangentCloning, i: Instruction) -> None:
    """Makes fadd, fsub and exchanges of numbers and pointers in shadow memory too. Integers have no shadow."""
    pointer, value = i.operands
    carries = sweep.has_shadow(i) or sweep.has_shadow(value) or not isinstance(value.type, IntType)
    if sweep.activity.shadowed(pointer) and carries:
        if i.memory.operation not in ("fadd", "fsub", "xchg"):
            raise sweep.analyses.refusal(i)
        for _ in sweep.directions():
            old = sweep.clone(i, [sweep.memory.place_of_exchange(i, pointer, value), sweep.shadow_of(value)])
            sweep.shadow[i] = sweep.memory.read_exchanged(pointer, value, old)
    sweep.clone_write(i)


# -- allocation


def clone_alloca(sweep: TangentCloning, i: Instruction) -> None:
    sweep.clone_plain(i)
    if i not in sweep.activity.objects:
        return
    for _ in sweep.directions():
        sweep.shadow[i] = sweep.clone(i, [sweep.of(o) for o in i.operands])
        clear(sweep.b, sweep.shadow[i], _alloca_size(sweep, i))


def _alloca_size(sweep: TangentCloning, i: Instruction) -> Value:
    assert i.memory.accessed is not None
    count = sweep.b.resize_int(sweep.of(i.operands[0]), I64) if i.operands else int_constant(1)
    return sweep.b.mul(count, int_constant(alloc_size(i.memory.accessed)))


def clone_allocation(sweep: TangentCloning, i: Instruction) -> None:
    """Allocates the shadow as the primal allocates its memory, and zeroes it."""
    sweep.clone_plain(i)
    if i not in sweep.activity.objects:
        return
    known = sweep.activity.callees.of(i).known
    assert known is not None
    if _has_many_directions(sweep) and i in sweep.analyses.own_blocks:
        _allocate_together(sweep, i, known)
        return
    for _ in sweep.directions():
        sweep.shadow[i] = sweep.clone(i, [sweep.of(o) for o in i.operands])
        if not known.zeroed and known.copies is None:
            clear(sweep.b, sweep.shadow[i], allocated_size(sweep, i))
        sweep.memory.allocated(sweep.shadow[i])


def _has_many_directions(sweep: TangentCloning) -> bool:
    return sweep.analyses.signature.directions > 1


def _allocate_together(sweep: TangentCloning, i: Instruction, known: Known) -> None:
    """Allocates the shadows in all directions as parts of one block, which is freed with the first of them."""
    b, count = sweep.b, sweep.analyses.signature.directions
    size = allocated_size(sweep, i)
    stride = distance_apart(b, size)
    whole = b.mul(stride, int_constant(count))
    sizes = dict.fromkeys(known.size_operands, int_constant(1)) | {known.size_operands[0]: whole}
    block = sweep.clone(i, with_operands(sweep, i, {k: b.resize_int(v, i.arguments[k].type) for k, v in sizes.items()}))
    for direction in sweep.directions():
        part = sweep.shadow[i] = runtime.PART_OF_BLOCK.call(b, block, b.mul(stride, int_constant(direction)))
        if not known.zeroed:
            clear(b, part, size)


def with_operands(sweep: TangentCloning, i: Instruction, replaced: Mapping[int, Value]) -> list[Value]:
    """Returns the operands of a call's clone, some replaced."""
    return [replaced.get(k) or sweep.of(o) for k, o in enumerate(i.operands)]


def clone_for_shadow(sweep: TangentCloning, i: Instruction, k: int) -> Instruction:
    """Makes a call that frees or moves the shadow of its argument `k`. Constant memory has none: null is passed."""
    shadow = sweep.memory.shadow_to_free(i.arguments[k])
    clone = sweep.clone(i, with_operands(sweep, i, {k: shadow}))
    attributes = [*clone.call.argument_attributes]
    attributes[k] = " ".join(w for w in attributes[k].split() if w != "nonnull" and "dereferenceable" not in w)
    clone.extra = replace(clone.call, argument_attributes=tuple(attributes))
    return clone


def clone_free(sweep: TangentCloning, i: Instruction) -> None:
    known = sweep.activity.callees.of(i).known
    assert known is not None
    pointer = i.arguments[known.pointer]
    if known.primal_only:
        sweep.clone_plain(i)
        return
    if sweep.activity.shadowed(pointer) and not known.shadow_only:
        forget_freed(sweep, pointer)
    if _has_many_directions(sweep) and sweep.analyses.frees_own_block(i):
        _free_together(sweep, i, known)
        return
    for _ in sweep.directions() if sweep.activity.shadowed(pointer) else ():
        if known.shadow_only:
            release = sweep.round.free_function(sweep.activity.callees.of(i))
            sweep.b.call(release, VOID, (sweep.memory.shadow_to_free(pointer),))
        else:
            freed = clone_for_shadow(sweep, i, known.pointer)
            sweep.memory.freed(freed.arguments[known.pointer])
            if not sweep.round.is_registered(i):
                sweep.memory.free_recorded(pointer)
    sweep.clone_plain(i)


def _free_together(sweep: TangentCloning, i: Instruction, known: Known) -> None:
    """Frees a block, and its shadows with the first. The size that `operator delete` may be given is not theirs."""
    pointer = i.arguments[known.pointer]
    if sweep.activity.shadowed(pointer):
        parts = [sweep.shadow_of(pointer) for _ in sweep.directions()]
        for part in parts:
            runtime.END_OF_PART.call(sweep.b, part)
        sweep.b.call(sweep.round.free_function(sweep.activity.callees.of(i)), VOID, (parts[0],))
    sweep.clone_plain(i)
