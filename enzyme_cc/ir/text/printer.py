"""Functions and instructions as LLVM's text.

A `Names` gives every local of a function its name: kept names are made unique, values without one (and values named
by digits alone) are numbered as LLVM does it, arguments, blocks and instructions sharing one counter.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from ..instructions import BINARY, CASTS
from ..types import VOID, Type
from ..values import Argument, Block, DebugRecord, Function, Instruction, LandingPad, Local, MemoryInfo, Value

_PLAIN_NAME = re.compile(r"[-A-Za-z$._][-A-Za-z$._0-9]*")
#: what ties an assignment to the debug record of its variable: both must be in one function
_ASSIGNMENT = re.compile(r", !DIAssignID ![0-9]+|^ *#dbg_assign\([^\n]*\n", re.MULTILINE)
_UNQUOTED = re.compile(r"[^ !#-\[\]-~]")


def print_function(function: Function) -> str:
    """Returns the definition or declaration, without a newline at its end."""
    if not function.blocks:
        return header(function) if function.unparsed is None else f"{header(function)} {{{function.unparsed}}}"
    names = Names(function)
    lines = [f"{header(function, names)} {{"]
    for block in function.blocks:
        if block is not function.blocks[0]:
            lines += ["", f"{names.of[block][1:]}:"]
        elif block.name:
            lines.append(f"{names.of[block][1:]}:")
        for instruction in block.instructions:
            lines += [f"    {names.record(record)}" for record in instruction.debug_records]
            lines.append(f"  {_line(instruction, names)}")
        lines += [f"    {names.record(record)}" for record in block.trailing_records]
    lines.append("}")
    return "\n".join(lines)


def body_for_copy(function: Function) -> str:
    """Returns the text between the braces, for a copy of the function."""
    return "\n" + _ASSIGNMENT.sub("", print_function(function).partition("\n")[2][:-1])


def header(function: Function, names: Names | None = None) -> str:
    """Returns the first line, without the opening brace."""
    names = names or Names(function, blocks=False)
    if function.is_declaration:
        arguments = [_spaced(str(argument.type), argument.attributes) for argument in function.arguments]
    else:
        arguments = [
            _spaced(str(argument.type), argument.attributes, names.of[argument]) for argument in function.arguments
        ]
    if function.type.vararg:
        arguments.append("...")
    keyword = "declare" if function.is_declaration else "define"
    signature = f"{function.type.result} {function.name}({', '.join(arguments)})"
    return _spaced(keyword, function.prefix, signature, function.suffix)


def print_instruction(instruction: Instruction) -> str:
    """One instruction as a line, with the names its function gives; for diagnostics and tests."""
    function = instruction.block.function if instruction.block is not None else None
    return _line(instruction, Names(function) if function is not None else Names(None))


class Names:
    """The printed name, with its %, of each local of a function."""

    __slots__ = ("_types", "of")

    def __init__(self, function: Function | None, *, blocks: bool = True) -> None:
        self.of: dict[Local, str] = {}
        self._types: dict[int, str] = {}
        if function is not None:
            self._assign(function.arguments, function.blocks if blocks else ())

    def _assign(self, arguments: list[Argument], blocks: Iterable[Block]) -> None:
        counter = 0
        used: dict[str, int] = {}  # name: the suffix last tried for another value of that name
        of = self.of
        for local in _locals(arguments, blocks):
            name = local.name
            if not name or name.isdigit():
                of[local] = f"%{counter}"
                counter += 1
            else:
                name = _spelled(name)
                if name in used:
                    name = _unused(name, used)
                used[name] = 0
                of[local] = f"%{name}"

    def value(self, value: Value) -> str:
        if isinstance(value, Local):
            return self.of.get(value) or f"<{value!r} of another function>"
        return str(value)

    def typed(self, value: Value) -> str:
        return f"{self.type(value.type)} {self.value(value)}"

    def type(self, type_: Type) -> str:
        text = self._types.get(id(type_))
        if text is None:
            text = self._types[id(type_)] = str(type_)
        return text

    def record(self, record: DebugRecord) -> str:
        if not record.values:
            return record.pieces[0]
        parts = [record.pieces[0]]
        for value, piece in zip(record.values, record.pieces[1:], strict=True):
            parts += (self.of.get(value, "poison"), piece)
        return "".join(parts)


def _locals(arguments: list[Argument], blocks: Iterable[Block]) -> Iterable[Local]:
    yield from arguments
    for block in blocks:
        yield block
        for instruction in block.instructions:
            if instruction.type is not VOID:
                yield instruction


def _spelled(name: str) -> str:
    """Returns the name as LLVM reads it: in quotes if it has special characters."""
    if _PLAIN_NAME.fullmatch(name) or name[0] == '"':
        return name
    return '"' + _UNQUOTED.sub(lambda match: "".join(f"\\{byte:02X}" for byte in match[0].encode()), name) + '"'


def _unused(name: str, used: dict[str, int]) -> str:
    stem, quote = (name[:-1], '"') if name[-1] == '"' else (name, "")
    while True:
        used[name] += 1
        candidate = f"{stem}.{used[name]}{quote}"
        if candidate not in used:
            return candidate


def _spaced(*words: str) -> str:
    return " ".join(word for word in words if word)


# --------------------------------------------------------------------------------------------------------- instructions


def _line(instruction: Instruction, names: Names) -> str:
    text = PRINTERS.get(instruction.opcode, _list)(instruction, names)
    if instruction.metadata:
        text += "".join([f", {kind} {node}" for kind, node in instruction.metadata])
    return text if instruction.type is VOID else f"{names.value(instruction)} = {text}"


def _opcode(x: Instruction) -> str:
    return f"{x.opcode} {' '.join(x.flags)}" if x.flags else x.opcode


def _list(x: Instruction, n: Names) -> str:
    """`op T a, U b, …`: each operand with its type."""
    operands = ", ".join([n.typed(operand) for operand in x.operands])
    return f"{_opcode(x)} {operands}" if operands else _opcode(x)


def _same_type(x: Instruction, n: Names) -> str:
    """`op T a, b`."""
    left, right = x.operands
    return f"{_opcode(x)} {n.typed(left)}, {n.value(right)}"


def _compare(x: Instruction, n: Names) -> str:
    left, right = x.operands
    return f"{_opcode(x)} {x.predicate} {n.typed(left)}, {n.value(right)}"


def _cast(x: Instruction, n: Names) -> str:
    return f"{_opcode(x)} {n.typed(x.operands[0])} to {n.type(x.type)}"


def _phi(x: Instruction, n: Names) -> str:
    values, blocks = x.operands[::2], x.operands[1::2]
    pairs = ", ".join([f"[ {n.value(v)}, {n.value(b)} ]" for v, b in zip(values, blocks, strict=True)])
    return f"{_opcode(x)} {n.type(x.type)} {pairs}"


def _memory_tail(info: MemoryInfo) -> str:
    ordering = f" {info.ordering}" if info.ordering else ""
    align = f", align {info.align}" if info.align is not None else ""
    return f"{ordering}{align}{', ' + info.suffix if info.suffix else ''}"


def _alloca(x: Instruction, n: Names) -> str:
    info = x.memory
    count = "".join([f", {n.typed(operand)}" for operand in x.operands])
    assert info.accessed is not None
    return f"{_opcode(x)} {n.type(info.accessed)}{count}{_memory_tail(info)}"


def _load(x: Instruction, n: Names) -> str:
    return f"{_opcode(x)} {n.type(x.type)}, {n.typed(x.operands[0])}{_memory_tail(x.memory)}"


def _access(x: Instruction, n: Names) -> str:
    """store, cmpxchg."""
    return _list(x, n) + _memory_tail(x.memory)


def _fence(x: Instruction, n: Names) -> str:
    return f"fence {x.memory.ordering}"


def _atomicrmw(x: Instruction, n: Names) -> str:
    pointer, value = x.operands
    info = x.memory
    return f"{_opcode(x)} {info.operation} {n.typed(pointer)}, {n.typed(value)}{_memory_tail(info)}"


def _getelementptr(x: Instruction, n: Names) -> str:
    operands = ", ".join([n.typed(operand) for operand in x.operands])
    return f"{_opcode(x)} {n.type(x.source_type)}, {operands}"


def _va_arg(x: Instruction, n: Names) -> str:
    return f"va_arg {n.typed(x.operands[0])}, {n.type(x.type)}"


def _indexed(x: Instruction, n: Names) -> str:
    return f"{_list(x, n)}, {', '.join(map(str, x.indices))}"


def _call_text(x: Instruction, n: Names) -> str:
    """From the calling convention to the operand bundles."""
    info = x.call
    result = n.type(info.function_type) if info.function_type.vararg else n.type(info.function_type.result)
    count = len(info.argument_attributes)
    arguments = ", ".join(
        [
            f"{n.type(value.type)} {words} {n.value(value)}" if words else n.typed(value)
            for value, words in zip(x.operands[:count], info.argument_attributes, strict=True)
        ]
    )
    before = _spaced(info.convention, info.result_attributes, result)
    text = f"{before} {n.value(x.operands[-1])}({arguments})"
    if info.attributes:
        text += f" {info.attributes}"
    return f"{text} [ {_bundles(x, n, count)} ]" if info.bundles else text


def _bundles(x: Instruction, n: Names, start: int) -> str:
    texts = []
    for tag, count in x.call.bundles:
        texts.append(f"{tag}({', '.join([n.typed(v) for v in x.operands[start : start + count]])})")
        start += count
    return ", ".join(texts)


def _call(x: Instruction, n: Names) -> str:
    tail = x.call.tail
    return f"{tail} {_opcode(x)} {_call_text(x, n)}" if tail else f"{_opcode(x)} {_call_text(x, n)}"


def _invoke(x: Instruction, n: Names) -> str:
    normal, unwind = x.operands[-3:-1]
    return f"invoke {_call_text(x, n)}\n          to {n.typed(normal)} unwind {n.typed(unwind)}"


def _callbr(x: Instruction, n: Names) -> str:
    fallthrough, *others = x.successors
    return f"callbr {_call_text(x, n)}\n          to {n.typed(fallthrough)} [{_comma(others, n)}]"


def _comma(values: Iterable[Value], n: Names) -> str:
    return ", ".join([n.typed(value) for value in values])


def _ret(x: Instruction, n: Names) -> str:
    return _list(x, n) if x.operands else "ret void"


def _switch(x: Instruction, n: Names) -> str:
    value, default, *cases = x.operands
    lines = [f"switch {n.typed(value)}, {n.typed(default)} ["]
    for case, block in zip(cases[::2], cases[1::2], strict=True):
        lines.append(f"    {n.typed(case)}, {n.typed(block)}")
    lines.append("  ]")
    return "\n".join(lines)


def _indirectbr(x: Instruction, n: Names) -> str:
    return f"indirectbr {n.typed(x.operands[0])}, [{_comma(x.operands[1:], n)}]"


def _landingpad(x: Instruction, n: Names) -> str:
    extra = x.extra
    assert isinstance(extra, LandingPad)
    lines = [f"landingpad {n.type(x.type)}"]
    if extra.cleanup:
        lines.append("          cleanup")
    lines += [f"          {word} {n.typed(v)}" for word, v in zip(extra.clauses, x.operands, strict=True)]
    return "\n".join(lines)


def _pad(x: Instruction, n: Names) -> str:
    parent, *arguments = x.operands
    return f"{x.opcode} within {n.value(parent)} [{_comma(arguments, n)}]"


def _unwind(x: Instruction, n: Names) -> str:
    return x.flags[0] if x.flags else f"unwind {n.typed(x.operands[-1])}"


def _catchswitch(x: Instruction, n: Names) -> str:
    handlers = x.operands[1:] if x.flags else x.operands[1:-1]
    return f"catchswitch within {n.value(x.operands[0])} [{_comma(handlers, n)}] {_unwind(x, n)}"


def _cleanupret(x: Instruction, n: Names) -> str:
    return f"cleanupret from {n.value(x.operands[0])} {_unwind(x, n)}"


def _catchret(x: Instruction, n: Names) -> str:
    return f"catchret from {n.value(x.operands[0])} to {n.typed(x.operands[1])}"


PrintFunction = Callable[[Instruction, Names], str]

#: opcodes that are written as a list of typed operands (br, select, insertelement, resume …) are not in the table
PRINTERS: dict[str, PrintFunction] = {
    **dict.fromkeys(BINARY, _same_type),
    **dict.fromkeys(CASTS, _cast),
    **dict.fromkeys(("icmp", "fcmp"), _compare),
    **dict.fromkeys(("store", "cmpxchg"), _access),
    **dict.fromkeys(("extractvalue", "insertvalue"), _indexed),
    **dict.fromkeys(("cleanuppad", "catchpad"), _pad),
    "alloca": _alloca,
    "atomicrmw": _atomicrmw,
    "call": _call,
    "callbr": _callbr,
    "catchret": _catchret,
    "catchswitch": _catchswitch,
    "cleanupret": _cleanupret,
    "fence": _fence,
    "getelementptr": _getelementptr,
    "indirectbr": _indirectbr,
    "invoke": _invoke,
    "landingpad": _landingpad,
    "load": _load,
    "phi": _phi,
    "ret": _ret,
    "switch": _switch,
    "va_arg": _va_arg,
}
