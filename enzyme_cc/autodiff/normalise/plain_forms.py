"""Small passes, which bring calls, arguments and the ends of programs into plain forms, in a copy of the primal."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ...analysis.callees import MORE_ITERATIONS
from ...ir.builder import Builder
from ...ir.constants import Constant, ConstantWord, GlobalRef, references
from ...ir.edit import drop_incoming, drop_unreachable, tail
from ...ir.folding import int_constant
from ...ir.module import Module
from ...ir.text.lexer import tokenize
from ...ir.types import I1, PTR, VOID, PointerType, alloc_size
from ...ir.values import Block, Function, Instruction
from ...rules import runtime_functions as runtime

_BYVAL = re.compile(r"byval\([^)]*\)")


def stop_beyond_primal(function: Function) -> None:
    """Ends the program where a stand-in says that only the primal may go on: before it calls the library.

    The call that says so has no effect in the primal. Its operand names the library's function.
    """
    stops = [i for i in function.instructions() if _calls(i, runtime.PRIMAL_ONLY.symbol)]
    kept = _named(function) if stops else []
    for i in stops:
        if i.block is not None:
            _stop_at(i, kept)


def _named(function: Function) -> list[Constant]:
    """Returns what names globals and functions: a call of this function is active if it may use active globals."""
    operands = (o for i in function.instructions() for o in i.operands if isinstance(o, Constant))
    named = (o for o in operands if any(not n.startswith(("@llvm.", "@__ez_")) for n in references(o)))
    return list({str(o): o for o in named if isinstance(o.type, PointerType)}.values())


def copy_byval(source: Module, function: Function) -> None:
    """Copies arguments passed by value in memory at the function's entry, as the call does for the primal."""
    b = Builder.first(function.entry)
    for argument in function.arguments:
        if "byval(" not in argument.attributes:
            continue
        match = _BYVAL.search(argument.attributes)
        assert match is not None
        type_, _ = source.context.type([*tokenize(match[0][6:-1]), ""], 0)
        argument.attributes = ""
        copy = b.alloca(type_, align=16)
        argument.replace_uses(copy)
        operands = (copy, argument, int_constant(alloc_size(type_)), int_constant(0, I1))
        b.call("@llvm.memcpy.p0.p0.i64", VOID, operands)


def drop_unreached(function: Function) -> None:
    """Drops the blocks that the entry does not reach."""
    drop_unreachable(function)


def raise_iterations(function: Function) -> None:
    """Adds the second operand of each `__enzyme_iter` to the first: a derivative runs that many more iterations."""
    for i in list(function.instructions()):
        if i.opcode == "call" and MORE_ITERATIONS in str(i.callee) and len(i.arguments) == 2:
            count, more = i.arguments
            i.set_operand(0, Builder.before(i).add(count, more))


def call_for_invokes(function: Function) -> None:
    """Replaces invokes by calls: no exception is caught inside differentiated code."""
    for i in list(function.instructions()):
        if i.opcode == "invoke":
            _call_for_invoke(i)


def _call_for_invoke(i: Instruction) -> None:
    block, info = i.block, i.call
    assert block is not None
    normal, unwind = i.operands[-3], i.operands[-2]
    assert isinstance(normal, Block) and isinstance(unwind, Block)
    for phi in unwind.phis:
        drop_incoming(phi, block)
    operands = [*i.operands[:-3], i.callee]
    call = Instruction("call", i.type, operands, info, i.flags, metadata=i.metadata)
    i.replace_uses(call)
    i.erase()
    block.append(call)
    Builder(block).br(normal)


def _calls(i: Instruction, name: str) -> bool:
    return i.opcode == "call" and i.block is not None and isinstance(i.callee, GlobalRef) and i.callee.name == name


def _stop_at(i: Instruction, kept: Iterable[Constant]) -> None:
    """Replaces the instruction, and what follows it in its block, by the end of the program.

    `kept`: what is still named there.
    """
    block = i.block
    assert block is not None
    for successor in block.successors:
        for phi in successor.phis:
            drop_incoming(phi, block)
    name = i.arguments[0]
    for rest in reversed(tail(i)):
        rest.replace_uses(ConstantWord(rest.type, "poison"))
        rest.erase()
    b = Builder(block)
    runtime.BEYOND_STAND_IN.call(b, name)
    for named in kept:
        b.emit("freeze", PTR, (named,))
    b.unreachable()
