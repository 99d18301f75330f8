"""Replaces inline assembly with a known meaning: barriers against moving code, arithmetic on numbers, atomic accesses.

Eigen uses the first two. Libraries older than C++'s atomic types use the last for counters of references, locks and
lists. Intel's Software Developer's Manual, volume 2, defines the instructions. Other assembly is refused later, if it
may carry a number.
"""

from __future__ import annotations

import re
from functools import partial

from ...ir.builder import Builder, Rewrite
from ...ir.constants import ConstantInt, ConstantWord, InlineAsm
from ...ir.types import DOUBLE, FLOAT, I1, VOID, IntType, PointerType, StructType, Type, VectorType, scalar, store_size
from ...ir.values import Instruction, MemoryInfo, Value
from .x86 import ARITHMETIC, VectorOperation, fused, lowest

_TEXT = re.compile(r'asm (?:\w+ )*"(?P<template>[^"]*)", "(?P<constraints>[^"]*)"')
# AT&T's order: the last source first, and the result last. Without a `v`, the result is the first source, too.
_ARITHMETIC = re.compile(r"(v?)(add|sub|mul|div|max|min)([ps])([sd])\s+((?:\$\d+,\s*)+\$\d+)\s*")
_FUSED = re.compile(r"v(fn?m(?:add|sub))(132|213|231)p([sd])\s+(\$\d+,\s*\$\d+,\s*\$\d+)\s*")
_ELEMENTS = {"s": FLOAT, "d": DOUBLE}
_NOTHING = re.compile(r"\s*(?:#.*)?")
#: for each order, the indices of the two operands that are multiplied, and of the one that is added
_ORDERS = {"132": (0, 2, 1), "213": (1, 0, 2), "231": (1, 2, 0)}

# Of atomic accesses, $0 or another number stands for memory. LLVM's text writes white space as a backslash with digits.
_SPACE = re.compile(r"(?:\\0[9Aa]|[;\s])+")
_COUNTED = re.compile(r"lock (?P<name>inc|dec)(?P<size>[bwlq]) \$(?P<memory>\d+)")
_COMBINED = re.compile(r"lock (?P<name>add|sub|and|or|xor)(?P<size>[bwlq]?) \$(?P<value>\d+), ?\$(?P<memory>\d+)")
_EXCHANGED = re.compile(r"(?:lock )?(?P<name>xadd|xchg)(?P<size>[bwlq]?) \$(?P<value>\d+), ?\$(?P<memory>\d+)")
_COMPARED = re.compile(
    r"lock cmpxchg(?P<size>[bwlq]?) \$(?P<value>\d+), ?\$(?P<memory>\d+)(?P<flag> set(?:e|z)b? \$(?P<result>\d+))?"
)
_ATOMIC = (_COUNTED, _COMBINED, _EXCHANGED, _COMPARED)
_BYTES = {"b": 1, "w": 2, "l": 4, "q": 8}
_OPERATIONS = {"inc": "add", "dec": "sub", "xadd": "add"}


def rewrite_of(i: Instruction) -> Rewrite | None:
    """Returns the rewriting of a call of inline assembly; None if its meaning is not known."""
    found = _TEXT.fullmatch(str(i.callee)) if isinstance(i.callee, InlineAsm) else None
    if found is None or not i.arguments:
        return None
    constraints = found["constraints"].split(",")
    operands = _operands(i, constraints)
    if operands is None:
        return None
    is_nothing = _NOTHING.fullmatch(found["template"]) is not None
    if "*" in found["constraints"]:
        template = _SPACE.sub(" ", found["template"]).strip()
        return _kept(constraints, operands) if is_nothing else _atomic(i, template, constraints, operands)
    outputs, inputs = operands
    if is_nothing:
        before = [inputs[k] for k in range(outputs) if k in inputs]
        return partial(_unchanged, before) if len(before) == outputs else None
    return _arithmetic(i, found["template"], inputs) if outputs == 1 else None


def _operands(i: Instruction, constraints: list[str]) -> tuple[int, dict[int, Value]] | None:
    """Returns the number of output registers, and the values before, by the numbers of operands and registers.

    Operands in memory and clobbered registers are no outputs.
    """
    outputs = [c for c in constraints if c.startswith("=") and not c.startswith("=*")]
    numbers = [k for k, c in enumerate(constraints) if not c.startswith("~") and c not in outputs]
    if len(numbers) != len(i.arguments):
        return None
    inputs = dict(zip(numbers, i.arguments, strict=True))
    for number, value in list(inputs.items()):
        tied = re.match(r"\d+", constraints[number])
        if tied is not None:
            inputs.setdefault(int(tied[0]), value)
    return len(outputs), inputs


def _kept(constraints: list[str], operands: tuple[int, dict[int, Value]]) -> Rewrite | None:
    """Returns the rewriting of an empty template with outputs in memory.

    Such an output keeps what it holds, or gets the operand that is tied to it.
    """
    outputs, inputs = operands
    places = {k: inputs[k] for k, c in enumerate(constraints) if c.startswith("=*")}
    tied = {int(c): value for k, value in inputs.items() if (c := constraints[k]).isdigit()}
    read = [value for k, value in inputs.items() if k not in places and "*" in constraints[k]]
    stores = [(tied[k], place) for k, place in places.items() if k in tied]
    if outputs or any(k not in tied and place not in read for k, place in places.items()):
        return None
    return partial(_stored, stores)


