"""Registered derivatives in the place of made ones: functions with the prototypes of derivatives that call them.

Nothing else in the engine needs to know that a derivative is the program's own: it is asked for, and called, as any
other.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from ..analysis.activity import ArgumentActivity, ResultActivity
from ..ir.builder import Builder, int_constant, zero
from ..ir.types import I64, PTR, VOID, Type, alloc_size, is_float, is_pointer
from ..ir.values import Argument, Function, Value
from .custom_shapes import GradientShape, Shape, gradient_shape, leaves
from .frame import ARENA
from .signature import Form, Prototype, Signature

if TYPE_CHECKING:
    from .session import Session


def has_custom(session: Session, signature: Signature, form: Form) -> bool:
    return form in BUILDERS and signature.function in session.registered.gradients


def build_custom(session: Session, signature: Signature, form: Form) -> None:
    """Makes one derivative function of the signature. Raises EnzymeError (EZ0207) where the registered do not fit."""
    function = signature.function
    shape = gradient_shape(session.source, function, *session.registered.gradients[function])
    name, proto = session.derivative(signature, form)
    arguments = [Argument(type_, "", "", k) for k, type_ in enumerate(proto.params)]
    made = Function(name, proto.type, arguments, "internal", session.attributes_of(shape.function))
    b = Builder(made.add_block())
    values = BUILDERS[form](session, b, signature, proto, shape, arguments)
    b.ret(b.make_struct(values) if values else None)
    session.enter(made)


def _combined(
    session: Session,
    b: Builder,
    signature: Signature,
    proto: Prototype,
    shape: GradientShape,
    given: Sequence[Value],
) -> list[Value]:
    """The augmented function, then the reverse function."""
    count = sum(2 if a is ArgumentActivity.DUP else 1 for a in signature.arguments)
    arena = b.alloca(ARENA, align=8)
    b.store(zero(ARENA), arena, 8)
    name, augmented = session.derivative(signature, Form.AUGMENTED)
    forward = b.call(name, augmented.result, [arena, *given[:count]])
    name, reverse = session.derivative(signature, Form.REVERSE)
    backward = b.call(name, reverse.result, [*given, b.extract_value(forward, 0)])
    primal = [] if shape.function.type.result == VOID else [b.extract_value(forward, 1)]
    outs: list[Value] = [b.extract_value(backward, k) for k in range(len(reverse.results))]
    b.call("@__ez_finish", VOID, (arena,))
    return [*primal, *outs]


def _augmented(
    session: Session,
    b: Builder,
    signature: Signature,
    proto: Prototype,
    shape: GradientShape,
    given: Sequence[Value],
) -> list[Value]:
    """{tape, primal result, shadow of the result}; a tape that is no pointer is kept in the arena."""
    results = _call(b, shape.augmented, _arguments(b, signature, shape.function, given[1:]))
    tape: Value = zero(PTR)
    if shape.tape is not None:
        tape = results.pop(0)
        if not is_pointer(tape.type):
            box = b.call("@__ez_alloc", PTR, (given[0], int_constant(alloc_size(tape.type), I64)))
            b.store(tape, box)
            tape = box
    parts = len(leaves(shape.function.type.result))
    values = [tape]
    if parts:
        values.append(_assemble(b, shape.function.type.result, results[:parts]))
    return [*values, *results[parts:]] if signature.result is ResultActivity.SHADOW else values


def _reverse(
    session: Session,
    b: Builder,
    signature: Signature,
    proto: Prototype,
    shape: GradientShape,
    given: Sequence[Value],
) -> list[Value]:
    """Adjoints of the OUT arguments, of those of all numbers that the registered function returns."""
    arguments = _arguments(b, signature, shape.function, given)
    if shape.seeds:
        seed = given[-2] if signature.result is ResultActivity.ACTIVE else zero(shape.function.type.result)
        arguments += _disassemble(b, seed)
    if shape.tape is not None:
        arguments.append(given[-1] if is_pointer(shape.tape) else b.load(shape.tape, given[-1]))
    results = iter(_call(b, shape.reverse, arguments))
    adjoints = {k: next(results) for k, type_ in enumerate(shape.function.type.params) if is_float(type_)}
    return [adjoints[k] for k, a in enumerate(signature.arguments) if a is ArgumentActivity.OUT]


#: what makes the body of each form; the values that it returns
BUILDERS: dict[
    Form, Callable[[Session, Builder, Signature, Prototype, GradientShape, Sequence[Value]], list[Value]]
] = {Form.COMBINED: _combined, Form.AUGMENTED: _augmented, Form.REVERSE: _reverse}


def _arguments(b: Builder, signature: Signature, function: Function, given: Sequence[Value]) -> list[Value]:
    """The primal's arguments, each pointer with its shadow: itself where it has none (see `custom_calls`)."""
    out: list[Value] = []
    rest = iter(given)
    for type_, activity in zip(function.type.params, signature.arguments, strict=True):
        value = next(rest)
        out.append(value)
        if is_pointer(type_):
            out.append(next(rest) if activity is ArgumentActivity.DUP else value)
    return out


def _call(b: Builder, shape: Shape, arguments: list[Value]) -> list[Value]:
    """Calls a function of the program as its ABI wants it, and returns the scalars of its result."""
    function = shape.function
    buffer: Value | None = None
    if shape.in_memory is not None:
        buffer = b.alloca(shape.in_memory, align=16)
        arguments = [buffer, *arguments]
    attributes = tuple(_passed(a.attributes) for a in function.arguments)
    result = b.call(function.name, function.type.result, arguments, argument_attributes=attributes)
    if not shape.result:
        return []
    if buffer is None:
        buffer = b.alloca(function.type.result, align=16)
        b.store(result, buffer)
    return [b.load(type_, b.offset(buffer, offset), 1) for type_, offset in shape.result]


def _passed(attributes: str) -> str:
    """What the convention makes of an argument."""
    return " ".join(word for word in attributes.split() if word in ("zeroext", "signext"))


def _assemble(b: Builder, type_: Type, scalars: Sequence[Value]) -> Value:
    if len(scalars) == 1 and scalars[0].type == type_:
        return scalars[0]
    buffer = b.alloca(type_, align=16)
    for scalar, (_, offset) in zip(scalars, leaves(type_), strict=True):
        b.store(scalar, b.offset(buffer, offset), 1)
    return b.load(type_, buffer)


def _disassemble(b: Builder, value: Value) -> list[Value]:
    places = leaves(value.type)
    if len(places) == 1 and places[0][0] == value.type:
        return [value]
    buffer = b.alloca(value.type, align=16)
    b.store(value, buffer)
    return [b.load(type_, b.offset(buffer, offset), 1) for type_, offset in places]
