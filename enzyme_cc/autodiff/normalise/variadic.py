"""Replaces variable arguments by one fixed parameter: the address of memory that holds them.

- The caller stores the variable arguments there, in the layout that the C ABI has for arguments without a register.
- `va_start` sets up a list whose registers are all used, so that `va_arg` reads that memory.
- `va_arg`, and functions that take the list, need no change.

Later passes see stores and loads only. The primal functions that the program calls are not changed.
"""

from __future__ import annotations

import re

from ...analysis.callees import strip_casts
from ...ir.attributes import byval_type
from ...ir.builder import Builder
from ...ir.constants import GlobalRef
from ...ir.folding import int_constant
from ...ir.module import Module
from ...ir.target import VariableArguments, architecture_of
from ...ir.text.parser import parse_body
from ...ir.types import I1, I8, PTR, VOID, ArrayType, FunctionType, align_up, alignment, alloc_size
from ...ir.values import Argument, CallInfo, Function, Instruction, MemoryInfo, Value

_VARIADIC = re.compile(r'^define [^\n]*?(@(?:[-\w$.]+|"[^"]*"))\([^\n]*\.\.\.\)', re.MULTILINE)
_BYVAL = re.compile(r"byval\([^)]*\)")
_ALIGN = re.compile(r"align (\d+)")


class Variadics:
    """The variadic functions of a module, and the functions with fixed parameters made so far.

    Must be made before bodies are parsed.
    """

    def __init__(self, text: str, module: Module) -> None:
        self._module = module
        self._list = architecture_of(module.head).variable_arguments
        names = dict.fromkeys(_VARIADIC.findall(text)) if "..." in text else {}
        self._bodies = {name: module.functions[name].unparsed for name in names}
        self._made: dict[str, Function] = {}

    def made(self) -> list[Function]:
        return list(self._made.values())

    def fix(self, function: Function) -> None:
        """Replaces calls of variadic functions, and copies of argument lists, in the function."""
        for i in list(function.instructions()):
            callee = strip_casts(i.callee, self._module) if i.opcode == "call" else None
            if not isinstance(callee, GlobalRef):
                continue
            if callee.name in self._bodies:
                _pass_in_memory(self._module, function, i, self._fixed(callee.name))
            elif callee.name.startswith("@llvm.va_copy"):
                _copy_list(i, self._list)

    def _fixed(self, name: str) -> Function:
        if name not in self._made:
            function = self._made[name] = self._parsed_again(name)
            area = Argument(PTR, "", "", len(function.arguments))
            function.arguments.append(area)
            function.type = FunctionType(function.type.result, (*function.type.params, PTR))
            for i in list(function.instructions()):
                i.forget_variables()
                if i.opcode == "call" and isinstance(i.callee, GlobalRef):
                    _start_or_end_list(i, area, self._list)
        return self._made[name]

    def _parsed_again(self, name: str) -> Function:
        original = self._module.functions[name]
        arguments = [Argument(a.type, a.name, _byval_alone(a.attributes), a.index) for a in original.arguments]
        type_ = FunctionType(original.type.result, original.type.params)
        groups = " ".join(re.findall(r"#\d+", original.suffix))
        function = Function(self._module.fresh_name(f"{name}.fixed"), type_, arguments, "internal", groups)
        parse_body(self._module.context, function, self._bodies[name] or "")
        return self._module.add_function(function)


def _byval_alone(attributes: str) -> str:
    """The byval attribute, if any. The others hold for the original caller only."""
    match = _BYVAL.search(attributes)
    return match[0] if match is not None else ""


def _start_or_end_list(i: Instruction, area: Value, list_: VariableArguments) -> None:
    assert isinstance(i.callee, GlobalRef)
    if i.callee.name.startswith("@llvm.va_start"):
        b = Builder.before(i)
        for offset, field in list_.fields.items():
            value = area if field is None else field
            b.store(value, b.offset(i.arguments[0], offset), min(8, alloc_size(value.type)))
        i.erase()
    elif i.callee.name.startswith("@llvm.va_end"):
        i.erase()


def _copy_list(i: Instruction, list_: VariableArguments) -> None:
    target, source = i.arguments
    size, is_volatile = int_constant(list_.size), int_constant(0, I1)
    Builder.before(i).call("@llvm.memcpy.p0.p0.i64", VOID, (target, source, size, is_volatile))
    i.erase()


def _pass_in_memory(module: Module, function: Function, i: Instruction, callee: Function) -> None:
    """Replaces the call by stores of the variable arguments and a call of the function with fixed parameters."""
    fixed = len(callee.arguments) - 1
    area = Instruction("alloca", PTR)
    b = Builder.before(i)
    size = 0
    for value, attributes in list(zip(i.arguments, i.call.argument_attributes, strict=True))[fixed:]:
        size = _pass(module, b, value, attributes, area, size)
    area.extra = MemoryInfo(ArrayType(I8, max(size, 8)), 16)
    arguments = (*i.arguments[:fixed], area)
    info = CallInfo(callee.type, ("",) * len(arguments), attributes=i.call.attributes)
    new = b.insert(Instruction("call", i.type, (*arguments, callee.ref), info, i.flags, metadata=i.metadata))
    Builder.first(function.entry).insert(area)
    i.replace_uses(new)
    i.erase()


def _pass(module: Module, b: Builder, value: Value, attributes: str, area: Value, offset: int) -> int:
    """Stores one argument in the area, at the next offset that fits its alignment. Returns the offset of its end."""
    type_ = byval_type(module, attributes)
    if type_ is None:
        offset = align_up(offset, max(8, alignment(value.type)))
        b.store(value, b.offset(area, offset), 8)
        return align_up(offset + alloc_size(value.type), 8)
    align = _ALIGN.search(attributes)
    offset = align_up(offset, max(8, int(align[1]) if align is not None else 0))
    arguments = (b.offset(area, offset), value, int_constant(alloc_size(type_)), int_constant(0, I1))
    b.call("@llvm.memcpy.p0.p0.i64", VOID, arguments)
    return align_up(offset + alloc_size(type_), 8)
