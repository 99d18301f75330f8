"""Replaces inline assembly with a known meaning: barriers against moving code, and fused multiplications.

Eigen uses both. Other assembly is refused later, if it may carry a number.
"""

from __future__ import annotations

import re
from functools import partial

from ...ir.builder import Builder, Rewrite
from ...ir.constants import ConstantWord, InlineAsm
from ...ir.types import VOID, StructType
from ...ir.values import Instruction, Value
from .x86 import fused

_TEXT = re.compile(r'asm (?:\w+ )*"(?P<template>[^"]*)", "(?P<constraints>[^"]*)"')
# AT&T's order: the third operand, the second, and the first, which is the result.
_FUSED = re.compile(r"v(fn?m(?:add|sub))(132|213|231)p[sd]\s+\$(\d+),\s*\$(\d+),\s*\$(\d+)\s*")
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
        return partial(_unchanged, outputs)
    arithmetic = _FUSED.fullmatch(found["template"])
    if arithmetic is None or len(outputs) != 1:
        return None
    third, second, first = (inputs.get(int(number)) for number in arithmetic.group(3, 4, 5))
    if first is not outputs[0] or second is None or third is None:
        return None
    return partial(_fused, arithmetic[1], arithmetic[2], [first, second, third])


def _operands(i: Instruction, constraints: list[str]) -> tuple[list[Value], dict[int, Value]] | None:
    """Returns the value that each output register holds before, and the values of operands by their numbers.

    Returns None if an output register has no value before. Operands in memory and clobbered registers are no outputs.
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
    before = [inputs.get(k) for k in range(len(outputs))]
    if any(value is None for value in before):
        return None
    return [value for value in before if value is not None], inputs


def _unchanged(outputs: list[Value], b: Builder, i: Instruction) -> Value:
    if i.type == VOID:
        return ConstantWord(VOID, "poison")
    return b.make_struct(outputs) if isinstance(i.type, StructType) else outputs[0]


def _fused(operation: str, order: str, operands: list[Value], b: Builder, i: Instruction) -> Value:
    x, y, z = (operands[k] for k in _ORDERS[order])
    product = b.fneg(x) if operation.startswith("fnm") else x
    return fused(b, product, y, b.fneg(z) if operation.endswith("sub") else z)
