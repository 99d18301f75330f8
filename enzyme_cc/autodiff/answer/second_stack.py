"""Runs derivatives of recursive functions on a second stack (toolchain/runtime/second_stack.c).

A level of a derivative needs more stack than a level of the primal. The second stack is many times as large as the
thread's own, so that a derivative does not overflow where the primal did not.
"""

from __future__ import annotations

from ...ir.builder import Builder
from ...ir.constants import InlineAsm
from ...ir.folding import int_constant, zero
from ...ir.target import architecture_of
from ...ir.types import I8, PTR, VOID, FunctionType, StructType, alloc_size
from ...ir.values import Argument, Function, Instruction, Value
from ...rules import runtime_functions as runtime
from ..core.calling_convention import Prototype
from ..core.round import Round

#: the function that changes stacks: it calls its first operand, and passes the second
SWITCH = "@__ez_on_second_stack"
_SWITCH_TYPE = FunctionType(VOID, (PTR, PTR))
#: The frame pointer tells unwinders where the caller's frame is, whatever the stack pointer is.
_SWITCH_ATTRIBUTES = 'noinline uwtable "frame-pointer"="all"'
_KEPT_BY_CALLER = [*("rax rcx rdx rsi rdi r8 r9 r10 r11".split()), *(f"xmm{k}" for k in range(16))]
_CLOBBERED = ",".join(f"~{{{name}}}" for name in ["rbx", *_KEPT_BY_CALLER, "memory", "dirflag", "fpsr", "flags"])
_SWITCHED_CALL = (
    r'asm sideeffect unwind "movq $1, %rdi\0A movq %rsp, %rbx\0A movq $2, %rsp\0A callq *$0\0A movq %rbx, %rsp", '
    f'"{{r12}},{{r13}},{{r14}},{_CLOBBERED}"'
)


def call_on_second_stack(
    round: Round, b: Builder, caller: Function, name: str, proto: Prototype, arguments: list[Value]
) -> Instruction:
    """Emits a call of a derivative on the second stack, and returns its results as the derivative would.

    Arguments and results go through memory in the frame of `caller`.
    """
    if SWITCH not in round.output.functions:
        has_code = architecture_of(round.source.head).name == "x86_64"
        round.enter(_switching_function() if has_code else _calling_function())
    given = b.make_struct(arguments)
    size = max(alloc_size(given.type), alloc_size(proto.result) if proto.result != VOID else 0)
    frame = Builder.first(caller.entry).alloca(I8, int_constant(size), 16)
    b.store(given, frame)
    switched = b.call(SWITCH, VOID, (_with_frame(round, name, proto), frame))
    return switched if proto.result == VOID else b.load(proto.result, frame)


def _with_frame(round: Round, name: str, proto: Prototype) -> Value:
    """Returns a function that loads the arguments of a derivative from memory, and stores its results there."""
    frame = Argument(PTR)
    function = Function(
        round.output.fresh_name("@__ez_framed"), FunctionType(VOID, (PTR,)), [frame], "internal", "uwtable"
    )
    b = Builder(function.add_block())
    given = b.load(StructType(proto.params), frame)
    result = b.call(name, proto.result, [b.extract_value(given, k) for k in range(len(proto.params))])
    if proto.result != VOID:
        b.store(result, frame)
    b.ret()
    round.enter(function)
    return function.ref


def _calling_function() -> Function:
    """Returns a function that calls another one on the same stack: other architectures have no code to change it."""
    callee, operand = Argument(PTR), Argument(PTR, index=1)
    function = Function(SWITCH, _SWITCH_TYPE, [callee, operand], "internal", _SWITCH_ATTRIBUTES)
    b = Builder(function.add_block())
    b.call(callee, VOID, (operand,))
    b.ret()
    return function


def _switching_function() -> Function:
    """Returns a function that calls another one on the second stack; on the same stack if it is there already."""
    callee, operand = Argument(PTR), Argument(PTR, index=1)
    function = Function(SWITCH, _SWITCH_TYPE, [callee, operand], "internal", _SWITCH_ATTRIBUTES)
    entry, here, there = (function.add_block() for _ in range(3))
    b = Builder(entry)
    top = runtime.SECOND_STACK.call(b)
    b.cond_br(b.icmp("eq", top, zero(PTR)), here, there)
    b = Builder(here)
    b.call(callee, VOID, (operand,))
    b.ret()
    b = Builder(there)
    b.call(InlineAsm(PTR, _SWITCHED_CALL), VOID, (callee, operand, top))
    b.ret()
    return function