def _stored(stores: list[tuple[Value, Value]], b: Builder, i: Instruction) -> Value:
    for value, place in stores:
        b.store(value, place)
    return ConstantWord(VOID, "poison")


def _arithmetic(i: Instruction, template: str, inputs: dict[int, Value]) -> Rewrite | None:
    fused_found, found = _FUSED.fullmatch(template), _ARITHMETIC.fullmatch(template)
    if fused_found is not None:
        operation, order, element, names = fused_found.groups()
        sources = _sources(i, element, names, inputs, in_place=True)
        return None if len(sources) != 3 else partial(_fused, operation, order, sources)
    if found is None:
        return None
    is_apart, operation, count, element, names = found.groups()
    sources = _sources(i, element, names, inputs, in_place=not is_apart)
    if len(sources) != 2:
        return None
    is_lowest = count == "s" and isinstance(i.type, VectorType)
    return partial(_computed, ARITHMETIC[operation], is_lowest, sources)


def _atomic(
    i: Instruction, template: str, constraints: list[str], operands: tuple[int, dict[int, Value]]
) -> Rewrite | None:
    """Returns the rewriting of an atomic access to memory."""
    outputs, inputs = operands
    found = next(filter(None, (form.fullmatch(template) for form in _ATOMIC)), None)
    if found is None or "*" not in constraints[int(found["memory"])]:
        return None
    place, parts = inputs[int(found["memory"])], found.groupdict()
    if "name" in parts and "value" not in parts:
        type_ = IntType(8 * _BYTES[parts["size"]])
        return partial(_updated, "add" if parts["name"] == "inc" else "sub", place, ConstantInt(type_, 1))
    value = inputs.get(int(parts["value"]))
    if value is None or not _fits(value.type, parts["size"]):
        return None
    if found.re is _COMPARED:
        expected = next((inputs.get(k) for k, c in enumerate(constraints) if c == "{ax}"), None)
        fits = isinstance(i.type, IntType) if parts["flag"] else i.type == value.type
        if expected is None or expected.type != value.type or outputs != 1 or not fits:
            return None
        return partial(_compared, place, expected, value, bool(parts["flag"]))
    fits = i.type == (value.type if found.re is _EXCHANGED else VOID)
    return partial(_updated, _OPERATIONS.get(parts["name"], parts["name"]), place, value) if fits else None


def _fits(type_: Type, size: str) -> bool:
    return isinstance(type_, IntType | PointerType) and (not size or store_size(type_) == _BYTES[size])


def _updated(operation: str, place: Value, value: Value, b: Builder, i: Instruction) -> Value:
    before = b.emit("atomicrmw", value.type, (place, value), _information(value, operation))
    return ConstantWord(VOID, "poison") if i.type == VOID else before


def _compared(place: Value, expected: Value, value: Value, is_flag: bool, b: Builder, i: Instruction) -> Value:
    type_ = StructType((value.type, I1))
    pair = b.emit("cmpxchg", type_, (place, expected, value), _information(value, ordering="seq_cst seq_cst"))
    return b.cast("zext", b.extract_value(pair, 1), i.type) if is_flag else b.extract_value(pair, 0)


def _information(value: Value, operation: str = "", ordering: str = "seq_cst") -> MemoryInfo:
    return MemoryInfo(None, store_size(value.type), ordering, operation)


def _sources(i: Instruction, element: str, names: str, inputs: dict[int, Value], *, in_place: bool) -> list[Value]:
    """Returns the sources in Intel's order. Empty if the result is another operand, or the types are others."""
    result, *rest = [int(number) for number in reversed(re.findall(r"\d+", names))]
    sources = [inputs.get(number) for number in ([result, *rest] if in_place else rest)]
    found = [value for value in sources if value is not None and value.type == i.type]
    fits = result == 0 and len(found) == len(sources) and scalar(i.type) == _ELEMENTS[element]
    return found if fits else []


def _unchanged(outputs: list[Value], b: Builder, i: Instruction) -> Value:
    if i.type == VOID:
        return ConstantWord(VOID, "poison")
    return b.make_struct(outputs) if isinstance(i.type, StructType) else outputs[0]


def _computed(operation: VectorOperation, is_lowest: bool, sources: list[Value], b: Builder, i: Instruction) -> Value:
    x, y = sources
    return lowest(operation, b, x, y) if is_lowest else operation(b, x, y)


def _fused(operation: str, order: str, operands: list[Value], b: Builder, i: Instruction) -> Value:
    x, y, z = (operands[k] for k in _ORDERS[order])
    product = b.fneg(x) if operation.startswith("fnm") else x
    return fused(b, product, y, b.fneg(z) if operation.endswith("sub") else z)
