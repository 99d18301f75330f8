"""Replaces atomic exchanges, minima and maxima of numbers and pointers by a load, a comparison, and a store.

Compilers make those of numbers of atomic arithmetic that the processor does not have (`_Atomic double x; x *= y`), on
the bits of the numbers. Lists and pools without a lock exchange pointers, as integers. Loads and stores of pointers
take their shadows with them. Within one thread, the two forms do the same. Exchanges of integers stay: locks are made
of them.
"""

from __future__ import annotations

from ....ir.builder import Builder
from ....ir.constants import ConstantWord
from ....ir.edit import move_tail
from ....ir.instructions import ATOMIC_UPDATES, WORD_CASTS
from ....ir.types import PTR, PointerType, Type, is_float
from ....ir.values import Function, Instruction, MemoryInfo, Value
from ....rules.expression_functions import type_suffix

#: operation of an atomicrmw -> the intrinsic that chooses one of two numbers
_CHOICES = {"fmax": "maxnum", "fmin": "minnum", "fmaximum": "maximum", "fminimum": "minimum"}


def separate_exchanges(function: Function) -> None:
    """Replaces each exchange of pointers, and each cmpxchg of the bits of numbers, in place."""
    for i in list(function.instructions()):
        type_ = _exchanged(i) if i.opcode in ATOMIC_UPDATES else None
        if type_ is not None and i.opcode == "cmpxchg":
            _separate(function, i, type_)
        elif type_ == PTR and i.memory.operation == "xchg":
            _separate_swap(i)
        elif i.opcode == "atomicrmw" and i.memory.operation in _CHOICES:
            _separate_choice(i)


def _exchanged(i: Instruction) -> Type | None:
    """Returns the type of the numbers or pointers whose bits are exchanged; None if none of the bits are converted."""
    values = i.operands[1:]
    found = [i] if i.opcode == "atomicrmw" else [u for u in i.users if u.opcode == "extractvalue" and u.indices == (0,)]
    given = [o.operands[0].type for o in values if isinstance(o, Instruction) and o.opcode in WORD_CASTS]
    taken = [user.type for value in found for user in value.users if user.opcode in WORD_CASTS]
    types = [values[-1].type, *given, *taken]
    return next((t for t in types if is_float(t) or isinstance(t, PointerType)), None)


def _separate_swap(i: Instruction) -> None:
    pointer, new = i.operands
    b = Builder.before(i)
    seen = b.insert(Instruction("load", PTR, (pointer,), MemoryInfo(PTR, i.memory.align), metadata=i.metadata))
    b.store(_converted(b, new, PTR), pointer, i.memory.align)
    i.replace_uses(_converted(b, seen, i.type))
    i.erase()


def _separate_choice(i: Instruction) -> None:
    pointer, other = i.operands
    b = Builder.before(i)
    type_, align = other.type, i.memory.align
    seen = b.insert(Instruction("load", type_, (pointer,), MemoryInfo(type_, align), metadata=i.metadata))
    name = f"@llvm.{_CHOICES[i.memory.operation]}.{type_suffix(type_)}"
    b.store(b.call(name, type_, (seen, other)), pointer, align)
    i.replace_uses(seen)
    i.erase()


def _separate(function: Function, i: Instruction, type_: Type) -> None:
    pointer, expected, new = i.operands
    block, align = i.block, i.memory.align
    assert block is not None
    stores, after = function.add_block(), function.add_block()
    move_tail(i, after)
    b = Builder(block)
    seen = b.insert(Instruction("load", type_, (pointer,), MemoryInfo(type_, align), metadata=i.metadata))
    bits = _converted(b, seen, expected.type)
    same = b.icmp("eq", bits, expected)
    b.cond_br(same, stores, after)
    b = Builder(stores)
    b.store(_converted(b, new, type_), pointer, align)
    b.br(after)
    for user in list(i.users):
        if user.opcode == "extractvalue":
            _take(user, seen, bits, same)
    if i.users:
        b = Builder.before(i)
        pair = b.insert_value(ConstantWord(i.type, "poison"), bits, 0)
        i.replace_uses(b.insert_value(pair, same, 1))
    i.erase()


def _converted(b: Builder, value: Value, type_: Type) -> Value:
    """Returns the value as another type of as many bits: what it was made of, if it is a cast."""
    if value.type == type_:
        return value
    if isinstance(value, Instruction) and value.opcode in WORD_CASTS and value.operands[0].type == type_:
        return value.operands[0]
    is_to, is_from = isinstance(type_, PointerType), isinstance(value.type, PointerType)
    return b.cast("inttoptr" if is_to else "ptrtoint" if is_from else "bitcast", value, type_)


def _take(part: Instruction, seen: Value, bits: Value, same: Value) -> None:
    """Replaces a part of the exchange's result: the bits that were in memory, or whether the exchange was made."""
    if part.indices == (1,):
        part.replace_uses(same)
    else:
        for user in list(part.users):
            if user.opcode in WORD_CASTS and user.type == seen.type:
                user.replace_uses(seen)
                user.erase()
        part.replace_uses(bits)
    part.erase()
