"""Words that are only moved, and that the program's own types call numbers or pointers, are loaded and stored as such.

LLVM makes integers of small copies of structs, but keeps the type of what is copied (TBAA). Where memory holds
different things at different times, that type is all that tells what such a word is.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...analysis.type_analysis.declared.tbaa import Tbaa
from ...analysis.type_analysis.kinds import POINTER_TAG, Kind, Tag
from ...ir.types import DOUBLE, FLOAT, PTR, IntType, Type, store_size
from ...ir.values import Function, Instruction, MemoryInfo

_TYPES: dict[Kind, Type] = {Kind.DOUBLE: DOUBLE, Kind.FLOAT: FLOAT, POINTER_TAG.kind: PTR}
_SPECIAL = frozenset(["atomic", "volatile"])
#: what is said of an access whatever the type of its value
_METADATA = frozenset(["!tbaa", "!alias.scope", "!noalias", "!dbg", "!nontemporal"])


def move_as_declared(tbaa: Tbaa, function: Function) -> None:
    """Rewrites loads of integers all users of which are stores, in place."""
    for i in list(function.instructions()):
        if i.opcode == "load" and isinstance(i.type, IntType) and _is_only_moved(i):
            type_ = _declared(tbaa, i)
            if type_ is not None:
                _load_as(i, type_)


def _is_only_moved(load: Instruction) -> bool:
    moves = [u for u in load.users if u.opcode == "store" and u.operands[1] is not load]
    plain = not any(_SPECIAL & set(i.flags) for i in (load, *moves))
    return plain and bool(moves) and len(moves) == len(load.users)


def _declared(tbaa: Tbaa, load: Instruction) -> Type | None:
    """The type that the accesses name, if they agree."""
    found = {tag for tag in _tags(tbaa, load) if tag is not None}
    tag = found.pop() if len(found) == 1 else None
    return _TYPES.get(tag.kind) if tag is not None and tag.size == store_size(load.type) else None


def _tags(tbaa: Tbaa, load: Instruction) -> Iterator[Tag | None]:
    yield from (tbaa.scalar_access(i, store_size(load.type)) for i in (load, *load.users))


def _load_as(load: Instruction, type_: Type) -> None:
    info = MemoryInfo(type_, load.memory.align, load.memory.ordering, "", load.memory.suffix)
    metadata = tuple((kind, node) for kind, node in load.metadata if kind in _METADATA)
    new = Instruction("load", type_, [load.operands[0]], info, load.flags, metadata=metadata)
    assert load.block is not None
    load.block.insert(load.block.instructions.index(load), new)
    load.replace_uses(new)
    load.erase()
