"""Defers calls of freeing functions with several arguments to the end of the reverse sweep.

These are the program's own (`__enzyme_allocation_like`), and `operator delete` of memory with an alignment of its own.
The arguments of a call are stored in the arena. A function made here loads them and makes the call.
"""

from __future__ import annotations

from ...analysis.callees import plain_name
from ...ir.builder import Builder
from ...ir.folding import int_constant
from ...ir.types import PTR, VOID, FunctionType, StructType, alloc_size, field_offsets
from ...ir.values import Function, Instruction, Value
from ...rules import runtime_functions as runtime
from ..core.round import Round
from .replaced_pointers import release_shadow
from .tape_allocation import TapedCloning


def defer(sweep: TapedCloning, i: Instruction, pointer: int) -> None:
    """Defers the call, for the memory at operand number `pointer` and for its shadow, if that is freed, too."""
    of_block = i.arguments[pointer]
    runtime.DEFER_FREE.call(sweep.b, sweep.frame.arena, *packed_call(sweep, i, pointer, sweep.of(of_block)))
    known = sweep.activity.callees.of(i).known
    has_shadow = sweep.activity.shadowed(of_block) and not (known is not None and known.primal_only)
    for _ in sweep.directions() if has_shadow else ():
        shadow = sweep.shadow_of(of_block)
        release_shadow(sweep, of_block, shadow, *packed_call(sweep, i, pointer, shadow))


def packed_call(sweep: TapedCloning, i: Instruction, pointer: int, memory: Value) -> tuple[Value, Value]:
    """Emits a record of the call's arguments, with this memory as operand number `pointer`.

    Returns the record, and the function that makes the call.
    """
    arguments = [memory if k == pointer else sweep.of(a) for k, a in enumerate(i.arguments)]
    b, record = sweep.b, StructType(tuple(a.type for a in arguments))
    place = runtime.ALLOCATE.call(b, sweep.frame.arena, int_constant(alloc_size(record)))
    for argument, offset in zip(arguments, field_offsets(record), strict=True):
        b.store(argument, b.offset(place, offset))
    return place, _unpacking(sweep.round, i, record)


def _unpacking(round: Round, i: Instruction, record: StructType) -> Value:
    """Returns the function that loads the arguments from the record and calls the freeing function."""
    callee = round.callees.of(i).name
    name = f"@__ez_release.{plain_name(callee)}"

    def fill(function: Function) -> None:
        b, (place,) = Builder(function.add_block()), function.arguments
        round.output.declare(callee, FunctionType(i.type, record.fields))
        pairs = zip(record.fields, field_offsets(record), strict=True)
        b.call(callee, i.type, [b.load(type_, b.offset(place, offset)) for type_, offset in pairs])
        b.ret()

    return round.make_once(name, FunctionType(VOID, (PTR,)), "", fill)
