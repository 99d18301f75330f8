"""Calls through function pointers become calls of dispatching functions, which compare the pointer with candidates."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from ...analysis.callees import strip_casts
from ...ir.builder import Builder
from ...ir.module import Module
from ...ir.types import PTR, VOID, FunctionType
from ...ir.values import Argument, Block, CallInfo, Function, GlobalRef, InlineAsm, Instruction, Value
from ...rules.library_functions import DISPATCH

_MENTION = re.compile(r'(@(?:[-\w$.]+|"[^"]*"))(?!\()')
_AS_INTEGER = re.compile(r'ptrtoint \(ptr (@(?:[-\w$.]+|"[^"]*")) to i64\)')
_REQUEST_ARGUMENT = re.compile(r'__enzyme_[-\w$."]*\((?:ptr|i64) [^@,]*@(?:[-\w$.]+|"[^"]*")')


class AddressTaken:
    """Functions whose address is taken anywhere in the module, by type, and the dispatching functions made so far.

    A pointer that is made of an integer in memory is compared with functions of which somewhere the address is taken as
    an integer, if there are any: tables of flang's type-bound procedures are made so, and would have all functions of
    that type for candidates.
    """

    def __init__(self, text: str, module: Module) -> None:
        mentioned = dict.fromkeys(_MENTION.findall(_REQUEST_ARGUMENT.sub("", text)))
        self._names = [n for n in mentioned if n in module.functions]
        self._integers = set(_AS_INTEGER.findall(text))
        self._module = module
        self._dispatchers: dict[tuple[FunctionType, bool], Function] = {}

    def of_type(self, type_: FunctionType) -> list[str]:
        return [n for n in self._names if self._module.functions[n].type == type_]

    def candidates(self, type_: FunctionType, from_integer: bool) -> list[str]:
        fitting = self.of_type(type_)
        integers = [n for n in fitting if n in self._integers] if from_integer else []
        return integers or fitting

    def dispatcher(self, type_: FunctionType, from_integer: bool) -> Function:
        """A function (pointer, arguments…) that calls the candidate that the pointer is."""
        key = type_, from_integer
        if key not in self._dispatchers:
            self._dispatchers[key] = self._make(type_, self.candidates(*key))
        return self._dispatchers[key]

    def made(self) -> list[Function]:
        return list(self._dispatchers.values())

    def _make(self, type_: FunctionType, candidates: list[str]) -> Function:
        full = FunctionType(type_.result, (PTR, *type_.params))
        arguments = [Argument(t, "", "", k) for k, t in enumerate(full.params)]
        function = Function(self._module.fresh_name(DISPATCH), full, arguments, "internal")
        plain = ("",) * len(type_.params)
        pointer, *rest = arguments
        for name, block in compare(function, pointer, candidates):
            callee = pointer if name is None else GlobalRef.of(name)
            Builder(block).ret(pass_on(block, callee, type_, rest, plain))
        return self._module.add_function(function)


def compare(function: Function, pointer: Value, names: Iterable[str]) -> Iterator[tuple[str | None, Block]]:
    """Begins a function without blocks: each name with the block where the pointer is that function, last (None, where
    it is none of them)."""
    block = function.add_block()
    for name in names:
        b = Builder(block)
        hit, block = function.add_block(), function.add_block()
        b.cond_br(b.icmp("eq", pointer, GlobalRef.of(name)), hit, block)
        yield name, hit
    yield None, block


def pass_on(
    block: Block, callee: Value, type_: FunctionType, arguments: Sequence[Value], attributes: tuple[str, ...]
) -> Value | None:
    """Calls with what the function itself was given; the result, if there is one."""
    info = CallInfo(type_, attributes)
    call = block.append(Instruction("call", type_.result, [*arguments, callee], info))
    return None if type_.result == VOID else call


def is_dispatcher(function: Function) -> bool:
    return function.name.startswith(f"@{DISPATCH}")


def dispatch_calls(source: Module, targets: AddressTaken, function: Function) -> None:
    """Calls of what is not known by name call a dispatching function instead."""
    if is_dispatcher(function):
        return
    for i in list(function.instructions()):
        if i.opcode == "call" and not _is_known(source, i) and not i.call.function_type.vararg:
            _dispatch(targets, i)


def _is_known(source: Module, call: Instruction) -> bool:
    return isinstance(strip_casts(call.callee, source), GlobalRef | InlineAsm)


def _dispatch(targets: AddressTaken, i: Instruction) -> None:
    dispatcher = targets.dispatcher(i.call.function_type, _is_from_integer(i.callee))
    call_instead(i, dispatcher, ("",) * len(dispatcher.arguments))


def call_instead(i: Instruction, dispatcher: Function, attributes: tuple[str, ...]) -> None:
    """A call through a pointer becomes one of the dispatching function."""
    arguments = [i.callee, *i.arguments]
    info = CallInfo(dispatcher.type, attributes)
    new = Instruction("call", i.type, [*arguments, dispatcher.ref], info, i.flags, metadata=i.metadata)
    assert i.block is not None
    i.block.insert(i.block.instructions.index(i), new)
    i.replace_uses(new)
    i.erase()


def _is_from_integer(pointer: Value) -> bool:
    if not isinstance(pointer, Instruction) or pointer.opcode != "inttoptr":
        return False
    source = pointer.operands[0]
    return isinstance(source, Instruction) and source.opcode == "load"
