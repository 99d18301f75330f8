"""Calls of the program's own functions as C's calling convention wants them.

A result that is a struct comes back in registers of other types or in memory: it is read scalar by scalar from where
it lies, and put together again.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...ir.builder import Builder
from ...ir.types import Type, is_float
from ...ir.values import Function, Value
from ..core.calling_convention import Parameters, Results
from .shapes import Registered, leaves


def call_registered(
    b: Builder, registered: Registered, parameters: Parameters[Value], name: str = ""
) -> Results[list[Value]]:
    """Calls a registered function and returns the scalars of each of its results.

    `name` is that of a copy of the function to call in its place.
    """
    shape, function = registered.shape, registered.shape.function
    arguments = parameters.in_order()
    buffer: Value | None = None
    if shape.in_memory is not None:
        buffer = b.alloca(shape.in_memory, align=16)
        arguments = [buffer, *arguments]
    attributes = extensions(function)
    result = b.call(name or function.name, function.type.result, arguments, argument_attributes=attributes)
    if buffer is None and shape.result:
        buffer = b.alloca(function.type.result, align=16)
        b.store(result, buffer)
    scalars = iter([] if buffer is None else [b.load(type_, b.offset(buffer, at), 1) for type_, at in shape.result])
    results = registered.prototype.results
    return results.unpack([next(scalars) for _ in leaves(type_)] for type_ in results.in_order())


def extensions(function: Function) -> tuple[str, ...]:
    """Returns, for each argument, the attributes that say how a small integer is extended to a register."""
    kept = ("zeroext", "signext")
    return tuple(" ".join(word for word in a.attributes.split() if word in kept) for a in function.arguments)


def assemble(b: Builder, type_: Type, scalars: Sequence[Value]) -> Value:
    """Returns the value of the type that consists of the scalars."""
    if len(scalars) == 1 and scalars[0].type == type_:
        return scalars[0]
    buffer = b.alloca(type_, align=16)
    for scalar, (_, offset) in zip(scalars, leaves(type_), strict=True):
        b.store(scalar, b.offset(buffer, offset), 1)
    return b.load(type_, buffer)


def numbers_of(b: Builder, value: Value) -> list[Value]:
    """Returns the floating-point scalars that the value consists of."""
    places = leaves(value.type)
    if len(places) == 1 and places[0][0] == value.type:
        return [value]
    buffer = b.alloca(value.type, align=16)
    b.store(value, buffer)
    return [b.load(type_, b.offset(buffer, offset), 1) for type_, offset in places if is_float(type_)]
