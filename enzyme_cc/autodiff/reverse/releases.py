"""Defers calls of the program's own freeing functions (`__enzyme_allocation_like`) to the end of the reverse sweep.

The arguments of a call are stored in the arena. A function made here loads them and makes the call.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...analysis.callees import plain_name
from ...ir.builder import Builder
from ...ir.constants import GlobalRef
from ...ir.folding import int_constant
from ...ir.types import PTR, VOID, FunctionType, StructType, alloc_size, field_offsets
from ...ir.values import Argument, Function, Instruction, Value
from ...rules import runtime_functions as runtime
from ..core.round import Round
from .tape_allocation import TapedCloning


def defer(sweep: TapedCloning, i: Instruction, pointer: int) -> None:
    """Defers the call, for the memory at operand number `pointer` and for its shadow."""
    arguments = [sweep.of(a) for a in i.arguments]
    _defer_call(sweep, i, arguments)
    for _ in sweep.directions() if sweep.activity.shadowed(i.arguments[pointer]) else ():
        arguments[pointer] = sweep.shadow_of(i.arguments[pointer])
        _defer_call(sweep, i, arguments)


def _defer_call(sweep: TapedCloning, i: Instruction, arguments: Sequence[Value]) -> None:
    b, record = sweep.b, StructType(tuple(a.type for a in arguments))
    place = runtime.ALLOCATE.call(b, sweep.frame.arena, int_constant(alloc_size(record)))
    for argument, offset in zip(arguments, field_offsets(record), strict=True):
        b.store(argument, b.offset(place, offset))
    runtime.DEFER_FREE.call(b, sweep.frame.arena, place, _unpacking(sweep.round, i, record))


def _unpacking(round: Round, i: Instruction, record: StructType) -> Value:
    """Returns the function that loads the arguments from the record and calls the freeing function."""
    callee = round.callees.of(i).name
    name = f"@__ez_release.{plain_name(callee)}"
    if name not in round.output.functions:
        place = Argument(PTR, "", "", 0)
        function = Function(name, FunctionType(VOID, (PTR,)), [place], "internal")
        b = Builder(function.add_block())
        pairs = zip(record.fields, field_offsets(record), strict=True)
        b.call(callee, i.type, [b.load(type_, b.offset(place, offset)) for type_, offset in pairs])
        b.ret()
        round.enter(function)
    return GlobalRef.of(name)
