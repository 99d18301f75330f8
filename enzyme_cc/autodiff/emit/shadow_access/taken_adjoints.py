"""Takes the adjoints of stored numbers out of shadow memory, which is then zero, in the reverse sweep."""

from __future__ import annotations

from ....analysis.integers.offsets import base_of
from ....analysis.type_analysis.analysis import FLOATS
from ....ir.constants import GlobalRef
from ....ir.folding import zero
from ....ir.leaves import float_leaves
from ....ir.types import I64, IntType, StructType, Type, field_offsets, store_size
from ....ir.values import Instruction, Value
from ..shadow_memory import take_atomically
from .additions import align_at, shadow_metadata
from .number_places import Purpose, number_place
from .team_additions import TeamAdditions
from .whose_shadow import WhoseShadow


def take_number(
    access: WhoseShadow, i: Instruction, pointer: Value, type_: Type, team: TeamAdditions | None, *, carries: bool
) -> Value:
    """Returns the adjoint of what an instruction stored. `carries`: the number that was stored has a derivative."""
    b, metadata = access.sweep.b, shadow_metadata(access, i)
    purpose = Purpose.TAKE if carries else Purpose.CLEAR
    shadow = number_place(access, i, pointer, store_size(type_), purpose)
    taken: Value = zero(type_)
    is_copy = _is_copy_of_thread(access, i)
    for indices, leaf, offset in float_leaves(type_):
        place, align = b.offset(shadow, offset), align_at(i, offset)
        if is_copy:
            old = take_atomically(b, place, leaf, align)
        else:
            old = b.load(leaf, place, align)
            old.metadata = metadata
            b.store(zero(leaf), place, align).metadata = metadata
        if team is not None:
            old = team.taken_from_copies(i, place, old)
        taken = b.insert_value(taken, old, *indices) if indices else old
    if i.opcode == "store" and isinstance(i.operands[0].type, IntType):
        _clear_constants(access, i, shadow, type_)
    return taken


def _is_copy_of_thread(access: WhoseShadow, i: Instruction) -> bool:
    """Returns whether a region copies a number to a variable of its thread.

    flang's `copyin` also copies the first thread's variable to itself, while others read it. So they may add to its
    shadow while this thread takes what is there.
    """
    place = base_of(i.operands[1]) if i.opcode == "store" else None
    if not isinstance(place, GlobalRef) or not access.round.source.globals[place.name].thread_local:
        return False
    value = i.operands[0]
    if not isinstance(value, Instruction) or value.opcode != "load":
        return False
    return access.state(value.operands[0]).is_added_by_team


def take_output(access: WhoseShadow, i: Instruction, pointer: Value, type_: Type) -> Value:
    """Returns the adjoint of a number that a library function stored behind a pointer."""
    b, shadow = access.sweep.b, number_place(access, i, pointer, store_size(type_), Purpose.TAKE)
    old = b.load(type_, shadow)
    b.store(zero(type_), shadow)
    return old


def clear_number(access: WhoseShadow, i: Instruction, pointer: Value, type_: Type) -> None:
    """Clears the shadow of a stored integer, which the code may read as a number."""
    place = number_place(access, i, pointer, store_size(type_), Purpose.CLEAR)
    access.sweep.b.store(zero(type_), place, i.memory.align).metadata = shadow_metadata(access, i)


def _clear_constants(access: WhoseShadow, i: Instruction, shadow: Value, type_: Type) -> None:
    """Clears the shadow of those parts of a stored word that are no numbers for type analysis.

    Where a union lies, the code may read them as numbers, for a part may be a constant number.
    """
    if not isinstance(type_, StructType):
        return
    b, layout = access.sweep.b, access.round.types.contents(i.operands[1], store_size(type_)).layout
    numbers = [s for s in layout.segments if s.kind in FLOATS] if layout is not None else None
    for field, offset in zip(type_.fields, field_offsets(type_), strict=True):
        may_be_number = numbers is None or any(s.offset <= offset < s.offset + s.length for s in numbers)
        if may_be_number and isinstance(field, IntType) and field != I64:
            store = b.store(zero(field), b.offset(shadow, offset), align_at(i, offset))
            store.metadata = shadow_metadata(access, i)
