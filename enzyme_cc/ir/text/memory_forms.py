"""Parses the instructions that allocate, access or order memory, and getelementptr."""

from __future__ import annotations

from ..types import I1, VOID, StructType, Type, VectorType, scalar
from ..values import Instruction, MemoryInfo, Source, Value
from .form_parts import Parsed, ParseFunction, parse_flags, parse_number, pointer_type, with_shape
from .lexer import Unexpected, expect
from .operands import Operands

_ACCESS_FLAGS = frozenset(["atomic", "volatile", "weak", "inalloca", "swifterror"])
_ORDERINGS = frozenset(["unordered", "monotonic", "acquire", "release", "acq_rel", "seq_cst"])
_ATOMIC_OPERATIONS = frozenset(
    ["xchg", "add", "sub", "and", "nand", "or", "xor", "max", "min", "umax", "umin", "fadd", "fsub", "fmax", "fmin",
     "fmaximum", "fminimum", "uinc_wrap", "udec_wrap", "usub_cond", "usub_sat"]
)  # fmt: skip


def _alloca(p: Operands, t: list[str], i: int, opcode: str) -> Parsed:
    flags, i = parse_flags(t, i, _ACCESS_FLAGS)
    type_, i = p.type(t, i)
    operands: tuple[Value, ...] = ()
    if t[i] == "," and t[i + 1] != "align" and not t[i + 1].startswith("addrspace("):
        count, i = p.typed_operand(t, i + 1)
        operands = (count,)
    info, i = _memory_info(p, type_, t, i)
    result = pointer_type(p, info.suffix, i)
    return Instruction(opcode, result, operands, info, flags), i


def _load(p: Operands, t: list[str], i: int, opcode: str) -> Parsed:
    flags, i = parse_flags(t, i, _ACCESS_FLAGS)
    type_, i = p.type(t, i)
    pointer, i = p.typed_operand(t, expect(t, i, ","))
    info, i = _memory_info(p, type_, t, i)
    return Instruction(opcode, type_, (pointer,), info, flags), i


def _store(p: Operands, t: list[str], i: int, opcode: str) -> Parsed:
    flags, i = parse_flags(t, i, _ACCESS_FLAGS)
    value, i = p.typed_operand(t, i)
    pointer, i = p.typed_operand(t, expect(t, i, ","))
    info, i = _memory_info(p, None, t, i)
    return Instruction(opcode, VOID, (value, pointer), info, flags), i


def _fence(p: Operands, t: list[str], i: int, opcode: str) -> Parsed:
    info, i = _memory_info(p, None, t, i)
    return Instruction(opcode, VOID, (), info), i


def _cmpxchg(p: Operands, t: list[str], i: int, opcode: str) -> Parsed:
    flags, i = parse_flags(t, i, _ACCESS_FLAGS)
    pointer, i = p.typed_operand(t, i)
    expected, i = p.typed_operand(t, expect(t, i, ","))
    new, i = p.typed_operand(t, expect(t, i, ","))
    info, i = _memory_info(p, None, t, i)
    type_ = p.context.intern(StructType((new.type, I1)))
    return Instruction(opcode, type_, (pointer, expected, new), info, flags), i


def _atomicrmw(p: Operands, t: list[str], i: int, opcode: str) -> Parsed:
    flags, i = parse_flags(t, i, _ACCESS_FLAGS)
    operation = t[i]
    if operation not in _ATOMIC_OPERATIONS:
        raise Unexpected(f"'{operation}' is not an operation of atomicrmw", i)
    pointer, i = p.typed_operand(t, i + 1)
    value, i = p.typed_operand(t, expect(t, i, ","))
    info, i = _memory_info(p, None, t, i, operation)
    return Instruction(opcode, value.type, (pointer, value), info, flags), i


def _memory_info(
    p: Operands, accessed: Type | None, t: list[str], i: int, operation: str = ""
) -> tuple[MemoryInfo, int]:
    """Parses what follows the operands of a memory instruction. Equal ones share the result."""
    key = (id(accessed), operation, *t[i:])
    found = p.context.memory.get(key)
    if found is None:
        found = p.context.memory[key] = _make_memory_info(accessed, t, i, operation)
    return found, len(t) - 1


def _make_memory_info(accessed: Type | None, t: list[str], i: int, operation: str) -> MemoryInfo:
    start = i
    while t[i] in _ORDERINGS or t[i].startswith("syncscope("):
        i += 1
    ordering = " ".join(t[start:i])
    align = None
    if t[i : i + 2] == [",", "align"]:
        align, i = parse_number(t, i + 2), i + 3
    suffix = ""
    if t[i] == "," and t[i + 1].startswith("addrspace("):
        suffix, i = t[i + 1], i + 2
    if t[i] and t[i][0] != ";":
        raise Unexpected(f"unexpected '{t[i]}' after the instruction", i)
    return MemoryInfo(accessed, align, ordering, operation, suffix)


def _getelementptr(p: Operands, t: list[str], i: int, opcode: str) -> Parsed:
    flags, i = parse_flags(t, i)
    source, i = p.type(t, i)
    base, i = p.typed_operand(t, expect(t, i, ","))
    type_ = base.type
    operands = [base]
    while t[i] == ",":
        index, i = p.typed_operand(t, i + 1)
        operands.append(index)
        if isinstance(index.type, VectorType):
            type_ = with_shape(p, scalar(type_), index.type)
    sources = p.context.sources
    extra = sources.get(id(source))
    if extra is None:
        extra = sources[id(source)] = Source(source)
    return Instruction(opcode, type_, operands, extra, flags), i


def _va_arg(p: Operands, t: list[str], i: int, opcode: str) -> Parsed:
    value, i = p.typed_operand(t, i)
    type_, i = p.type(t, expect(t, i, ","))
    return Instruction(opcode, type_, (value,)), i


MEMORY_FORMS: dict[str, ParseFunction] = {
    "alloca": _alloca,
    "atomicrmw": _atomicrmw,
    "cmpxchg": _cmpxchg,
    "fence": _fence,
    "getelementptr": _getelementptr,
    "load": _load,
    "store": _store,
    "va_arg": _va_arg,
}
