"""Parses call, invoke and callbr: convention, attributes, arguments, operand bundles."""

from __future__ import annotations

from functools import cache

from ..types import FunctionType, Type
from ..values import CallInfo, Instruction, Value
from .context import VALUE_WORDS
from .form_parts import FAST_MATH, Parsed, ParseFunction, parse_flags, pointer_type
from .lexer import Unexpected, expect
from .operands import Operands


def _tail_call(p: Operands, t: list[str], i: int, opcode: str) -> Parsed:
    return _call(p, t, expect(t, i, "call"), opcode)


def _call(p: Operands, t: list[str], i: int, opcode: str) -> Parsed:
    flags, i = parse_flags(t, i, FAST_MATH)
    type_, operands, callee, info, i = _call_parts(p, t, i, "" if opcode == "call" else opcode)
    operands.append(callee)
    return Instruction("call", type_, operands, info, flags), i


def _invoke(p: Operands, t: list[str], i: int, opcode: str) -> Parsed:
    type_, operands, callee, info, i = _call_parts(p, t, i, "")
    normal, i = p.destination(t, expect(t, i, "to"))
    unwind, i = p.destination(t, expect(t, i, "unwind"))
    operands += (normal, unwind, callee)
    return Instruction(opcode, type_, operands, info), i


def _callbr(p: Operands, t: list[str], i: int, opcode: str) -> Parsed:
    type_, operands, callee, info, i = _call_parts(p, t, i, "")
    fallthrough, i = p.destination(t, expect(t, i, "to"))
    operands.append(fallthrough)
    i = expect(t, i, "[")
    while t[i] != "]":
        block, i = p.destination(t, i + 1 if t[i] == "," else i)
        operands.append(block)
    operands.append(callee)
    return Instruction(opcode, type_, operands, info), i + 1


def _call_parts(p: Operands, t: list[str], i: int, tail: str) -> tuple[Type, list[Value], Value, CallInfo, int]:
    """Returns result type, arguments with bundle values, callee, other parts of a call, and the index after it."""
    convention, result_attributes, i = _before_result(p, t, i)
    result, i = p.type(t, i)
    explicit: FunctionType | None = None
    if t[i] == "(":
        explicit, i = p.context.parameter_types(t, i, result)
    addrspace = next((word for word in result_attributes.split() if word.startswith("addrspace(")), "")
    callee, i = p.operand(pointer_type(p, addrspace, i), t, i)
    operands, attributes, i = _arguments(p, t, expect(t, i, "("))
    params = operands.copy()
    start = i
    while t[i] and t[i] not in ("[", "to"):
        if not _is_attribute(t[i]) and t[i][0] != "#":
            raise Unexpected(f"unexpected '{t[i]}' after a call", i)
        i += 1
    call_attributes = " ".join(t[start:i])
    bundles: tuple[tuple[str, int], ...] = ()
    if t[i] == "[":
        bundles, i = _bundles(p, t, i + 1, operands)
    key = (
        id(explicit), id(result), tuple([id(param.type) for param in params]), attributes, convention,
        result_attributes, call_attributes, bundles, tail,
    )  # fmt: skip
    info = p.context.calls.get(key)
    if info is None:
        signature = explicit or FunctionType(result, tuple(param.type for param in params))
        info = p.context.calls[key] = CallInfo(
            signature, attributes, convention, result_attributes, call_attributes, bundles, tail
        )
    return result, operands, callee, info, i


def _before_result(p: Operands, t: list[str], i: int) -> tuple[str, str, int]:
    """Calling convention and attributes of the result."""
    if t[i] in p.types:
        return "", "", i
    convention = ""
    if is_convention(t[i]):
        convention, i = (f"cc {t[i + 1]}", i + 2) if t[i] == "cc" else (t[i], i + 1)
    start = i
    while not p.context.starts_type(t[i]):
        i = _after_attribute(t, i)
    return convention, " ".join(t[start:i]), i


@cache
def is_convention(word: str) -> bool:
    """True for the keyword of a calling convention. A number follows `cc`."""
    return word.endswith("cc") or word.startswith(
        ("preserve_", "amdgpu_", "spir_", "ptx_", "aarch64_", "riscv_vls_cc(", "arm_", "cheriot_")
    )


def _after_attribute(t: list[str], i: int) -> int:
    if not _is_attribute(t[i]):
        raise Unexpected(f"expected an attribute, found '{t[i]}'", i)
    return i + 2 if t[i] == "align" else i + 1


@cache
def _is_attribute(token: str) -> bool:
    if token in VALUE_WORDS or token.startswith(('c"', "blockaddress(")):
        return False
    return token[:1].isalpha() or token[:1] == '"'


def _arguments(p: Operands, t: list[str], i: int) -> tuple[list[Value], tuple[str, ...], int]:
    """Arguments and their attributes, from the index after the opening parenthesis."""
    values: list[Value] = []
    attributes: list[str] = []
    while t[i] != ")":
        if values:
            i = expect(t, i, ",")
        type_, i = p.type(t, i)
        words = ""
        if t[i][0] not in "%@":
            start = i
            while _is_attribute(t[i]):
                i += 2 if t[i] == "align" else 1
            words = " ".join(t[start:i])
        value, i = p.operand(type_, t, i)
        values.append(value)
        attributes.append(words)
    return values, tuple(attributes), i + 1


def _bundles(p: Operands, t: list[str], i: int, operands: list[Value]) -> tuple[tuple[tuple[str, int], ...], int]:
    """Operand bundles, from the index after the opening bracket; their values are added to `operands`."""
    found: list[tuple[str, int]] = []
    while t[i] != "]":
        if found:
            i = expect(t, i, ",")
        tag = t[i]
        if tag[0] != '"':
            raise Unexpected(f"expected the tag of an operand bundle, found '{tag}'", i)
        values, _, i = _arguments(p, t, expect(t, i + 1, "("))
        operands += values
        found.append((tag, len(values)))
    return tuple(found), i + 1


CALL_FORMS: dict[str, ParseFunction] = {
    **dict.fromkeys(("tail", "musttail", "notail"), _tail_call),
    "call": _call,
    "callbr": _callbr,
    "invoke": _invoke,
}
