"""Finds the pointers in globals that code outside of the derivative may have stored there: for foreign_memory.py."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from itertools import cycle, groupby

from ...analysis.integers.offsets import global_of
from ...analysis.type_analysis.declared.hints import hint_of_type
from ...analysis.type_analysis.kinds import FLOATS, Kind
from ...ir.constants import GlobalRef
from ...ir.types import ArrayType, alloc_size, is_float, is_opaque, is_pointer
from ..core.layouts import find_layout, pointer_segments
from ..core.pointers import POINTER_BYTES, ForeignPointers, GlobalPointer, PointerRow, Pool
from ..core.round import ExploredRound, PreparedRound
from .heap import pools_of
from .live_pointers import LivePointers

#: the most pointers in one global that may belong to pools
_MOST_POOLED = 100


def foreign_pointers(round: ExploredRound, roots: Iterable[str], known: Iterable[Pool] = ()) -> ForeignPointers:
    """Returns the pointers in globals that differentiated functions may read.

    `roots`: the functions of requests; `known`: pools of the rounds before. Derivatives keep addresses of their blocks
    on tapes only, which does not show in the code.
    """
    functions = round.differentiated
    active, declared = round.state.active_globals, round.declared
    reached = frozenset().union(*(round.globals_of.get(name, frozenset()) for name in functions))
    own = {name: [*_pointers(round, name)] for name in sorted((reached & active) - declared)}
    others = sorted(_lead_to_numbers(round, functions, reached - active - round.state.inactive_globals))
    of_inactive = {name: [*_pointers(round, name)] for name in others}
    resolved, of_inactive = ({name: words for name, words in found.items() if words} for found in (own, of_inactive))
    few = {name: words for name, words in resolved.items() if sum(w.number for w in words) <= _MOST_POOLED}
    pools = pools_of(
        round, {name: [o for w in words for o in w.offsets] for name, words in few.items()}, {*resolved, *declared}
    )
    found = {word for pool in pools for word in (*pool.first, *pool.inside)}
    lasting = {GlobalPointer(name, at) for name, words in few.items() for row in words for at in row.offsets} - found
    pools = [*pools, *(pool.only(lasting) for pool in known)]
    live = LivePointers(round, {word for pool in pools for word in (*pool.first, *pool.inside)}).of(roots)
    pools = [kept for pool in pools if (kept := pool.only(live)).first]
    named = [name for name in sorted(reached - round.state.inactive_globals) if _is_vector(round, name)]
    inactive = sorted(reached - active - declared - round.state.inactive_globals) if resolved else []
    leading = next((name for name in inactive if round.types.contents(GlobalRef.of(name), None).leads_to_numbers), None)
    return ForeignPointers(resolved, tuple(pools), of_inactive, leading, tuple(named))


def _is_vector(round: PreparedRound, name: str) -> bool:
    """True if a global is a number or an array of numbers with one dimension.

    In any other global, an argument may lie in a part that differentiated code does not use by name.
    """
    type_ = round.source.globals[name].value_type
    return is_float(type_.element if isinstance(type_, ArrayType) else type_)


def _pointers(round: PreparedRound, name: str) -> Iterator[PointerRow]:
    size = size_of(round, name)
    layout = find_layout(round.types, [GlobalRef.of(name)], size)
    if layout is None:
        kinds = round.types.contents(GlobalRef.of(name), size).words()
        declared = _declared_pointers(round, name, size)
        repeats = len(kinds) * POINTER_BYTES < size  # of a large global, the words of one period are known
        yield from _rows(
            offset
            for offset, word in zip(range(0, size - POINTER_BYTES + 1, POINTER_BYTES), cycle(kinds), strict=False)
            if (word == {Kind.POINTER} and not repeats) or (Kind.POINTER in word and offset in declared)
        )
        return
    for segment in pointer_segments(layout):
        if layout.period is None:
            yield PointerRow(segment.offset, segment.length // POINTER_BYTES, POINTER_BYTES)
            continue
        for offset in range(segment.offset, segment.offset + segment.length, POINTER_BYTES):
            yield PointerRow(offset, (size - offset + layout.period - 1) // layout.period, layout.period)


def _rows(offsets: Iterable[int]) -> Iterator[PointerRow]:
    """Yields rows of pointers that lie one behind the other. `offsets`: those of all pointers, ascending."""
    for _, group in groupby(enumerate(offsets), lambda at: at[1] - at[0] * POINTER_BYTES):
        found = [offset for _, offset in group]
        yield PointerRow(found[0], len(found), POINTER_BYTES)


def _declared_pointers(round: PreparedRound, name: str, size: int) -> set[int]:
    """Returns the offsets of pointers in the global's declared type.

    If pointers elsewhere lead back into the global, type analysis may not tell its fields apart.
    """
    hint = hint_of_type(round.source.globals[name].value_type)
    regions = hint.expanded(size) if hint is not None else ()
    return {
        at
        for offset, length, kind in regions
        if kind is Kind.POINTER
        for at in range(offset, offset + length, POINTER_BYTES)
    }


def _lead_to_numbers(round: PreparedRound, functions: Iterable[str], names: Set[str]) -> set[str]:
    """Returns those of the globals from which a function loads a pointer to memory with numbers."""
    found: set[str] = set()
    for name in functions:
        for i in round.source.body(name).instructions() if round.globals_of.get(name, frozenset()) & names else ():
            place = global_of(i.operands[0]) if i.opcode == "load" and is_pointer(i.type) else None
            if place is not None and place in names - found and round.types.contents(i, None).has(FLOATS):
                found.add(place)
    return found


def size_of(round: PreparedRound, name: str) -> int:
    """Returns the size of a global in bytes; 0 if it is an alias or its type is opaque."""
    variable = round.source.globals[name]
    return 0 if variable.alias or is_opaque(variable.value_type) else alloc_size(variable.value_type)
