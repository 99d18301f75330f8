"""Loads and stores words as the numbers or pointers that the program's types (TBAA) call them.

It does so with words that are only moved, or packed into larger ones.

LLVM copies small structs through integers, but keeps the declared type of what it copies. If memory holds different
types at different times, only the declared type tells which of them the word has.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...analysis.type_analysis.declared.tbaa import Tbaa
from ...analysis.type_analysis.kinds import FLOATS, POINTER_TAG, Kind, Tag
from ...ir.builder import Builder
from ...ir.types import DOUBLE, FLOAT, PTR, IntType, Type, store_size
from ...ir.value_edges import PACKS
from ...ir.values import Function, Instruction, MemoryInfo

_TYPES: dict[Kind, Type] = {Kind.DOUBLE: DOUBLE, Kind.FLOAT: FLOAT, POINTER_TAG.kind: PTR}
_SPECIAL = frozenset(["atomic", "volatile"])
#: metadata that holds whatever the type of the value
_METADATA = frozenset(["!tbaa", "!alias.scope", "!noalias", "!dbg", "!nontemporal"])


def move_as_declared(tbaa: Tbaa, function: Function) -> None:
    """Rewrites in place the loads of integers whose users are all stores."""
    for i in list(function.instructions()):
        if i.opcode == "load" and isinstance(i.type, IntType) and is_only_moved(i):
            type_ = _declared(tbaa, i)
            if type_ is not None:
                _load_as(i, type_)


def load_packed_as_declared(tbaa: Tbaa, function: Function) -> None:
    """Rewrites in place the loads of integers that are declared numbers and packed: their bits are cast."""
    for i in list(function.instructions()):
        if i.opcode != "load" or not isinstance(i.type, IntType) or _SPECIAL & set(i.flags):
            continue
        if any(map(_packs, i.users)):
            tag = tbaa.scalar_access(i, store_size(i.type))
            type_ = _TYPES.get(tag.kind) if tag is not None and tag.kind in FLOATS else None
            if type_ is not None and store_size(type_) == store_size(i.type):
                _load_bits_of(i, type_)


def _packs(user: Instruction) -> bool:
    """True for what makes a part of a larger word."""
    return user.opcode == "zext" and bool(user.users) and all(u.opcode in PACKS for u in user.users)


def _load_bits_of(load: Instruction, type_: Type) -> None:
    number = Builder.before(load).insert(_with_type(load, type_))
    load.replace_uses(Builder.before(load).cast("bitcast", number, load.type))
    load.erase()


def is_only_moved(load: Instruction) -> bool:
    """Returns whether all that uses a loaded value are plain stores of it."""
    moves = [u for u in load.users if u.opcode == "store" and u.operands[1] is not load]
    plain = not any(_SPECIAL & set(i.flags) for i in (load, *moves))
    return plain and bool(moves) and len(moves) == len(load.users)


def _declared(tbaa: Tbaa, load: Instruction) -> Type | None:
    """The type that the load and its stores declare, if they agree."""
    found = {tag for tag in _tags(tbaa, load) if tag is not None}
    tag = found.pop() if len(found) == 1 else None
    return _TYPES.get(tag.kind) if tag is not None and tag.size == store_size(load.type) else None


def _tags(tbaa: Tbaa, load: Instruction) -> Iterator[Tag | None]:
    yield from (tbaa.scalar_access(i, store_size(load.type)) for i in (load, *load.users))


def _load_as(load: Instruction, type_: Type) -> None:
    load.replace_uses(Builder.before(load).insert(_with_type(load, type_)))
    load.erase()


def _with_type(load: Instruction, type_: Type) -> Instruction:
    info = MemoryInfo(type_, load.memory.align, load.memory.ordering, "", load.memory.suffix)
    metadata = tuple((kind, node) for kind, node in load.metadata if kind in _METADATA)
    return Instruction("load", type_, [load.operands[0]], info, load.flags, metadata=metadata)
