"""Memory that holds numbers at one time and pointers at another: unions copied whole, reused blocks of a pool.

No layout tells what a copy of such memory moves, so that is found out at run time. In memory that the differentiated
program made itself, the shadow of a number is zero during the whole primal sweep. A word of the shadow that is not zero
is the shadow of a pointer. So:

- The primal sweep copies all bytes of the shadow and stores what it copied on the tape.
- The reverse sweep reads the tape: a word that was the shadow of a pointer is left alone, any other is an adjoint.
- If a number is stored over a pointer, the primal sweep clears the shadow.
- If a pointer is stored over a number, the reverse sweep clears it.
"""

from __future__ import annotations

from collections.abc import Iterable

from ...analysis.activity.carriers import Carriers
from ...analysis.callees import CalleeKind, Callees
from ...analysis.type_analysis.analysis import Kind, TypeAnalysis
from ...ir.folding import int_constant
from ...ir.values import Function, Instruction, Value
from ...rules import runtime_functions as runtime
from ..analyses.function_analyses import FunctionAnalyses
from ..core.layouts import constant_size, find_layout
from .cloning import Cloning

#: bits of the runtime's tables: the numbers that a word may hold, which the runtime can add
NUMBER_BITS = {Kind.DOUBLE: 1, Kind.FLOAT: 2, Kind.X86_FP80: 4}
_POINTER_BIT = {Kind.POINTER: 8}


def is_mixed(analyses: FunctionAnalyses, pointers: Iterable[Value], size: Value | None) -> bool:
    """Returns True if the bytes at the pointers have no layout, but can be told apart at run time."""
    types, pointers = analyses.round.types, list(pointers)
    if find_layout(types, pointers, constant_size(size)) is not None:
        return False
    private = all(types.is_private(p) for p in pointers if analyses.activity.shadowed(p))
    return private and _all_known(types, pointers, size)


def _all_known(types: TypeAnalysis, pointers: list[Value], size: Value | None) -> bool:
    """True if the runtime can add all numbers that the words may hold."""
    kinds = frozenset().union(*types.words(pointers, constant_size(size)))
    return kinds <= NUMBER_BITS.keys() | _POINTER_BIT.keys()


def is_mixed_target(types: TypeAnalysis, pointer: Value, size: Value | None) -> bool:
    """Returns True if the copied bytes have a layout, but the memory that they are copied to has none."""
    return types.is_private(pointer) and types.is_mixed(pointer, constant_size(size))


def clear_constants(sweep: Cloning, pointers: Iterable[Value], shadow: Value, size: Value, count: Value) -> None:
    """Emits code that zeroes the numbers in a shadow to which constants were copied, and leaves the pointers.

    `size` is the number of bytes copied in the primal, `count` the number of bytes to examine. The runtime tells
    numbers and pointers apart by their bits; if it cannot, the program ends with a message.
    """
    kinds = sweep.round.types.words(pointers, constant_size(size))
    bits = NUMBER_BITS | _POINTER_BIT
    table = sweep.round.table([sum(bits.get(kind, 0) for kind in word) for word in kinds])
    runtime.MIXED_CONSTANTS.call(sweep.b, shadow, count, table, int_constant(len(kinds)))


# -- functions


def functions_with_mixed_memory(carriers: Carriers, callees: Callees, functions: Iterable[Function]) -> frozenset[str]:
    """Returns the functions that copy such memory, or call one that does.

    Their primal sweep must run before any reverse sweep begins, because it relies on shadows of numbers being zero.
    """
    functions = list(functions)
    found = {f.name for f in functions if any(_touches_mixed(carriers, callees, i) for i in f.instructions())}
    calls = {f.name: {callees.of(i).name for i in f.instructions() if i.opcode == "call"} for f in functions}
    grew = bool(found)
    while grew:
        more = {name for name, called in calls.items() if name not in found and called & found}
        found |= more
        grew = bool(more)
    return frozenset(found)


def _touches_mixed(carriers: Carriers, callees: Callees, i: Instruction) -> bool:
    if i.opcode == "store":
        return carriers.is_mixed_store(i)
    if i.opcode != "call":
        return False
    callee = callees.of(i)
    if callee.kind not in _COPYING or callee.known is None:
        return False
    if callee.kind is CalleeKind.REALLOCATE:
        return find_layout(carriers.types, [i, i.arguments[0]], None) is None
    pointers = [i.arguments[callee.known.target]]
    if callee.kind is CalleeKind.COPY:
        pointers.append(i.arguments[callee.known.source])
    return find_layout(carriers.types, pointers, constant_size(i.arguments[callee.known.length])) is None


_COPYING = frozenset([CalleeKind.COPY, CalleeKind.FILL, CalleeKind.REALLOCATE])
