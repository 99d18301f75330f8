"""Replaces inline assembly with a known meaning: barriers against moving code, and arithmetic on numbers.

Eigen uses both. Intel's Software Developer's Manual, volume 2, defines the instructions. Other assembly is refused
later, if it may carry a number.
"""

from __future__ import annotations

import re
from functools import partial

from ...ir.builder import Builder, Rewrite
from ...ir.constants import ConstantWord, InlineAsm
from ...ir.types import DOUBLE, FLOAT, VOID, StructType, VectorType, scalar
from ...ir.values import Instruction, Value
from .x86 import ARITHMETIC, VectorOperation, fused, lowest

_TEXT = re.compile(r'asm (?:\w+ )*"(?P<template>[^"]*)", "(?P<constraints>[^"]*)"')
# AT&T's order: the last source first, and the result last. Without a `v`, the result is the first source, too.
_ARITHMETIC = re.compile(r"(v?)(add|sub|mul|div|max|min)([ps])([sd])\s+((?:\$\d+,\s*)+\$\d+)\s*")
_FUSED = re.compile(r"v(fn?m(?:add|sub))(132|213|231)p([sd])\s+(\$\d+,\s*\$\d+,\s*\$\d+)\s*")
_ELEMENTS = {"s": FLOAT, "d": DOUBLE}
_NOTHING = re.compile(r"\s*(?:#.*)?")
#: for each order, the indices of the two operands that are multiplied, and of the one that is added
_ORDERS = {"132": (0, 2, 1), "213": (1, 0, 2), "231": (1, 2, 0)}


def rewrite_of(i: Instruction) -> Rewrite | None:
    """Returns the rewriting of a call of inline assembly; None if its meaning is not known."""
    found = _TEXT.fullmatch(str(i.callee)) if isinstance(i.callee, InlineAsm) else None
    if found is None or not i.arguments:
        return None
    operands = _operands(i, found["constraints"].split(","))
    if operands is None:
        return None
    outputs, inputs = operands
    if _NOTHING.fullmatch(found["template"]):
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
            inputs[int(tied[0])] = value
    return len(outputs), inputs


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
