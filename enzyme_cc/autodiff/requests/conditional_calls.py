"""Calls, under a condition, of functions without bitcode, in a function that is requested.

The program may never make them. A called function that makes one has a derivative that ends the program (EZ0310); the
requested function itself must have its derivative. So each such call moves to a function of its own.
"""

from __future__ import annotations

from itertools import count

from ...analysis.callees import Callee, Callees, plain_name
from ...analysis.certain_blocks import certain_blocks
from ...ir.builder import Builder
from ...ir.cfg import ControlFlow
from ...ir.module import Module, global_name
from ...ir.types import VOID, FunctionType
from ...ir.values import Argument, CallInfo, Function, Instruction
from ...report.spelling import ENDING
from ...rules.knowledge import CalleeKind


def separate_conditional_calls(callees: Callees, function: Function) -> list[Function]:
    """Replaces such calls in a function, which is normalised. Returns the functions that make them."""
    calls = [i for i in function.instructions() if _has_no_bitcode(callees, i)]
    certain = certain_blocks(ControlFlow(function)) if calls else frozenset()
    return [_separate(callees, i) for i in calls if i.block not in certain]


def _has_no_bitcode(callees: Callees, i: Instruction) -> bool:
    if i.opcode != "call" or i.call.bundles or i.call.tail == "musttail":
        return False
    callee = callees.of(i)
    is_left_out = callees.is_native(callee.name)
    return callee.kind is CalleeKind.UNKNOWN and not is_left_out and not callee.name.startswith("@llvm.")


def _separate(callees: Callees, i: Instruction) -> Function:
    module = callees.module
    type_ = FunctionType(i.type, tuple(a.type for a in i.arguments))
    arguments = [Argument(t, "", "", k) for k, t in enumerate(type_.params)]
    made = module.add_function(Function(_name(module, callees.of(i)), type_, arguments, "internal"))
    block = made.add_block()
    call = block.append(Instruction("call", i.type, [*arguments, i.callee], i.call, i.flags, metadata=i.metadata))
    Builder(block).ret(None if i.type == VOID else call)
    info = CallInfo(type_, ("",) * len(arguments))
    new = Instruction("call", i.type, [*i.arguments, made.ref], info, metadata=i.metadata)
    i.replace_uses(Builder.before(i).insert(new))
    i.erase()
    return made


def _name(module: Module, callee: Callee) -> str:
    """Returns a name that messages show as that of the called function."""
    names = (global_name(f"{plain_name(callee.name)}{ENDING}{k}") for k in count(1))
    return next(name for name in names if name not in module.functions and name not in module.globals)
