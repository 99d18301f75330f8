"""Memory that holds numbers at one time, pointers at another: unions copied whole, blocks of a pool used again.

No layout tells what such a copy moves. But in memory that the differentiated program made itself, the shadows of
numbers are zero throughout the forward sweep: what is not zero there is the shadow of a pointer. So the forward sweep
copies all bytes of the shadow, and keeps on the tape what it copied; in reverse, a word that was a pointer's shadow
then is one, and all others are adjoints. Where a number is stored over a pointer, the forward sweep clears the shadow;
where a pointer is stored over a number, the reverse sweep does.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from ...analysis.callees import CalleeKind
from ...analysis.storage.needs import Need
from ...analysis.type_analysis.analysis import Kind
from ...ir.builder import int_constant, is_zero
from ...ir.types import PTR, VOID, store_size
from ...ir.values import Function, Instruction, Value
from ..core.layouts import constant_size, find_layout

if TYPE_CHECKING:
    from ..core.round import Session
    from ..reverse.primal_sweep import ForwardSweep
    from ..reverse.reverse_values import ReverseValues
    from ..tangent.tangent_sweep import TangentSweep

#: the runtime's functions for such memory (toolchain/runtime/mixed.c), which have no adjoints themselves
MIXED = frozenset(
    ["__ez_mixed_keep", "__ez_mixed_copy", "__ez_mixed_adjoint", "__ez_mixed_constants", "__ez_clear_words"]
)
#: how the runtime's tables say what numbers a word may hold; it adds these where two adjoints meet
_NUMBERS = {Kind.DOUBLE: 1, Kind.FLOAT: 2, Kind.X86_FP80: 4}
_POINTER = {Kind.POINTER: 8}


def is_mixed(sweep: ForwardSweep | ReverseValues | TangentSweep, pointers: Iterable[Value], size: Value | None) -> bool:
    """Whether the bytes behind the pointers have no layout, but can be told apart at run time."""
    types, pointers = sweep.session.types, list(pointers)
    if find_layout(types, pointers, constant_size(size)) is not None:
        return False
    private = all(types.is_private(p) for p in pointers if sweep.activity.shadowed(p))
    return private and _all_known(sweep, pointers, size)


def _all_known(sweep: ForwardSweep | ReverseValues | TangentSweep, pointers: list[Value], size: Value | None) -> bool:
    """Whether all numbers are of kinds that the runtime can add."""
    kinds = frozenset().union(*sweep.session.types.words(pointers, constant_size(size)))
    return kinds <= _NUMBERS.keys() | _POINTER.keys()


def copy_shadow(
    sweep: ForwardSweep, i: Instruction, pointers: list[Value], to: Value, origin: Value, size: Value, constant: Value
) -> None:
    """The forward half: `size` bytes of shadow are copied; those that hold pointers are kept on the tape.

    `constant`: how many of them are constants, where the origin is constant memory, its own shadow.
    """
    kept = sweep.b.call("@__ez_mixed_keep", PTR, (sweep.frame.arena, origin, size))
    sweep.b.call("@__ez_mixed_copy", VOID, (to, origin, size))
    if not is_zero(constant):
        clear_constants(sweep, pointers, to, size, constant)
    sweep.save(Need("bytes", i, sweep.lane), lambda: kept)


def adjoint_of_copy(
    sweep: ReverseValues, i: Instruction, kinds: list[frozenset[Kind]], to: Value, origin: Value, size: Value
) -> None:
    """Numbers in the shadow at `to` are added to those at `origin`; the shadow is zero after.

    `kinds`: what each word may hold, or each of one period.
    """
    table = sweep.session.table([sum(_NUMBERS.get(kind, 0) for kind in word) for word in kinds])
    kept = sweep.need(Need("bytes", i, sweep.lane))
    sweep.b.call("@__ez_mixed_adjoint", VOID, (to, origin, size, kept, table, int_constant(len(kinds))))


def clear_constants(
    sweep: ForwardSweep | TangentSweep, pointers: Iterable[Value], shadow: Value, size: Value, count: Value
) -> None:
    """Constants were copied to a shadow, where pointers may stay but numbers become zero.

    `size`: bytes copied; `count`: of these to look at now. The runtime tells numbers and pointers apart by their bits;
    where it cannot, the program ends with a message.
    """
    kinds = sweep.session.types.words(pointers, constant_size(size))
    bits = _NUMBERS | _POINTER
    table = sweep.session.table([sum(bits.get(kind, 0) for kind in word) for word in kinds])
    sweep.b.call("@__ez_mixed_constants", VOID, (shadow, count, table, int_constant(len(kinds))))


def is_mixed_target(sweep: ForwardSweep | ReverseValues, pointer: Value, size: Value | None) -> bool:
    """Whether what is copied has a layout, but not the place that it is copied to."""
    types, count = sweep.session.types, constant_size(size)
    return types.is_private(pointer) and types.is_mixed(pointer, count)


# -- writes of what is known


def clear_before(sweep: ForwardSweep, pointer: Value, size: Value) -> None:
    """Numbers are written where the shadow may still hold a pointer's, which is then gone as a whole."""
    sweep.b.call("@__ez_clear_words", VOID, (sweep.shadow_of(pointer), size))


def clear_after(sweep: ReverseValues, store: Instruction) -> None:
    """A pointer was stored where a number may have been before, whose adjoint begins with zero."""
    value, pointer = store.operands
    size = int_constant(store_size(value.type))
    sweep.b.call("@__ez_clear", VOID, (sweep.shadow(pointer), size, size, int_constant(0), size))


# -- functions


def functions_with_mixed_memory(session: Session, functions: Iterable[Function]) -> set[str]:
    """Functions that copy such memory, or call one that does.

    Their forward sweep must run before any reverse sweep has begun: it tells numbers by their shadows' being zero.
    """
    functions = list(functions)
    found = {f.name for f in functions if any(_touches_mixed(session, i) for i in f.instructions())}
    calls = {f.name: {session.callees.of(i).name for i in f.instructions() if i.opcode == "call"} for f in functions}
    grew = bool(found)
    while grew:
        more = {name for name, callees in calls.items() if name not in found and callees & found}
        found |= more
        grew = bool(more)
    return found


def _touches_mixed(session: Session, i: Instruction) -> bool:
    if i.opcode == "store":
        return session.carriers.is_mixed_store(i)
    if i.opcode != "call":
        return False
    callee = session.callees.of(i)
    if callee.kind not in _COPYING or callee.known is None:
        return False
    if callee.kind is CalleeKind.REALLOCATE:
        return find_layout(session.types, [i, i.arguments[0]], None) is None
    pointers = [i.arguments[callee.known.target]]
    if callee.kind is CalleeKind.COPY:
        pointers.append(i.arguments[callee.known.source])
    return find_layout(session.types, pointers, constant_size(i.arguments[callee.known.length])) is None


_COPYING = frozenset([CalleeKind.COPY, CalleeKind.FILL, CalleeKind.REALLOCATE])
