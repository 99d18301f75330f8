"""Parses instructions: one function for each form, and the table that gives each opcode its form.

A parse function is given the names of the function being parsed, the tokens of the line, the index after the opcode,
and the opcode. It returns the instruction and the index after it. The caller adds metadata, name and block.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from ..constants import ConstantWord
from ..instructions import BINARY, CASTS
from ..types import (
    I1,
    PTR,
    TOKEN,
    VOID,
    FunctionType,
    PointerType,
    StructType,
    Type,
    VectorType,
    indexed_type,
    scalar,
    with_same_shape,
)
from ..values import CallInfo, Indices, Instruction, LandingPad, MemoryInfo, Predicate, Source, Value
from .context import VALUE_WORDS
from .lexer import Unexpected, expect
from .operands import Operands

Parsed = tuple[Instruction, int]

FAST_MATH = frozenset(["fast", "nnan", "ninf", "nsz", "arcp", "contract", "afn", "reassoc"])
FLAGS = FAST_MATH | {"nuw", "nsw", "exact", "disjoint", "nneg", "samesign", "inbounds", "nusw"}
_ACCESS_FLAGS = frozenset(["atomic", "volatile", "weak", "inalloca", "swifterror"])
_ORDERINGS = frozenset(["unordered", "monotonic", "acquire", "release", "acq_rel", "seq_cst"])
_ATOMIC_OPERATIONS = frozenset(
    ["xchg", "add", "sub", "and", "nand", "or", "xor", "max", "min", "umax", "umin", "fadd", "fsub", "fmax", "fmin",
     "fmaximum", "fminimum", "uinc_wrap", "udec_wrap", "usub_cond", "usub_sat"]
)  # fmt: skip


def _flags(t: list[str], i: int, words: frozenset[str] = FLAGS) -> tuple[tuple[str, ...], int]:
    if t[i] not in words:
        return (), i
    start = i
    while t[i] in words:
        i += 1
    return tuple(t[start:i]), i


def _number(t: list[str], i: int) -> int:
    if not t[i].isdigit():
        raise Unexpected(f"expected a number, found '{t[i]}'", i)
    return int(t[i])


# ------------------------------------------------------------------------------------------------------- arithmetic


def _binary(p: Operands, t: list[str], i: int, opcode: str) -> Parsed:
    flags, i = _flags(t, i)
    type_, i = p.type(t, i)
    left, i = p.operand(type_, t, i)
    right, i = p.operand(type_, t, expect(t, i, ","))
    return Instruction(opcode, type_, (left, right), None, flags), i


def _unary(p: Operands, t: list[str], i: int, opcode: str) -> Parsed:
    """fneg and freeze."""
    flags, i = _flags(t, i)
    value, i = p.typed_operand(t, i)
    return Instruction(opcode, value.type, (value,), None, flags), i


def _cast(p: Operands, t: list[str], i: int, opcode: str) -> Parsed:
    flags, i = _flags(t, i)
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
    flags, i = _flags(t, i)
    if t[i] not in _PREDICATES[opcode]:
        raise Unexpected(f"'{t[i]}' is not a predicate of {opcode}", i)
    predicate = _predicate(t[i])
    type_, i = p.type(t, i + 1)
    left, i = p.operand(type_, t, i)
    right, i = p.operand(type_, t, expect(t, i, ","))
    return Instruction(opcode, _like(p, I1, type_), (left, right), predicate, flags), i


def _like(p: Operands, element: Type, shape: Type) -> Type:
    return p.context.intern(with_same_shape(element, shape))


def _select(p: Operands, t: list[str], i: int, opcode: str) -> Parsed:
    flags, i = _flags(t, i)
    condition, i = p.typed_operand(t, i)
    yes, i = p.typed_operand(t, expect(t, i, ","))
    no, i = p.typed_operand(t, expect(t, i, ","))
    return Instruction(opcode, yes.type, (condition, yes, no), None, flags), i


def _phi(p: Operands, t: list[str], i: int, opcode: str) -> Parsed:
    flags, i = _flags(t, i)
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


# ----------------------------------------------------------------------------------------------------------- memory


def _alloca(p: Operands, t: list[str], i: int, opcode: str) -> Parsed:
    flags, i = _flags(t, i, _ACCESS_FLAGS)
    type_, i = p.type(t, i)
    operands: tuple[Value, ...] = ()
    if t[i] == "," and t[i + 1] != "align" and not t[i + 1].startswith("addrspace("):
        count, i = p.typed_operand(t, i + 1)
        operands = (count,)
    info, i = _memory_info(p, type_, t, i)
    result = _pointer(p, info.suffix, i)
    return Instruction(opcode, result, operands, info, flags), i


def _pointer(p: Operands, addrspace: str, i: int) -> Type:
    """Returns the pointer type of `addrspace(N)`; the plain one for ""."""
    if not addrspace:
        return PTR
    number = addrspace[len("addrspace(") : -1]
    if not number.isdigit():
        raise Unexpected(f"expected the number of an address space, found '{addrspace}'", i)
    return p.context.intern(PointerType(int(number)))


def _load(p: Operands, t: list[str], i: int, opcode: str) -> Parsed:
    flags, i = _flags(t, i, _ACCESS_FLAGS)
    type_, i = p.type(t, i)
    pointer, i = p.typed_operand(t, expect(t, i, ","))
    info, i = _memory_info(p, type_, t, i)
    return Instruction(opcode, type_, (pointer,), info, flags), i


def _store(p: Operands, t: list[str], i: int, opcode: str) -> Parsed:
    flags, i = _flags(t, i, _ACCESS_FLAGS)
    value, i = p.typed_operand(t, i)
    pointer, i = p.typed_operand(t, expect(t, i, ","))
    info, i = _memory_info(p, None, t, i)
    return Instruction(opcode, VOID, (value, pointer), info, flags), i


def _fence(p: Operands, t: list[str], i: int, opcode: str) -> Parsed:
    info, i = _memory_info(p, None, t, i)
    return Instruction(opcode, VOID, (), info), i


def _cmpxchg(p: Operands, t: list[str], i: int, opcode: str) -> Parsed:
    flags, i = _flags(t, i, _ACCESS_FLAGS)
    pointer, i = p.typed_operand(t, i)
    expected, i = p.typed_operand(t, expect(t, i, ","))
    new, i = p.typed_operand(t, expect(t, i, ","))
    info, i = _memory_info(p, None, t, i)
    type_ = p.context.intern(StructType((new.type, I1)))
    return Instruction(opcode, type_, (pointer, expected, new), info, flags), i


def _atomicrmw(p: Operands, t: list[str], i: int, opcode: str) -> Parsed:
    flags, i = _flags(t, i, _ACCESS_FLAGS)
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
        align, i = _number(t, i + 2), i + 3
    suffix = ""
    if t[i] == "," and t[i + 1].startswith("addrspace("):
        suffix, i = t[i + 1], i + 2
    if t[i] and t[i][0] != ";":
        raise Unexpected(f"unexpected '{t[i]}' after the instruction", i)
    return MemoryInfo(accessed, align, ordering, operation, suffix)


def _getelementptr(p: Operands, t: list[str], i: int, opcode: str) -> Parsed:
    flags, i = _flags(t, i)
    source, i = p.type(t, i)
    base, i = p.typed_operand(t, expect(t, i, ","))
    type_ = base.type
    operands = [base]
    while t[i] == ",":
        index, i = p.typed_operand(t, i + 1)
        operands.append(index)
        if isinstance(index.type, VectorType):
            type_ = _like(p, scalar(type_), index.type)
    sources = p.context.sources
    extra = sources.get(id(source))
    if extra is None:
        extra = sources[id(source)] = Source(source)
    return Instruction(opcode, type_, operands, extra, flags), i


def _va_arg(p: Operands, t: list[str], i: int, opcode: str) -> Parsed:
    value, i = p.typed_operand(t, i)
    type_, i = p.type(t, expect(t, i, ","))
    return Instruction(opcode, type_, (value,)), i


# --------------------------------------------------------------------------------------------- vectors and aggregates


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
    return Instruction(opcode, _like(p, element, _vector_type(operands[2], 1)), operands), i


def _indices(t: list[str], i: int) -> tuple[Indices, int]:
    found = []
    while t[i] == ",":
        found.append(_number(t, i + 1))
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


# ------------------------------------------------------------------------------------------------------------ calls


def _tail_call(p: Operands, t: list[str], i: int, opcode: str) -> Parsed:
    return _call(p, t, expect(t, i, "call"), opcode)


def _call(p: Operands, t: list[str], i: int, opcode: str) -> Parsed:
    flags, i = _flags(t, i, FAST_MATH)
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
    callee, i = p.operand(_pointer(p, addrspace, i), t, i)
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


# ----------------------------------------------------------------------------------------------------- control flow


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


# ------------------------------------------------------------------------------------------------ exception handling


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


ParseFunction = Callable[[Operands, list[str], int, str], Parsed]

PARSERS: dict[str, ParseFunction] = {
    **dict.fromkeys(BINARY, _binary),
    **dict.fromkeys(CASTS, _cast),
    **dict.fromkeys(("fneg", "freeze"), _unary),
    **dict.fromkeys(("icmp", "fcmp"), _compare),
    **dict.fromkeys(("tail", "musttail", "notail"), _tail_call),
    **dict.fromkeys(("cleanuppad", "catchpad"), _pad),
    "alloca": _alloca,
    "atomicrmw": _atomicrmw,
    "br": _br,
    "call": _call,
    "callbr": _callbr,
    "catchret": _catchret,
    "catchswitch": _catchswitch,
    "cleanupret": _cleanupret,
    "cmpxchg": _cmpxchg,
    "extractelement": _extractelement,
    "extractvalue": _extractvalue,
    "fence": _fence,
    "getelementptr": _getelementptr,
    "indirectbr": _indirectbr,
    "insertelement": _insertelement,
    "insertvalue": _insertvalue,
    "invoke": _invoke,
    "landingpad": _landingpad,
    "load": _load,
    "phi": _phi,
    "resume": _resume,
    "ret": _ret,
    "select": _select,
    "shufflevector": _shufflevector,
    "store": _store,
    "switch": _switch,
    "unreachable": _unreachable,
    "va_arg": _va_arg,
}
