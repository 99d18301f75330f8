"""Pools: pointers in globals that lead to the same heap blocks, such as work space that the first user allocates.

A request can make shadows of these blocks, because the program reaches their numbers through these pointers only:

- The program stores nothing in the pointers but null, the address of a block from malloc or a similar function, an
  address inside the block (the end of a vector), or the value of another such pointer (buffers that are swapped).
- No other memory that outlives a call holds an address of the blocks.

All of this is derived from the program's code (heap_holders.py, heap_origins.py, heap_escapes.py). A global with an
unclear access is left out, and so are the globals that share blocks with it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from ...analysis.type_analysis.kinds import FLOATS, Kind
from ...ir.constants import Constant, ConstantAggregate
from ...ir.folding import is_zero
from ...ir.types import (
    ArrayType,
    NamedStruct,
    StructType,
    Type,
    VectorType,
    alloc_size,
    field_offsets,
    is_opaque,
    is_pointer,
    struct_fields,
)
from ..core.pointers import GlobalPointer, Pool
from ..core.round import PreparedRound
from .global_users import OWN, Users
from .heap_escapes import escape_of
from .heap_holders import MANY, Holder
from .heap_origins import Origin, family


def pools_of(round: PreparedRound, pointers: Mapping[str, list[int]], active: Collection[str]) -> list[Pool]:
    """Returns the pools among `pointers`: globals, each with the offsets of all its pointers.

    `active`: all globals with shadows. One that is not in `pointers` must not share blocks with a pool. A constant
    global may: the program checks that when a request begins.
    """
    users = Users(round)
    holders = _find_holders(round, users, pointers)
    tried = {*active}
    while True:
        escapes = {name: escape_of(holder, holders) for name, holder in holders.items()}
        unclear = {name: reason for name, reason in escapes.items() if reason is not None}
        unknown = {reason.at for reason in unclear.values() if reason.at is not None} - tried
        if unknown:
            tried |= unknown
            found = {name: [*_offsets(round.source.globals[name].value_type)] for name in unknown}
            few = {name: offsets for name, offsets in found.items() if len(offsets) < MANY}
            holders |= _find_holders(round, users, few)
        elif unclear:
            holders = {name: holder for name, holder in holders.items() if name not in unclear}
        else:
            return [*_pools(round, holders, pointers)]


def _find_holders(round: PreparedRound, users: Users, pointers: Mapping[str, list[int]]) -> dict[str, Holder]:
    """Returns the globals whose accesses are all clear, and whose pointers are null at the start of the program."""
    found = {}
    for name, offsets in pointers.items():
        variable = round.source.globals[name]
        begins_null = all(_is_null(variable.initializer, offset) for offset in offsets)
        if variable.linkage in OWN and begins_null:
            found[name] = Holder(round, users, name, offsets)
    users.find(found)
    return {name: holder for name, holder in found.items() if holder.follow(users.of(name))}


def _offsets(type_: Type) -> Iterator[int]:
    """Yields the offsets of the pointers in a type; only the first elements of an array are looked at."""
    if is_pointer(type_):
        yield 0
    elif isinstance(type_, ArrayType):
        for k in range(min(type_.count, MANY)):
            yield from (k * alloc_size(type_.element) + offset for offset in _offsets(type_.element))
    elif not is_opaque(type_) and isinstance(type_, StructType | NamedStruct):
        for at, field in zip(field_offsets(type_), struct_fields(type_), strict=True):
            yield from (at + offset for offset in _offsets(field))


def _is_null(initializer: Constant | None, offset: int) -> bool:
    """True if the initializer has a null pointer at the offset."""
    if initializer is None or is_zero(initializer):
        return initializer is not None
    if not isinstance(initializer, ConstantAggregate):
        return False
    if isinstance(initializer.type, ArrayType | VectorType):
        part, rest = divmod(offset, alloc_size(initializer.type.element))
        return _is_null(initializer.elements[part], rest)
    places = field_offsets(initializer.type)
    part = max(k for k, place in enumerate(places) if place <= offset)
    return _is_null(initializer.elements[part], offset - places[part])


def _pools(round: PreparedRound, holders: Mapping[str, Holder], names: Iterable[str]) -> Iterator[Pool]:
    words = [word for name in names if name in holders for word in holders[name].words]
    behind = {word: _kinds(round, holders, word) for word in words}
    made = {word: frozenset(Origin(round, holders, word).made) for word, kinds in behind.items() if kinds <= FLOATS}
    left = sorted(word for word, calls in made.items() if calls)
    firsts = _firsts(round, holders)
    while left:
        group, calls = [], made[left[0]]
        while more := [word for word in left if made[word] & calls]:
            group += more
            left = [word for word in left if word not in more]
            calls = calls.union(*(made[word] for word in more))
        first = [word for word in group if word in firsts]
        if any(behind[word] for word in first):
            yield Pool(first, [word for word in group if word not in firsts], family(calls))


def _kinds(round: PreparedRound, holders: Mapping[str, Holder], word: GlobalPointer) -> frozenset[Kind]:
    loaded = holders[word.name].loaded_from(word)
    return frozenset(kind for i in loaded for kinds in round.types.contents(i, None).words() for kind in kinds)


def _firsts(round: PreparedRound, holders: Mapping[str, Holder]) -> set[GlobalPointer]:
    """Returns the pointers in which only null and addresses of first bytes of blocks are stored."""
    words = [word for holder in holders.values() for word in holder.words]
    origins = {word: Origin(round, holders, word, follows_loads=False) for word in words}
    found = {word for word, origin in origins.items() if not origin.is_moved}
    while wrong := {word for word in found if not origins[word].loaded <= found}:
        found -= wrong
    return found
