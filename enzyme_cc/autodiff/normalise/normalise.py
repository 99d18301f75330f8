"""Brings a function into the form that differentiation assumes, in a copy: the primal that the program calls is kept.

- The copies of arguments passed by value in memory become explicit.
- Invokes become calls, calls through pointers become calls of a dispatcher, variable arguments are passed in memory.
- Library calls, vectors of integers and bits of numbers take forms whose derivatives are known.
- Control flow becomes reducible.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from ...analysis.callees import MORE_ITERATIONS
from ...analysis.type_analysis.declared.tbaa import Tbaa
from ...ir.builder import Builder
from ...ir.constants import Constant, ConstantWord, GlobalRef, references
from ...ir.edit import drop_incoming, drop_unreachable, tail
from ...ir.folding import int_constant
from ...ir.module import Module
from ...ir.text.lexer import tokenize
from ...ir.types import I1, PTR, VOID, PointerType, alloc_size
from ...ir.values import Block, Function, Instruction
from ...ir.verify import verify_function
from ...rules import runtime_functions as runtime
from ..optimise.joined_copies import join_split_copies
from . import reducible
from .bits.exchanges import separate_exchanges
from .bits.number_bits import follow_bits
from .bits.parts_of_words import load_as_read, store_as_made, take_addresses
from .bits.repeated import pack_repeated_bits
from .bits.rounding import step_where_sums_round
from .closures import store_closures
from .computed_goto import compare_addresses
from .declared_moves import load_packed_as_declared, move_as_declared
from .fences import fence_large_sums
from .indirect_calls import AddressTaken, dispatch_calls
from .library_forms import simplify_library_calls
from .undefined import define_numbers
from .unspeculate import unspeculate
from .variadic import Variadics
from .vectors.vector_lanes import follow_lanes

#: Stand-ins call it before they call the library in a case without a derivative. It has no effect in the primal, and
#: ends the program in a derivative. Its operand names the library's function.
_BYVAL = re.compile(r"byval\([^)]*\)")


def normalise(
    source: Module, function: Function, targets: AddressTaken, variadics: Variadics, verify: bool = False
) -> None:
    """Normalises a parsed body in place, once. With `verify`, raises InvalidIR if a step leaves it invalid."""
    for name, step in _steps(source, function, targets, variadics):
        step()
        if verify:
            verify_function(function, name)


def _steps(
    source: Module, function: Function, targets: AddressTaken, variadics: Variadics
) -> list[tuple[str, Callable[[], object]]]:
    tbaa = Tbaa(source)
    return [
        ("copying arguments passed by value", lambda: _copy_byval(source, function)),
        ("call_for_invokes", lambda: call_for_invokes(function)),
        ("Variadics.fix", lambda: variadics.fix(function)),
        ("simplify_library_calls", lambda: simplify_library_calls(source, function)),
        ("follow_lanes", lambda: follow_lanes(function)),
        ("define_numbers", lambda: define_numbers(function)),
        ("stopping at what only the primal may do", lambda: _stop_beyond_primal(function)),
        ("raising numbers of iterations", lambda: _raise_iterations(function)),
        ("store_closures", lambda: store_closures(function)),
        ("dispatch_calls", lambda: dispatch_calls(source, targets, function)),
        ("join_split_copies", lambda: join_split_copies(function)),
        ("take_addresses", lambda: take_addresses(function)),
        ("pack_repeated_bits", lambda: pack_repeated_bits(function)),
        ("load_as_read", lambda: load_as_read(function)),
        ("load_packed_as_declared", lambda: load_packed_as_declared(tbaa, function)),
        ("store_as_made", lambda: store_as_made(function)),
        ("move_as_declared", lambda: move_as_declared(tbaa, function)),
        ("compare_addresses", lambda: compare_addresses(function)),
        ("drop_unreachable", lambda: drop_unreachable(function)),
        ("step_where_sums_round", lambda: step_where_sums_round(source, function)),
        ("separate_exchanges", lambda: separate_exchanges(function)),
        ("follow_bits", lambda: follow_bits(tbaa, function)),
        ("fence_large_sums", lambda: fence_large_sums(function)),
        ("make_reducible", lambda: reducible.make_reducible(function)),
        ("unspeculate", lambda: unspeculate(function)),
    ]


def _stop_beyond_primal(function: Function) -> None:
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


def _copy_byval(source: Module, function: Function) -> None:
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


def _raise_iterations(function: Function) -> None:
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
