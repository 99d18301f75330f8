"""Makes closures readable for calls through pointers.

flang passes an internal procedure by the address of a trampoline. This is code on the stack, which gives the procedure
the frame of its host. A derivative must know procedure and frame. So they are stored behind the code too, with a mark,
and calls through pointers look there first. The code stays, for callers without bitcode.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...ir.builder import Builder
from ...ir.constants import GlobalRef
from ...ir.folding import int_constant
from ...ir.module import Module
from ...ir.types import I8, I64, PTR, VOID, ArrayType, FunctionType
from ...ir.values import Argument, CallInfo, Function, Instruction, Value

_MAKES, _ADJUSTS = "@llvm.init.trampoline", "@llvm.adjust.trampoline"
_MADE = re.compile(r'@llvm\.init\.trampoline\(ptr[^@\n]*, ptr [^@\n]*(@(?:[-\w$.]+|"[^"]*"))')
_FRAME = "nest"
#: the bytes from a trampoline's address to the mark, the procedure, and the frame. The longest code has 36 bytes
_MARK, _PROCEDURE, _HOST_FRAME, _BYTES = 40, 48, 56, 64
#: any number that code does not contain
_CLOSURE = 0x5EED_C105_07E5_ADD5


def internal_procedures(text: str, module: Module) -> list[str]:
    """Returns the functions that trampolines call."""
    if _MAKES not in text:
        return []
    return [name for name in dict.fromkeys(_MADE.findall(text)) if name in module.functions]


def type_through_pointer(procedure: Function) -> FunctionType:
    """Returns the type that calls through a trampoline have: without the frame."""
    kept = [a.type for a in procedure.arguments if not _is_frame(a)]
    return FunctionType(procedure.type.result, tuple(kept))


def store_closures(function: Function) -> None:
    """Stores procedure and frame behind each trampoline that the function makes. The address stays that of the code."""
    for i in list(function.instructions()):
        if _calls(i, _MAKES):
            _store_closure(i)
    for i in list(function.instructions()):
        if _calls(i, _ADJUSTS):  # it changes addresses on other targets only
            i.replace_uses(i.arguments[0])
            i.erase()


def _store_closure(i: Instruction) -> None:
    code, procedure, frame = i.arguments
    if not (isinstance(code, Instruction) and code.opcode == "alloca"):
        return  # flang makes no other trampolines; this one is refused
    room = ArrayType(I8, _BYTES)
    if code.memory.accessed != room:
        wider = Builder.before(code).alloca(room, align=16)
        code.replace_uses(wider)
        code.erase()
        code = wider
    b = Builder.after(i)
    b.store(int_constant(_CLOSURE), b.offset(code, _MARK))
    b.store(procedure, b.offset(code, _PROCEDURE))
    b.store(frame, b.offset(code, _HOST_FRAME))


def call_closures(function: Function, procedures: Sequence[Function], dispatcher: Function) -> None:
    """Makes the body of a function (pointer, arguments…) that calls the procedure of a closure, or the dispatcher."""
    pointer, *rest = function.arguments
    block, closure, plain = function.add_block(), function.add_block(), function.add_block()
    b = Builder(block)
    b.cond_br(b.icmp("eq", b.load(I64, b.offset(pointer, _MARK)), int_constant(_CLOSURE)), closure, plain)
    Builder(plain).ret(_call(Builder(plain), dispatcher, [pointer, *rest]))
    for procedure in procedures:
        b = Builder(closure)
        hit, closure = function.add_block(), function.add_block()
        b.cond_br(b.icmp("eq", b.load(PTR, b.offset(pointer, _PROCEDURE)), procedure.ref), hit, closure)
        b = Builder(hit)
        frame = b.load(PTR, b.offset(pointer, _HOST_FRAME))
        given = iter(rest)
        b.ret(_call(b, procedure, [frame if _is_frame(a) else next(given) for a in procedure.arguments]))
    Builder(closure).ret(_call(Builder(closure), dispatcher, [pointer, *rest]))


def _call(b: Builder, callee: Function, arguments: list[Value]) -> Value | None:
    attributes = tuple(_FRAME if _is_frame(a) else "" for a in callee.arguments)
    info = CallInfo(callee.type, attributes)
    call = b.insert(Instruction("call", callee.type.result, [*arguments, callee.ref], info))
    return None if callee.type.result == VOID else call


def _is_frame(argument: Argument) -> bool:
    return _FRAME in argument.attributes.split()


def _calls(i: Instruction, intrinsic: str) -> bool:
    return i.opcode == "call" and isinstance(i.callee, GlobalRef) and i.callee.name.startswith(intrinsic)
