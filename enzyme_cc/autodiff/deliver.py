"""Hands a request's value to the program, laid out as the caller's declared type wants it."""

from __future__ import annotations

from collections.abc import Sequence

from ..ir.builder import Builder, int_constant, zero
from ..ir.types import VOID, IntType, align_up, alignment, alloc_size
from ..ir.values import Value
from .requests import Request, convert, convertible
from .session import Session


def deliver(session: Session, b: Builder, request: Request, parts: Sequence[Value]) -> Value | None:
    """The parts as one value of the type that the request is declared to return; None where it goes to memory."""
    call = request.call
    if request.returns_through_memory:
        _store_parts(b, parts, call.arguments[0])
        return None
    if call.type == VOID:
        return None
    if not parts:
        return zero(call.type)
    if len(parts) == 1 and convertible(parts[0].type, call.type):
        return convert(b, parts[0], call.type)
    return _through_memory(session, b, request, parts)


def _store_parts(b: Builder, parts: Sequence[Value], pointer: Value) -> int:
    """Stores the parts one after the other as C lays out a struct of them; the size is returned."""
    offset = 0
    for part in parts:
        offset = align_up(offset, alignment(part.type))
        b.store(part, b.offset(pointer, offset))
        offset += alloc_size(part.type)
    return offset


def _through_memory(session: Session, b: Builder, request: Request, parts: Sequence[Value]) -> Value:
    """ABIs return small structs in coerced types: the bytes decide."""
    call = request.call
    entry = request.caller.entry
    size = max(alloc_size(call.type), 16 * (1 + len(parts)))
    buffer = entry.insert(0, Builder(entry).alloca(IntType(8), int_constant(size), 16))
    entry.instructions.pop()
    used = _store_parts(b, parts, buffer)
    if used != alloc_size(call.type) and align_up(used, alignment(call.type)) != alloc_size(call.type):
        raise request.error(
            session.output,
            "EZ0205",
            f"{request.kind.value} is declared to return {call.type}",
            f"it returns {len(parts)} derivatives of {used} bytes: {', '.join(str(p.type) for p in parts)}",
        )
    return b.load(call.type, buffer)
