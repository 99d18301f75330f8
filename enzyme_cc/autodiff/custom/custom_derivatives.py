"""Registered derivatives in the place of made ones: functions with the prototypes of derivatives that call them.

Nothing else in the engine needs to know that a derivative is the program's own: it is asked for, and called, as any
other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from ...analysis.activity.activity import ArgumentActivity, ResultActivity
from ...analysis.callees import plain_name
from ...ir.builder import Builder, int_constant, zero
from ...ir.types import I64, PTR, VOID, Type, alloc_size, is_float, is_int, is_pointer
from ...ir.values import Function, Value
from ...report.diagnostics import EnzymeError
from ...rules import runtime_functions as runtime
from ..core.round import Round
from ..core.signature import Form, Signature
from ..emit.frame import ARENA
from .directions import call_in_directions
from .shapes import GradientShape, Shape, derivative_shape, gradient_shape, leaves, split_shape


def has_custom(round: Round, signature: Signature, form: Form) -> bool:
    registered, function = round.registered, signature.function
    if form is Form.TANGENT:
        return function in registered.derivatives or function in registered.split_derivatives
    return function in registered.gradients


def build_custom(round: Round, signature: Signature, form: Form) -> None:
    """Makes one derivative function of the signature. Raises EnzymeError (EZ0207) where the registered do not fit, and
    (EZ0208) where they cannot be called for several directions."""
    made = round.start(signature, form)
    b = Builder(made.add_block())
    values = _BUILDERS[form](round, b, signature, made.arguments)
    b.ret(b.make_struct(values) if values else None)
    round.enter(made)


def _gradient(round: Round, signature: Signature) -> GradientShape:
    augmented, reverse = round.registered.gradients[signature.function]
    for name in (augmented, reverse):
        _check_defined(round, signature.function, name)
    return gradient_shape(round.source, signature.function, augmented, reverse)


def _check_defined(round: Round, function: str, name: str) -> None:
    """clang makes no code of a static function that only an attribute names."""
    plain = plain_name(name)
    if round.source.functions[name].is_declaration and round.provenance(plain) is None:
        raise EnzymeError.of(
            "EZ0207",
            f"{plain}, the derivative of {plain_name(function)}, is defined nowhere",
            function=plain_name(function),
            reason="no object of this link defines it; clang drops a static function that only an attribute names",
            remedy="define it; if it is static, declare it __attribute__((used))",
        )


def _combined(round: Round, b: Builder, signature: Signature, given: Sequence[Value]) -> list[Value]:
    """The augmented function, then the reverse function."""
    count = sum(1 + signature.directions * (a is ArgumentActivity.DUP) for a in signature.arguments)
    arena = b.alloca(ARENA, align=8)
    b.store(zero(ARENA), arena, 8)
    name, augmented = round.derivatives.of(signature, Form.AUGMENTED)
    forward = b.call(name, augmented.result, [arena, *given[:count]])
    name, reverse = round.derivatives.of(signature, Form.REVERSE)
    backward = b.call(name, reverse.result, [*given, b.extract_value(forward, 0)])
    primal = [b.extract_value(forward, 1)] if len(augmented.results) > 1 else []
    outs: list[Value] = [b.extract_value(backward, k) for k in range(len(reverse.results))]
    runtime.FINISH.call(b, arena)
    return [*primal, *outs]


def _augmented(round: Round, b: Builder, signature: Signature, given: Sequence[Value]) -> list[Value]:
    """{tape, primal result, shadows of the result}."""
    shape = _gradient(round, signature)
    type_, parts = shape.function.type.result, len(leaves(shape.function.type.result))
    tapes: list[Value] = []
    primal: list[Value] = []
    shadows: list[Value] = []
    again = f"{shape.function.name}.again"  # makes the tape of another direction from the first one's (checkpoints)
    arguments = _arguments(signature, given[1:])

    def call(direction: int, names: Sequence[str]) -> None:
        results = _call(b, shape.augmented, arguments[direction], names[0])
        if shape.tape is not None:
            tapes.append(results.pop(0))
        if parts and not primal:
            primal.append(_assemble(b, type_, results[:parts]))
        shadows.extend(results[parts:])

    if again in round.source.functions:
        call(0, [shape.augmented.function.name])
        tapes += [b.call(again, PTR, (*further, tapes[0])) for further in arguments[1:]]
    else:
        call_in_directions(round, b, shape.function, signature.directions, [shape.augmented], call)
    return [_kept(b, given[0], tapes), *primal, *(shadows if signature.result.has_shadow else [])]


def _kept(b: Builder, arena: Value, tapes: list[Value]) -> Value:
    """The tapes as one pointer: those that are no pointer, or several, are kept in the arena."""
    if not tapes:
        return zero(PTR)
    if _is_bare(tapes[0].type, len(tapes)):
        return tapes[0]
    size = alloc_size(tapes[0].type)
    box = runtime.ALLOCATE.call(b, arena, int_constant(size * len(tapes), I64))
    for direction, tape in enumerate(tapes):
        b.store(tape, b.offset(box, direction * size))
    return box


def _is_bare(type_: Type, directions: int) -> bool:
    return directions == 1 and is_pointer(type_)


def _reverse(round: Round, b: Builder, signature: Signature, given: Sequence[Value]) -> list[Value]:
    """Adjoints of the OUT arguments, of those of all numbers that the registered function returns."""
    shape, directions = _gradient(round, signature), signature.directions
    adjoints: list[dict[int, Value]] = []
    for direction, arguments in enumerate(_arguments(signature, given)):
        if shape.seeds:
            seed = (
                given[direction - 1 - directions] if signature.result.has_adjoint else zero(shape.function.type.result)
            )
            arguments += _disassemble(b, seed)
        if shape.tape is not None:
            place = b.offset(given[-1], direction * alloc_size(shape.tape))
            arguments.append(given[-1] if _is_bare(shape.tape, directions) else b.load(shape.tape, place))
        results = iter(_call(b, shape.reverse, arguments))
        adjoints.append({k: next(results) for k, type_ in enumerate(shape.function.type.params) if is_float(type_)})
    outs = [k for k, a in enumerate(signature.arguments) if a is ArgumentActivity.OUT]
    return [of_direction[k] for k in outs for of_direction in adjoints]


def _tangent(round: Round, b: Builder, signature: Signature, given: Sequence[Value]) -> list[Value]:
    """The registered derivative does what f does, too; of one that returns the tangent alone, f makes the result."""
    function = signature.function
    if function not in round.registered.derivatives:
        return _tangent_in_halves(round, b, signature, given)
    _check_defined(round, function, round.registered.derivatives[function])
    shape = derivative_shape(round.source, function, round.registered.derivatives[function])
    type_ = shape.function.type.result
    primals, shadows = _by_direction(signature, given)
    tangents: list[Value] = []
    primal: list[Value] = []

    def call(direction: int, names: Sequence[str]) -> None:
        pairs = zip(primals, shadows[direction], strict=True)
        results = _call(b, shape.derivative, _with_tangents(pairs), names[0])
        if shape.has_primal:
            half = len(results) // 2
            primal[:] = primal or [_assemble(b, type_, results[:half])]
            results = results[half:]
        if results:
            tangents.append(_assemble(b, type_, results))

    call_in_directions(round, b, shape.function, signature.directions, [shape.derivative], call)
    if type_ != VOID and not primal:
        primal = [b.call(function, type_, primals, argument_attributes=_attributes(shape.function))]
    return [*primal, *tangents] if signature.result is not ResultActivity.NONE else primal


def _with_shadows(pairs: Iterable[tuple[Value, Value]]) -> list[Value]:
    return [v for p, s in pairs for v in ((p, s) if is_pointer(p.type) else (p,))]


def _with_tangents(pairs: Iterable[tuple[Value, Value]]) -> list[Value]:
    return [v for p, t in pairs for v in ((p,) if is_int(p.type) else (p, t))]


def _tangent_in_halves(round: Round, b: Builder, signature: Signature, given: Sequence[Value]) -> list[Value]:
    """The augmented function, then the forward half, for each direction."""
    function = signature.function
    names = round.registered.split_derivatives[function]
    for name in names:
        _check_defined(round, function, name)
    shape = split_shape(round.source, function, *names)
    type_, parts = shape.function.type.result, len(leaves(shape.function.type.result))
    primals, shadows = _by_direction(signature, given)
    primal: list[Value] = []
    tangents: list[Value] = []

    def call(direction: int, names: Sequence[str]) -> None:
        pairs = list(zip(primals, shadows[direction], strict=True))
        results = _call(b, shape.augmented, _with_shadows(pairs), names[0])
        tape = [] if shape.tape is None else [results.pop(0)]
        if parts and not primal:
            primal.append(_assemble(b, type_, results[:parts]))
        found = _call(b, shape.forward, [*_with_tangents(pairs), *tape], names[1])
        tangents.extend([_assemble(b, type_, found)] if parts else [])

    call_in_directions(round, b, shape.function, signature.directions, [shape.augmented, shape.forward], call)
    return [*primal, *tangents] if signature.result is not ResultActivity.NONE else primal


def _by_direction(signature: Signature, given: Sequence[Value]) -> tuple[list[Value], list[list[Value]]]:
    """Returns the primal's arguments, and their tangents in each direction.

    A constant number has tangent zero, a constant pointer is its own shadow.
    """
    rest = iter(given)
    primals: list[Value] = []
    shadows: list[list[Value]] = [[] for _ in range(signature.directions)]
    for activity in signature.arguments:
        primals.append(next(rest))
        for of_direction in shadows:
            constant = primals[-1] if is_pointer(primals[-1].type) else zero(primals[-1].type)
            of_direction.append(next(rest) if activity is ArgumentActivity.DUP else constant)
    return primals, shadows


#: what makes the body of each form; the values that it returns
_BUILDERS: dict[Form, Callable[[Round, Builder, Signature, Sequence[Value]], list[Value]]] = {
    Form.COMBINED: _combined,
    Form.AUGMENTED: _augmented,
    Form.REVERSE: _reverse,
    Form.TANGENT: _tangent,
}


def _arguments(signature: Signature, given: Sequence[Value]) -> list[list[Value]]:
    """Returns, for each direction, the primal's arguments, each pointer with its shadow: itself if it has none."""
    primals, shadows = _by_direction(signature, given)
    return [_with_shadows(zip(primals, of_direction, strict=True)) for of_direction in shadows]


def _call(b: Builder, shape: Shape, arguments: list[Value], name: str = "") -> list[Value]:
    """Calls a function of the program (`name`: a copy of it) as its ABI wants it; returns the scalars of its result."""
    function = shape.function
    buffer: Value | None = None
    if shape.in_memory is not None:
        buffer = b.alloca(shape.in_memory, align=16)
        arguments = [buffer, *arguments]
    attributes = _attributes(function)
    result = b.call(name or function.name, function.type.result, arguments, argument_attributes=attributes)
    if not shape.result:
        return []
    if buffer is None:
        buffer = b.alloca(function.type.result, align=16)
        b.store(result, buffer)
    return [b.load(type_, b.offset(buffer, offset), 1) for type_, offset in shape.result]


def _attributes(function: Function) -> tuple[str, ...]:
    """What the convention makes of the arguments."""
    kept = ("zeroext", "signext")
    return tuple(" ".join(word for word in a.attributes.split() if word in kept) for a in function.arguments)


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
