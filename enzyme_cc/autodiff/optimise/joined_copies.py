"""Joins copies of bytes that LLVM has split: one part of a struct moves in a register, the rest through memory.

SROA splits a copy where the first byte has another use, such as the placeholder in libstdc++'s storage of a value that
it inserts into a vector. Neither part has whole numbers then, so neither could be differentiated.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from ...analysis.integers.offsets import constant_place
from ...ir.builder import Builder
from ...ir.constants import ConstantInt
from ...ir.folding import int_constant, is_zero
from ...ir.instructions import INSTRUCTIONS
from ...ir.types import I1, I8, VOID, ArrayType, IntType, store_size
from ...ir.values import Function, Instruction, Value

_MEMCPY = "@llvm.memcpy."
_SPECIAL = frozenset(["atomic", "volatile"])
_ALIGNMENT = 16


class _Split(NamedTuple):
    """A copy in two parts: `load` and `store` move the first bytes, `fill` and `drain` the rest, through a slot."""

    load: Instruction
    store: Instruction
    fill: Instruction
    drain: Instruction


def join_split_copies(function: Function) -> None:
    """Rewrites the function in place."""
    for slot in [i for i in function.instructions() if i.opcode == "alloca" and not i.operands]:
        split = _split(slot)
        if split is not None:
            _join(function, slot, split)


def _split(slot: Instruction) -> _Split | None:
    """Returns the copy of which the slot holds the rest, if there is one and nothing comes between its parts."""
    copies = [u for u in slot.users if not u.is_lifetime_marker]
    if len(copies) != 2 or not all(u.callee_name.startswith(_MEMCPY) and is_zero(u.arguments[3]) for u in copies):
        return None
    fills = [u for u in copies if u.arguments[0] is slot and u.arguments[1] is not slot]
    drains = [u for u in copies if u.arguments[1] is slot and u.arguments[0] is not slot]
    if len(fills) != 1 or len(drains) != 1 or not _is_whole(slot, fills[0], drains[0]):
        return None
    fill, drain = fills[0], drains[0]
    for load in _neighbours(fill, "load"):
        users = list(load.users)
        if not isinstance(load.type, IntType) or len(users) != 1 or users[0] not in _neighbours(drain, "store"):
            continue
        size, store = store_size(load.type), users[0]
        if store.operands[0] is load and load.type.bits == 8 * size:
            before = _is_before(load.operands[0], fill.arguments[1], size)
            if before and _is_before(store.operands[1], drain.arguments[0], size):
                return _Split(load, store, fill, drain)
    return None


def _is_whole(slot: Instruction, fill: Instruction, drain: Instruction) -> bool:
    """True if both copies move the same number of bytes, and the slot has no more."""
    sizes = [copy.arguments[2] for copy in (fill, drain)]
    accessed = slot.memory.accessed
    assert accessed is not None
    known = [size.value for size in sizes if isinstance(size, ConstantInt)]
    return known == [store_size(accessed)] * 2


def _neighbours(copy: Instruction, opcode: str) -> list[Instruction]:
    """Returns the plain loads or stores of the copy's block with no other access to memory between them and it."""
    assert copy.block is not None
    instructions = copy.block.instructions
    at = instructions.index(copy)
    found: list[Instruction] = []
    for run in (reversed(instructions[:at]), instructions[at + 1 :]):
        found += _until_access(run, opcode)
    return found


def _until_access(run: Iterable[Instruction], opcode: str) -> Iterable[Instruction]:
    for i in run:
        if i.opcode == opcode and not _SPECIAL & set(i.flags):
            yield i
        if not INSTRUCTIONS[i.opcode].pure and (i.opcode != "load" or opcode == "store"):
            return


def _is_before(first: Value, rest: Value, size: int) -> bool:
    """True if `rest` points `size` bytes behind `first`."""
    (base, at), (other, place) = constant_place(first), constant_place(rest)
    return base is other and place - at == size


def _join(function: Function, slot: Instruction, split: _Split) -> None:
    """Makes one copy to a larger slot, and one from there, where the copies of the rest are."""
    size = store_size(split.load.type)
    rest = split.fill.arguments[2]
    assert isinstance(rest, ConstantInt)
    whole = size + rest.value
    larger = Builder.first(function.entry).alloca(ArrayType(I8, whole), align=_ALIGNMENT)
    for copy, to, origin in (
        (split.fill, larger, Builder.before(split.fill).offset(split.fill.arguments[1], -size, ())),
        (split.drain, Builder.before(split.drain).offset(split.drain.arguments[0], -size, ()), larger),
    ):
        operands = (to, origin, int_constant(whole), int_constant(0, I1))
        Builder.before(copy).call("@llvm.memcpy.p0.p0.i64", VOID, operands)
    for i in [split.store, split.load, *slot.users, slot]:
        if i.block is not None:
            i.erase()
