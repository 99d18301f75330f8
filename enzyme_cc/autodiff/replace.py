"""Puts calls of derivative functions in the place of requests: one function per kind, in the table EMIT."""

from __future__ import annotations

from collections.abc import Callable

from ..analysis.activity import ArgumentActivity, ResultActivity
from ..ir.builder import Builder, float_constant
from ..ir.values import Instruction, Value
from .deliver import deliver
from .markers import RequestKind
from .normalise import drop_incoming
from .requests import Request, convert
from .session import Session
from .signature import Form


def replace_request(session: Session, request: Request) -> None:
    """Puts a call of the derivative in the place of the request."""
    call = request.call
    block = call.block
    assert block is not None
    at = block.instructions.index(call)
    rest = block.instructions[at:]
    del block.instructions[at:]
    b = Builder(block)
    value = deliver(session, b, request, EMIT[request.kind](session, b, request))
    debug = call.metadata_node("!dbg")
    for i in block.instructions[at:]:
        if debug is not None and i.opcode == "call":
            i.metadata = (("!dbg", debug),)
    block.instructions += rest
    if value is not None:
        call.replace_uses(value)
    if call.opcode == "invoke":
        _leave_invoke(call)
    call.erase()


def _leave_invoke(call: Instruction) -> None:
    normal, unwind = call.successors
    block = call.block
    assert block is not None
    for phi in unwind.phis:
        drop_incoming(phi, block)
    Builder(block).br(normal)


def _arguments(session: Session, b: Builder, request: Request) -> list[Value]:
    """The primal's arguments, each that is DUP followed by its shadow."""
    values: list[Value] = []
    primal = session.output.functions[request.function]
    for actual, parameter in zip(request.arguments, primal.arguments, strict=True):
        values.append(convert(b, actual.primal, parameter.type))
        if actual.shadow is not None:
            values.append(convert(b, actual.shadow, parameter.type))
    return values


def _emit_autodiff(session: Session, b: Builder, request: Request) -> list[Value]:
    """[the primal result, where it is asked for], then the derivatives of the OUT arguments."""
    name, proto = session.derivative(request.signature, Form.COMBINED)
    values = _arguments(session, b, request)
    if request.result is ResultActivity.ACTIVE:
        values.append(float_constant(1.0, session.output.functions[request.function].type.result))
    result = b.call(name, proto.result, values)
    outs = sum(a.activity is ArgumentActivity.OUT for a in request.arguments)
    parts: list[Value] = [b.extract_value(result, len(proto.results) - outs + k) for k in range(outs)]
    if "enzyme_primal_return" in request.flags and len(proto.results) > outs:
        parts.insert(0, b.extract_value(result, 0))
    return parts


#: what a request becomes; the parts of its value, in order, are returned
EMIT: dict[RequestKind, Callable[[Session, Builder, Request], list[Value]]] = {
    RequestKind.AUTODIFF: _emit_autodiff,
}
