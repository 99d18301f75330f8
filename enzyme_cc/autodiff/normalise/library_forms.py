"""Rewrites library calls into forms with simple derivatives, before anything is analysed.

- Intrinsics that return their operand become the operand.
- A pointer found within an operand (memchr) becomes an offset to that operand, and so does a masked pointer.
- posix_memalign, which passes memory through a pointer, becomes memalign.
- Functions of long double complex take real and imaginary parts by value.
- Calls of copysign and fma become intrinsics.
- Integer arithmetic that tells of overflow becomes plain arithmetic, which may be that of addresses or bits of numbers.
- What scanf and streams read goes to a variable first (overwritten.py).
- Masked accesses, intrinsics of x86 and known inline assembly become plain instructions.
"""

from __future__ import annotations

import re
from functools import partial

from ...analysis.callees import plain_name
from ...analysis.integers.bit_rules import choice
from ...ir.builder import Builder, Rewrite, put_in_place
from ...ir.constants import GlobalRef, InlineAsm
from ...ir.folding import int_constant, zero
from ...ir.module import Module
from ...ir.types import I8, I32, I64, PTR, X86_FP80, IntType, PointerType
from ...ir.value_edges import KEEPS_BITS
from ...ir.values import Argument, Function, Instruction, Source, Value
from ...rules.complex import COMPLEX
from ...rules.expression_functions import type_suffix
from ...rules.knowledge import CalleeKind
from ...rules.library_functions import is_standard_cxx, known
from . import assembly, overwritten, x86
from .vectors.masked import by_lanes, is_masked_access

#: they return their operand: what they tell LLVM is dropped with them (see kept_metadata)
_SAME_POINTER = (
    "llvm.threadlocal.address", "llvm.launder.invariant.group", "llvm.strip.invariant.group", "llvm.ptr.annotation",
)  # fmt: skip
_TELLS_OVERFLOW = re.compile(r"llvm\.[su](add|sub|mul)\.with\.overflow\.i")
_NO_MEMORY = 12  # ENOMEM


def simplify_library_calls(module: Module, function: Function) -> None:
    """Rewrites the calls of a function in place."""
    for i in list(function.instructions()):
        rewrite = _rewrite_of(module, i) if i.opcode == "call" else None
        if rewrite is not None:
            put_in_place(i, rewrite)


def _rewrite_of(module: Module, i: Instruction) -> Rewrite | None:
    if isinstance(i.callee, InlineAsm):
        return assembly.rewrite_of(i)
    callee = module.functions.get(i.callee.name) if isinstance(i.callee, GlobalRef) else None
    if not isinstance(i.callee, GlobalRef):
        return None
    name = plain_name(i.callee.name)
    if callee is not None and not callee.is_declaration:
        return overwritten.rewrite_of(module, i) if is_standard_cxx(name) else None
    if name.startswith(_SAME_POINTER):
        return _operand
    if is_masked_access(name):
        return by_lanes
    if _TELLS_OVERFLOW.match(name):
        return _plain_arithmetic
    row = known(name)
    apart = overwritten.rewrite_of(module, i)
    if row is not None and row.kind is CalleeKind.INACTIVE and row.result is not None:
        return partial(_place_within, apart or _same_call)
    if choice(i) is not None and _only_moves(i):
        return _chosen
    return _REWRITES.get(name) or apart or x86.rewrite_of(i, name)


def _operand(b: Builder, i: Instruction) -> Value:
    return i.arguments[0]


def _plain_arithmetic(b: Builder, i: Instruction) -> Value:
    """The same call, whose first result is computed without it."""
    tells = _TELLS_OVERFLOW.match(plain_name(i.callee_name))
    assert tells is not None
    for user in [u for u in i.users if u.opcode == "extractvalue" and u.indices == (0,)]:
        user.replace_uses(b.int_op(tells[1], i.arguments[0], i.arguments[1]))
        user.erase()
    return b.insert(Instruction("call", i.type, list(i.operands), i.extra, i.flags))


def _intrinsic(name: str, b: Builder, i: Instruction) -> Value:
    """An intrinsic in place of a function of the C library that -fno-builtin has clang call."""
    return b.call(f"@llvm.{name}.{type_suffix(i.type)}", i.type, tuple(i.arguments))


def _offset_for_mask(b: Builder, i: Instruction) -> Value:
    """A masked pointer as an offset to the pointer: its shadow has the same offset, whatever its address."""
    pointer, mask = i.arguments
    address = b.cast("ptrtoint", pointer, I64)
    distance = b.sub(b.emit("and", I64, (address, mask)), address)
    return b.emit("getelementptr", PTR, (pointer, distance), Source(I8))


def _same_call(b: Builder, i: Instruction) -> Value:
    return b.insert(Instruction("call", i.type, list(i.operands), i.extra, i.flags))


def _place_within(call: Rewrite, b: Builder, i: Instruction) -> Value:
    """A pointer that a function finds within its operand (memchr), as an offset to the operand; null if none."""
    row = known(plain_name(i.callee.name))  # type: ignore[attr-defined]
    assert row is not None and row.result is not None
    found, base = call(b, i), i.arguments[row.result]
    if not isinstance(i.type, PointerType):
        return found
    distance = b.sub(b.cast("ptrtoint", found, I64), b.cast("ptrtoint", base, I64))
    place = b.offset(base, distance, ())
    return b.select(b.icmp("eq", found, zero(PTR)), zero(PTR), place)


def _only_moves(i: Instruction) -> bool:
    """True if the integers may be bits of numbers, which the code loads, compares and stores."""
    if not isinstance(i.type, IntType) or not all(_may_hold_number(a) for a in i.arguments):
        return False
    return all(map(_may_hold_number, i.users))


def _may_hold_number(value: Value) -> bool:
    if not isinstance(value, Instruction):
        return isinstance(value, Argument)
    return value.opcode in KEEPS_BITS or choice(value) is not None


def _chosen(b: Builder, i: Instruction) -> Value:
    """The smaller or larger of two integers, by a comparison and a select."""
    order, (first, second) = choice(i), i.arguments
    assert order is not None
    return b.select(b.icmp(order, first, second), first, second)


def _memalign(b: Builder, i: Instruction) -> Value:
    """posix_memalign by memalign: the memory is a result, which is then stored."""
    place, alignment, size = i.arguments
    made = b.call("@memalign", PTR, (alignment, size))
    b.store(made, place, 8)
    return b.select(b.icmp("eq", made, zero(PTR)), int_constant(_NO_MEMORY, I32), int_constant(0, I32))


def _complex_by_value(b: Builder, i: Instruction) -> Value:
    """A call with complex operands in memory, as a call with their real and imaginary parts."""
    parts = [b.load(X86_FP80, b.offset(a, at), 16) for a in i.arguments for at in (0, 16)]
    return b.call(f"@__ez_{plain_name(i.callee.name)}", i.type, parts)  # type: ignore[attr-defined]


_REWRITES: dict[str, Rewrite] = {
    "llvm.ptrmask.p0.i64": _offset_for_mask,
    "posix_memalign": _memalign,
    **{f"{name}l": _complex_by_value for name in COMPLEX},
    **{f"{name}{suffix}": partial(_intrinsic, name) for name in ("copysign", "fma") for suffix in ("", "f", "l")},
}
