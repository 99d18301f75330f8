"""Replaces atomic exchanges of numbers by comparison (cmpxchg) by a load, a comparison and a store.

Compilers make them of atomic arithmetic that the processor does not have (`_Atomic double x; x *= y`), on the bits of
the numbers. Within one thread, the two forms do the same. Exchanges of integers and pointers stay: locks are made of
them.
"""

from __future__ import annotations

from ....ir.builder import Builder
from ....ir.constants import ConstantWord
from ....ir.edit import move_tail
from ....ir.types import Type, is_float
from ....ir.values import Function, Instruction, MemoryInfo, Value


def separate_exchanges(function: Function) -> None:
    """Replaces each cmpxchg of the bits of numbers, in place."""
    for i in list(function.instructions()):
        type_ = _number_exchanged(i) if i.opcode == "cmpxchg" else None
        if type_ is not None:
            _separate(function, i, type_)


def _number_exchanged(i: Instruction) -> Type | None:
    """Returns the type of the numbers whose bits are exchanged; None if none of the bits are converted."""
    _, expected, new = i.operands
    found = [user for user in i.users if user.opcode == "extractvalue" and user.indices == (0,)]
    given = [o.operands[0].type for o in (expected, new) if isinstance(o, Instruction) and o.opcode == "bitcast"]
    taken = [user.type for value in found for user in value.users if user.opcode == "bitcast"]
    return next(filter(is_float, [*given, *taken]), None)


def _separate(function: Function, i: Instruction, type_: Type) -> None:
    pointer, expected, new = i.operands
    block, align = i.block, i.memory.align
    assert block is not None
    stores, after = function.add_block(), function.add_block()
    move_tail(i, after)
    b = Builder(block)
    seen = b.insert(Instruction("load", type_, (pointer,), MemoryInfo(type_, align), metadata=i.metadata))
    bits = b.cast("bitcast", seen, expected.type)
    same = b.icmp("eq", bits, expected)
    b.cond_br(same, stores, after)
    b = Builder(stores)
    b.store(_as_number(b, new, type_), pointer, align)
    b.br(after)
    for user in list(i.users):
        if user.opcode == "extractvalue":
            _take(user, seen, bits, same)
    if i.users:
        b = Builder.before(i)
        pair = b.insert_value(ConstantWord(i.type, "poison"), bits, 0)
        i.replace_uses(b.insert_value(pair, same, 1))
    i.erase()


def _as_number(b: Builder, bits: Value, type_: Type) -> Value:
    is_converted = isinstance(bits, Instruction) and bits.opcode == "bitcast" and bits.operands[0].type == type_
    return bits.operands[0] if isinstance(bits, Instruction) and is_converted else b.cast("bitcast", bits, type_)


def _take(part: Instruction, seen: Value, bits: Value, same: Value) -> None:
    """Replaces a part of the exchange's result: the bits that were in memory, or whether the exchange was made."""
    if part.indices == (1,):
        part.replace_uses(same)
    else:
        for user in list(part.users):
            if user.opcode == "bitcast" and user.type == seen.type:
                user.replace_uses(seen)
                user.erase()
        part.replace_uses(bits)
    part.erase()
