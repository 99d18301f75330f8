"""Library functions that write single numbers (sscanf, `stream >> x`): they write to a variable of their own.

What was written is then stored where it belongs: a constant, whose derivative is zero. A function that does not write,
as the input ends, leaves the number and its derivative as they are: the variable starts as a NaN that no input has.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from ...analysis.callees import plain_name
from ...analysis.constant_formats import constant_format, scanned
from ...ir.builder import Builder, Rewrite
from ...ir.constants import ConstantFloat
from ...ir.module import Module
from ...ir.target import architecture_of
from ...ir.types import DOUBLE, FLOAT, FP128, X86_FP80, IntType, PointerType, Type
from ...ir.values import Instruction, Value
from ...rules.inactive import FORMATS, NUMBER_TARGETS

#: the NaN, and the bits of a number of the type
_UNREAD: dict[Type, tuple[str, int]] = {
    FLOAT: ("0x7FF07C3A40000000", 32),
    DOUBLE: ("0x7FF0000021C3E1D2", 64),
    X86_FP80: ("0xK7FFF8000000021C3E1D2", 80),
    FP128: ("0xL0000000021C3E1D27FFF000000000000", 128),
}


def rewrite_of(module: Module, i: Instruction) -> Rewrite | None:
    """Returns what replaces a call that writes single numbers; None for other calls."""
    targets = dict(_targets(module, i))
    if not targets:
        return None
    return lambda b, call: _apart(b, call, targets)


def _targets(module: Module, i: Instruction) -> Iterator[tuple[int, Type]]:
    """Yields the operands that point to numbers, and the types of these."""
    name = plain_name(i.callee_name)
    row = NUMBER_TARGETS.get(name)
    types = {"f": FLOAT, "d": DOUBLE, "e": _long_double(module)}
    if row is not None:
        yield row[0], types[row[1]]
    format_ = constant_format(module, i.arguments[FORMATS[name]]) if name in FORMATS else None
    if format_ is not None:
        pointers = range(FORMATS[name] + 1, len(i.arguments))
        for k, letter in zip(pointers, scanned(format_), strict=False):
            if letter and isinstance(i.arguments[k].type, PointerType):
                yield k, types[letter]


def _long_double(module: Module) -> Type:
    return FP128 if architecture_of(module.head).long_double == "fp128" else X86_FP80


def _apart(b: Builder, i: Instruction, targets: dict[int, Type]) -> Value:
    assert i.block is not None and i.block.function is not None
    first = Builder.first(i.block.function.entry)
    slots = {k: first.alloca(type_, align=16) for k, type_ in targets.items()}
    for k, slot in slots.items():
        b.store(ConstantFloat(targets[k], _UNREAD[targets[k]][0]), slot)
    operands = [slots.get(k, operand) for k, operand in enumerate(i.operands)]
    call = b.insert(Instruction("call", i.type, operands, replace(i.call, tail=""), i.flags, metadata=i.metadata))
    for k, slot in slots.items():
        _take(b, i.arguments[k], slot, targets[k])
    return call


def _take(b: Builder, pointer: Value, slot: Value, type_: Type) -> None:
    """Emits the store of a number that was written."""
    unread, bits = _UNREAD[type_]
    now, before = b.load(type_, slot), b.load(type_, pointer, 1)
    words = [b.cast("bitcast", v, IntType(bits)) for v in (now, ConstantFloat(type_, unread))]
    b.store(b.select(b.icmp("eq", *words), before, now), pointer, 1)
