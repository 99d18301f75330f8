"""Adds adjoints to shadow memory. How one number is added is a row of ADDITIONS: the first that applies emits it.

A row decides by what is known of the memory: whether other threads reach it, and whether its words hold other things at
other times. The atomic addition is a row, and so is a new kind. Copies of a thread's own: team_additions.py. What a
copy of memory adds to the shadow of its source: reverse/bulk_adjoints.py.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from msgspec.structs import replace

from ....analysis.memory.shadow_state import MemoryState, Shadow
from ....analysis.storage.apart_additions import Distance, is_known_early
from ....analysis.type_analysis.analysis import Kind
from ....ir.builder import Builder
from ....ir.constants import ConstantInt
from ....ir.folding import int_constant, zero
from ....ir.leaves import float_leaves
from ....ir.types import DOUBLE, FLOAT, I1, I64, X86_FP80, FloatType, IntType, Type, VectorType, is_float, store_size
from ....ir.values import Instruction, Value
from ....report.diagnostics import NotOnTeams
from ....rules import runtime_functions as runtime
from ...core.mixed_words import NUMBER_BITS
from ...core.options import Options
from ...core.signature import Team
from ..frame import SHADOW_METADATA, kept_metadata
from ..shadow_memory import add_atomically, add_unjoined
from .number_places import Purpose, number_place
from .team_additions import TeamAdditions
from .whose_shadow import WhoseShadow

#: what tells LLVM that an addition by a call, which it inlines, leaves the primal's memory and tapes as they are
_SCOPES = frozenset(["!alias.scope", "!noalias"])


class AddedNumber(NamedTuple):
    """A number, or a vector of them, that is added at a place in shadow memory.

    - `is_mixed`: the word holds a pointer or a number of another type at another time.
    - `is_alone`: in a team, the test (i64) that no other thread adds there; None if others may.
    - `is_declared`: the access that has this adjoint declares that a number is there.
    """

    place: Value
    number: Value
    align: int | None
    metadata: tuple[tuple[str, str], ...]
    state: MemoryState
    is_mixed: bool
    is_declared: bool
    options: Options
    is_alone: Value | None


class Addition(NamedTuple):
    """A kind of addition: where it is used, and what emits it."""

    applies: Callable[[AddedNumber], bool]
    emit: Callable[[Builder, AddedNumber], None]


def _is_unjoined(added: AddedNumber) -> bool:
    return added.options.separate_additions and added.state.is_shared and not added.is_mixed


def _may_be_other(added: AddedNumber) -> bool:
    """True if LLVM may load early what turns out to be something else."""
    return added.is_mixed and not added.is_declared and isinstance(added.number.type, FloatType)


def _is_by_team(added: AddedNumber) -> bool:
    return added.state.is_added_by_team


def _add_atomically(b: Builder, added: AddedNumber) -> None:
    if added.is_mixed:
        raise NotOnTeams("threads add to memory that holds other things at other times")
    type_ = added.number.type
    element = type_.element if isinstance(type_, VectorType) else type_
    row = runtime.TEAM_ADDITIONS.get(element)
    is_aligned = added.align is None or added.align >= store_size(element)
    scopes = tuple(pair for pair in added.metadata if pair[0] in _SCOPES)
    if row is None or (is_aligned and (added.is_alone is None or element is not type_)):
        add_atomically(b, added.place, added.number, added.align, scopes)
    elif isinstance(type_, VectorType):
        for lane in range(type_.count):
            number = b.emit("extractelement", element, (added.number, int_constant(lane)))
            place = b.offset(added.place, lane * store_size(element))
            row.call(b, place, number, int_constant(0)).metadata = scopes
    else:
        row.call(b, added.place, added.number, added.is_alone or int_constant(0)).metadata = scopes


def _add_unjoined(b: Builder, added: AddedNumber) -> None:
    add_unjoined(b, added.place, added.number)


def _add_guarded(b: Builder, added: AddedNumber) -> None:
    old = _load(b, added)
    total = b.fadd(old, added.number)
    _store(b, added, b.select(_is_other(b, old, added.number), old, total))


def _add_plainly(b: Builder, added: AddedNumber) -> None:
    _store(b, added, b.fadd(_load(b, added), added.number))


#: kinds of additions: the first that applies to a number is used
ADDITIONS = (
    Addition(_is_by_team, _add_atomically),
    Addition(_is_unjoined, _add_unjoined),
    Addition(_may_be_other, _add_guarded),
    Addition(lambda added: True, _add_plainly),
)


def _load(b: Builder, added: AddedNumber) -> Value:
    old = b.load(added.number.type, added.place, added.align)
    old.metadata = added.metadata
    return old


def _store(b: Builder, added: AddedNumber, total: Value) -> None:
    b.store(total, added.place, added.align).metadata = added.metadata


def add_number(access: WhoseShadow, i: Instruction, pointer: Value, adjoint: Value, team: TeamAdditions | None) -> None:
    """Adds the adjoint of what an instruction loads, whose numbers lie behind the pointer, to the shadow."""
    sweep, types, size = access.sweep, access.round.types, store_size(adjoint.type)
    marked = shadow = number_place(access, i, pointer, size, Purpose.ADD)
    has_several = types.contents(pointer, size).has_several_numbers
    is_mixed = has_several or types.contents(pointer, size).is_mixed
    state, alone = access.state(pointer), None
    distances = _distances(access, i, pointer) if state.is_added_by_team and not is_mixed else None
    if distances is not None:
        state = replace(state, is_added_by_team=bool(distances))
        alone = _is_alone(access, distances) if distances else None
    elif team is not None and state.is_added_by_team and not is_mixed and i.opcode == "load":
        shadow, alone = team.place(i, shadow) or (shadow, None)
        state = replace(state, is_added_by_team=not (isinstance(alone, ConstantInt) and alone.value))
    known = state, is_mixed, types.declared.is_number(i), access.round.options, alone
    for indices, _, offset in float_leaves(adjoint.type):
        number = sweep.b.extract_value(adjoint, *indices) if indices else adjoint
        place = sweep.b.offset(shadow, offset)
        added = AddedNumber(place, number, align_at(i, offset), shadow_metadata(access, i), *known)
        next(row for row in ADDITIONS if row.applies(added)).emit(sweep.b, added)
        if has_several or types.contents(pointer, size).is_marked:
            if state.is_added_by_team and sweep.analyses.signature.team is Team.SHARED:
                raise NotOnTeams("only the run tells which type of number is there, and each thread notes it alone")
            mark_adjoint(sweep.b, place if marked is shadow else sweep.b.offset(marked, offset), number)


def is_plain(access: WhoseShadow, i: Instruction) -> bool:
    """True if a load or store is of a number, in memory that holds nothing else and surely has a shadow of its own."""
    pointer, type_ = i.accessed_pointer, i.accessed_type
    state, contents = access.anchored_state(pointer), access.round.types.contents(pointer, store_size(type_))
    is_other = contents.has_several_numbers or contents.is_mixed or contents.is_marked
    return state.shadow is Shadow.SURE and not state.is_added_by_team and not is_other and is_float(type_)


def _distances(access: WhoseShadow, i: Instruction, pointer: Value) -> tuple[Distance, ...] | None:
    """Returns when no other thread of a team adds behind the pointer at the same time; None if that is not known."""
    apart = access.sweep.analyses.apart_additions
    return apart.distances(i) if apart is not None and i.opcode == "load" and i.operands[0] is pointer else None


def _is_alone(access: WhoseShadow, distances: tuple[Distance, ...]) -> Value:
    """Emits the test (i64) that shadows are as far apart as they must be, before the loop if possible."""
    values = (v for d in distances for v in (d.base, d.other, d.lower, d.upper))
    key = distances if all(map(is_known_early, values)) else None
    return access.sweep.early(key, lambda: _are_apart(access, distances))


def _are_apart(access: WhoseShadow, distances: tuple[Distance, ...]) -> Value:
    sweep, b = access.sweep, access.sweep.b
    result: Value = int_constant(1, I1)
    for d in distances:
        lower, upper = (b.resize_int(sweep.of(bound), I64, signed=True) for bound in (d.lower, d.upper))
        count = b.add(b.call("@llvm.abs.i64", I64, (b.sub(upper, lower), int_constant(0, I1))), int_constant(2))
        start, other = (b.cast("ptrtoint", sweep.shadow_of(base), I64) for base in (d.base, d.other))
        distance = b.add(b.sub(other, start), int_constant(d.offset))
        length = b.call("@llvm.abs.i64", I64, (distance, int_constant(0, I1)))
        is_far = b.icmp("uge", length, b.mul(count, int_constant(d.factor)))
        result = b.int_op("and", result, b.int_op("or", is_far, b.icmp("eq", distance, zero(I64))))
    return b.cast("zext", result, I64)


def _is_other(b: Builder, old: Value, part: Value) -> Value:
    """Returns whether a shadow that an adjoint of zero is added to may be (half of) something else, and would change.

    That is a pointer or a number of another type. An addition of zero may change denormal numbers and NaN only; as a
    double, a pointer is denormal. All others get the sum: the adjoint of zero may have a derivative that is not zero,
    and a later round differentiates the sum.
    """
    sizes = _BITS.get(part.type)
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


def mark_adjoint(b: Builder, place: Value, adjoint: Value) -> None:
    """Emits the note of what type of number an adjoint was added to, where a word may hold several."""
    if isinstance(adjoint.type, VectorType):
        size = store_size(adjoint.type.element)
        for lane in range(adjoint.type.count):
            element = b.emit("extractelement", adjoint.type.element, (adjoint, int_constant(lane)))
            mark_adjoint(b, b.offset(place, lane * size), element)
        return
    kind = _KINDS.get(adjoint.type)
    if kind is not None and isinstance(adjoint.type, FloatType):
        # LLVM may store -0, which is no sum of zero and -0, and would be bytes of which no mark tells what they are
        bits = IntType(adjoint.type.bits)
        is_there = b.cast("zext", b.icmp("ne", b.cast("bitcast", adjoint, bits), zero(bits)), I64)
        runtime.MARK_ADJOINT.call(b, place, int_constant(NUMBER_BITS[kind]), is_there)


_KINDS: dict[Type, Kind] = {DOUBLE: Kind.DOUBLE, FLOAT: Kind.FLOAT, X86_FP80: Kind.X86_FP80}


def shadow_metadata(access: WhoseShadow, i: Instruction) -> tuple[tuple[str, str], ...]:
    """The metadata of an access to the shadow of the memory that the instruction accesses."""
    return access.round.scopes.of_adjoint(kept_metadata(i, SHADOW_METADATA))


def align_at(i: Instruction, offset: int) -> int | None:
    """Returns the alignment at an offset in the memory that the instruction accesses."""
    align = i.memory.align
    if align is None or offset == 0:
        return align
    return min(align, offset & -offset)
