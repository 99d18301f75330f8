"""Parses instructions: one function for each form, and the table that gives each opcode its form.

A parse function is given the names of the function being parsed, the tokens of the line, the index after the opcode,
and the opcode. It returns the instruction and the index after it. The caller adds metadata, name and block.
The forms of memory, calls and control flow have files of their own.
"""

from __future__ import annotations

from functools import cache

from ..instructions import BINARY, CASTS
from ..types import I1, VectorType, indexed_type
from ..values import Indices, Instruction, Predicate, Value
from .call_forms import CALL_FORMS
from .control_forms import CONTROL_FORMS
from .form_parts import Parsed, ParseFunction, parse_flags, parse_number, with_shape
from .lexer import Unexpected, expect
from .memory_forms import MEMORY_FORMS
from .operands import Operands


def _binary(p: Operands, t: list[str], i: int, opcode: str) -> Parsed:
    flags, i = parse_flags(t, i)
    type_, i = p.type(t, i)
    left, i = p.operand(type_, t, i)
    right, i = p.operand(type_, t, expect(t, i, ","))
    return Instruction(opcode, type_, (left, right), None, flags), i


def _unary(p: Operands, t: list[str], i: int, opcode: str) -> Parsed:
    """fneg and freeze."""
    flags, i = parse_flags(t, i)
    value, i = p.typed_operand(t, i)
    return Instruction(opcode, value.type, (value,), None, flags), i


def _cast(p: Operands, t: list[str], i: int, opcode: str) -> Parsed:
    flags, i = parse_flags(t, i)
    value, i = p.typed_operand(t, i)
    type_, i = p.type(t, expect(t, i, "to"))
    return Instruction(opcode, type_, (value,), None, flags), i


@cache
def _predicate(word: str) -> Predicate:
    return Predicate(word)


_PREDICATES = {
    "icmp": frozenset(["eq", "ne", "ugt", "uge", "ult", "ule", "sgt", "sge", "slt", "sle"]),
    "fcmp": frozenset(
        ["false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord", "ueq", "ugt", "uge", "ult", "ule", "une", "uno",
         "true"]
    ),
}  # fmt: skip


def _compare(p: Operands, t: list[str], i: int, opcode: str) -> Parsed:
    flags, i = parse_flags(t, i)
    if t[i] not in _PREDICATES[opcode]:
        raise Unexpected(f"'{t[i]}' is not a predicate of {opcode}", i)
    predicate = _predicate(t[i])
    type_, i = p.type(t, i + 1)
    left, i = p.operand(type_, t, i)
    right, i = p.operand(type_, t, expect(t, i, ","))
    return Instruction(opcode, with_shape(p, I1, type_), (left, right), predicate, flags), i


def _select(p: Operands, t: list[str], i: int, opcode: str) -> Parsed:
    flags, i = parse_flags(t, i)
    condition, i = p.typed_operand(t, i)
    yes, i = p.typed_operand(t, expect(t, i, ","))
    no, i = p.typed_operand(t, expect(t, i, ","))
    return Instruction(opcode, yes.type, (condition, yes, no), None, flags), i


def _phi(p: Operands, t: list[str], i: int, opcode: str) -> Parsed:
    flags, i = parse_flags(t, i)
    type_, i = p.type(t, i)
    operands: list[Value] = []
    while True:
        value, i = p.operand(type_, t, expect(t, i, "["))
        block, i = p.target(t, expect(t, i, ","))
        operands += (value, block)
        i = expect(t, i, "]")
        if t[i] != ",":
            return Instruction(opcode, type_, operands, None, flags), i
        i += 1


def _typed_operands(p: Operands, t: list[str], i: int, count: int) -> tuple[list[Value], int]:
    operands = []
    for position in range(count):
        operand, i = p.typed_operand(t, expect(t, i, ",") if position else i)
        operands.append(operand)
    return operands, i


def _vector_type(value: Value, i: int) -> VectorType:
    if not isinstance(value.type, VectorType):
        raise Unexpected(f"expected a vector, found a value of type {value.type}", i)
    return value.type


def _extractelement(p: Operands, t: list[str], i: int, opcode: str) -> Parsed:
    operands, i = _typed_operands(p, t, i, 2)
    return Instruction(opcode, _vector_type(operands[0], 1).element, operands), i


def _insertelement(p: Operands, t: list[str], i: int, opcode: str) -> Parsed:
    operands, i = _typed_operands(p, t, i, 3)
    return Instruction(opcode, operands[0].type, operands), i


def _shufflevector(p: Operands, t: list[str], i: int, opcode: str) -> Parsed:
    operands, i = _typed_operands(p, t, i, 3)
    element = _vector_type(operands[0], 1).element
    return Instruction(opcode, with_shape(p, element, _vector_type(operands[2], 1)), operands), i


def _indices(t: list[str], i: int) -> tuple[Indices, int]:
    found = []
    while t[i] == ",":
        found.append(parse_number(t, i + 1))
        i += 2
    return Indices(tuple(found)), i


def _extractvalue(p: Operands, t: list[str], i: int, opcode: str) -> Parsed:
    aggregate, i = p.typed_operand(t, i)
    first = i
    indices, i = _indices(t, i)
    try:
        type_ = indexed_type(aggregate.type, indices.indices)
    except (TypeError, IndexError):
        raise Unexpected(f"{aggregate.type} has no such element", first) from None
    return Instruction(opcode, type_, (aggregate,), indices), i


def _insertvalue(p: Operands, t: list[str], i: int, opcode: str) -> Parsed:
    operands, i = _typed_operands(p, t, i, 2)
    indices, i = _indices(t, i)
    return Instruction(opcode, operands[0].type, operands, indices), i


PARSERS: dict[str, ParseFunction] = {
    **MEMORY_FORMS,
    **CALL_FORMS,
    **CONTROL_FORMS,
    **dict.fromkeys(BINARY, _binary),
    **dict.fromkeys(CASTS, _cast),
    **dict.fromkeys(("fneg", "freeze"), _unary),
    **dict.fromkeys(("icmp", "fcmp"), _compare),
    "extractelement": _extractelement,
    "extractvalue": _extractvalue,
    "insertelement": _insertelement,
    "insertvalue": _insertvalue,
    "phi": _phi,
    "select": _select,
    "shufflevector": _shufflevector,
}
