"""Moves variables that set-up calls are given to memory that has no shadow.

A set-up call runs as native code before anything carries a derivative, and what it makes is constant memory. It may put
pointers into a variable on the stack of differentiated code, or keep the variable's address. A shadow of the variable
would not know of either. So the variable becomes a block of constant memory, which is freed when the function returns:
numbers that are stored there later have shadows by their addresses, as in a handle that the program made before.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from ...ir.builder import Builder
from ...ir.constants import GlobalRef
from ...ir.folding import int_constant
from ...ir.graphs import reachable
from ...ir.module import Module
from ...ir.types import I64, PTR, VOID, FunctionType, alloc_size, is_pointer
from ...ir.value_edges import SAME_OBJECT
from ...ir.values import Argument, Function, Instruction, Value
from ...rules.runtime_functions import SET_UP_MEMORY


def set_up_outside(source: Module, functions: Collection[Function], set_up: frozenset[str]) -> None:
    """Moves the variables whose addresses the functions give to `set_up`, also by way of other functions, in place."""
    if not set_up:
        return
    given = _given(functions, set_up)
    for function in functions:
        variables = {v for v in given if isinstance(v, Instruction) and v.block and v.block.function is function}
        if variables:
            _move(source, function, variables)


def _given(functions: Iterable[Function], set_up: frozenset[str]) -> set[Value]:
    """Returns the variables and parameters whose memory is given to set-up calls."""
    calls: dict[str, list[Instruction]] = {}
    for function in functions:
        for i in function.instructions():
            if i.is_call and isinstance(i.callee, GlobalRef):
                calls.setdefault(i.callee.name, []).append(i)
    parameters = {argument: (f.name, k) for f in functions for k, argument in enumerate(f.arguments)}

    def sources(value: Value) -> Iterable[Value]:
        if isinstance(value, Argument):
            name, k = parameters[value]
            return [call.arguments[k] for call in calls.get(name, ()) if k < len(call.arguments)]
        return SAME_OBJECT.operands(value)

    starts = [a for name in set_up for call in calls.get(name, ()) for a in call.arguments if is_pointer(a.type)]
    found = set(reachable(starts, sources))
    return {v for v in found if isinstance(v, Instruction) and v.opcode == "alloca"}


def _move(source: Module, function: Function, variables: set[Instruction]) -> None:
    SET_UP_MEMORY.declare(source)
    source.declare("@free", FunctionType(VOID, (PTR,)))
    blocks = []
    for variable in [i for i in function.instructions() if i in variables]:
        for user in [u for u in variable.users if u.is_lifetime_marker]:
            user.erase()
        b = Builder.before(variable)
        block = SET_UP_MEMORY.call(b, _bytes(b, variable))
        variable.replace_uses(block)
        variable.erase()
        if block.block is function.entry:
            blocks.append(block)
    for end in [b.terminator for b in function.blocks if b.terminator.opcode == "ret"]:
        for block in blocks:
            Builder.before(end).call("@free", VOID, [block])


def _bytes(b: Builder, variable: Instruction) -> Value:
    type_ = variable.memory.accessed
    assert type_ is not None
    size: Value = int_constant(alloc_size(type_))
    for count in variable.operands:
        size = b.mul(b.resize_int(count, I64, signed=True), size)
    return size
