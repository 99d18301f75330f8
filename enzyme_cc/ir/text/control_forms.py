"""Parses the instructions that end blocks, and those of exception handling."""

from __future__ import annotations

from ..constants import ConstantWord
from ..types import TOKEN, VOID
from ..values import Instruction, LandingPad, Value
from .form_parts import Parsed, ParseFunction
from .lexer import expect
from .operands import Operands


def _ret(p: Operands, t: list[str], i: int, opcode: str) -> Parsed:
    if t[i] == "void":
        return Instruction(opcode, VOID), i + 1
    value, i = p.typed_operand(t, i)
    return Instruction(opcode, VOID, (value,)), i


def _br(p: Operands, t: list[str], i: int, opcode: str) -> Parsed:
    if t[i] == "label":
        block, i = p.target(t, i + 1)
        return Instruction(opcode, VOID, (block,)), i
    condition, i = p.typed_operand(t, i)
    yes, i = p.destination(t, expect(t, i, ","))
    no, i = p.destination(t, expect(t, i, ","))
    return Instruction(opcode, VOID, (condition, yes, no)), i


def _switch(p: Operands, t: list[str], i: int, opcode: str) -> Parsed:
    value, i = p.typed_operand(t, i)
    default, i = p.destination(t, expect(t, i, ","))
    operands = [value, default]
    i = expect(t, i, "[")
    while t[i] != "]":
        case, i = p.typed_operand(t, i)
        block, i = p.destination(t, expect(t, i, ","))
        operands += (case, block)
    return Instruction(opcode, VOID, operands), i + 1


def _indirectbr(p: Operands, t: list[str], i: int, opcode: str) -> Parsed:
    address, i = p.typed_operand(t, i)
    operands = [address]
    i = expect(t, expect(t, i, ","), "[")
    while t[i] != "]":
        block, i = p.destination(t, i + 1 if t[i] == "," else i)
        operands.append(block)
    return Instruction(opcode, VOID, operands), i + 1


def _unreachable(p: Operands, t: list[str], i: int, opcode: str) -> Parsed:
    return Instruction(opcode, VOID), i


def _landingpad(p: Operands, t: list[str], i: int, opcode: str) -> Parsed:
    type_, i = p.type(t, i)
    cleanup = t[i] == "cleanup"
    i += cleanup
    clauses: list[str] = []
    operands: list[Value] = []
    while t[i] in ("catch", "filter"):
        clauses.append(t[i])
        value, i = p.typed_operand(t, i + 1)
        operands.append(value)
    return Instruction(opcode, type_, operands, LandingPad(tuple(clauses), cleanup)), i


def _resume(p: Operands, t: list[str], i: int, opcode: str) -> Parsed:
    value, i = p.typed_operand(t, i)
    return Instruction(opcode, VOID, (value,)), i


def _pad(p: Operands, t: list[str], i: int, opcode: str) -> Parsed:
    """cleanuppad and catchpad: operands [parent, argument …]."""
    parent, i = _parent(p, t, expect(t, i, "within"))
    operands = [parent]
    i = expect(t, i, "[")
    while t[i] != "]":
        value, i = p.typed_operand(t, i + 1 if t[i] == "," else i)
        operands.append(value)
    return Instruction(opcode, TOKEN, operands), i + 1


def _parent(p: Operands, t: list[str], i: int) -> tuple[Value, int]:
    if t[i] == "none":
        return ConstantWord(TOKEN, "none"), i + 1
    return p.operand(TOKEN, t, i)


def _unwind(p: Operands, t: list[str], i: int, operands: list[Value]) -> tuple[tuple[str, ...], int]:
    """`unwind to caller` becomes a flag, `unwind label %x` the last operand."""
    i = expect(t, i, "unwind")
    if t[i] == "to":
        return ("unwind to caller",), expect(t, i + 1, "caller")
    block, i = p.destination(t, i)
    operands.append(block)
    return (), i


def _catchswitch(p: Operands, t: list[str], i: int, opcode: str) -> Parsed:
    """Operands [parent, handler …, unwind block unless the flag says to the caller]."""
    parent, i = _parent(p, t, expect(t, i, "within"))
    operands = [parent]
    i = expect(t, i, "[")
    while t[i] != "]":
        block, i = p.destination(t, i + 1 if t[i] == "," else i)
        operands.append(block)
    flags, i = _unwind(p, t, i + 1, operands)
    return Instruction(opcode, TOKEN, operands, None, flags), i


def _cleanupret(p: Operands, t: list[str], i: int, opcode: str) -> Parsed:
    pad, i = p.operand(TOKEN, t, expect(t, i, "from"))
    operands = [pad]
    flags, i = _unwind(p, t, i, operands)
    return Instruction(opcode, VOID, operands, None, flags), i


def _catchret(p: Operands, t: list[str], i: int, opcode: str) -> Parsed:
    pad, i = p.operand(TOKEN, t, expect(t, i, "from"))
    block, i = p.destination(t, expect(t, i, "to"))
    return Instruction(opcode, VOID, (pad, block)), i


CONTROL_FORMS: dict[str, ParseFunction] = {
    **dict.fromkeys(("cleanuppad", "catchpad"), _pad),
    "br": _br,
    "catchret": _catchret,
    "catchswitch": _catchswitch,
    "cleanupret": _cleanupret,
    "indirectbr": _indirectbr,
    "landingpad": _landingpad,
    "resume": _resume,
    "ret": _ret,
    "switch": _switch,
    "unreachable": _unreachable,
}
