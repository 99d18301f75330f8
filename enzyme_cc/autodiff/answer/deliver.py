"""Delivers the value of a request to the program, in the layout of the type that the caller declares."""

from __future__ import annotations

from collections.abc import Sequence

from ...ir.attributes import byval_type
from ...ir.builder import Builder
from ...ir.folding import int_constant, zero
from ...ir.module import Module
from ...ir.types import VOID, IntType, Type, align_up, alignment, alloc_size
from ...ir.values import Value
from ..requests.c_abi import places
from ..requests.request import Request, convert, convertible


def deliver(output: Module, b: Builder, request: Request, parts: Sequence[Value]) -> Value | None:
    """Returns the parts as one value of the type that the request is declared to return; None if it goes to memory."""
    call = request.call
    if request.in_place:
        return None
    if request.returns_through_memory:
        declared = byval_type(output, call.call.argument_attributes[0])
        if declared is not None:
            _check_size(output, request, parts, declared)
        _store_parts(b, parts, call.arguments[0])
        return None
    if call.type == VOID:
        return None
    if not parts:
        return zero(call.type)
    if len(parts) == 1 and convertible(parts[0].type, call.type):
        return convert(b, parts[0], call.type)
    return _through_memory(output, b, request, parts)


def _store_parts(b: Builder, parts: Sequence[Value], pointer: Value) -> None:
    """Stores the parts with the layout of a C struct."""
    for part, offset in zip(parts, places([p.type for p in parts])[0], strict=True):
        b.store(part, b.offset(pointer, offset))


def _through_memory(output: Module, b: Builder, request: Request, parts: Sequence[Value]) -> Value:
    """Converts the parts through memory, because ABIs return small structs as other types of the same bytes."""
    call = request.call
    _check_size(output, request, parts, call.type)
    size = max(alloc_size(call.type), places([p.type for p in parts])[1])
    buffer = Builder.first(request.caller.entry).alloca(IntType(8), int_constant(size), 16)
    _store_parts(b, parts, buffer)
    return b.load(call.type, buffer)


def _check_size(output: Module, request: Request, parts: Sequence[Value], declared: Type) -> None:
    """Raises EnzymeError (EZ0205) if the declared type and a struct of the parts differ in size."""
    size = places([p.type for p in parts])[1]
    if align_up(size, alignment(declared)) != alloc_size(declared):
        raise request.error(
            output,
            "EZ0205",
            f"{request.kind.value} is declared to return {declared}",
            f"it returns {len(parts)} values, {size} bytes: {', '.join(str(p.type) for p in parts)}",
        )
