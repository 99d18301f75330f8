"""Registered derivatives in the place of made ones: functions with the prototypes of derivatives that call them.

Nothing else in the engine needs to know that a derivative is the program's own: it is asked for, and called, as any
other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from ...analysis.activity.activity import ArgumentActivity, ResultActivity
from ...analysis.callees import plain_name
from ...ir.builder import Builder
from ...ir.folding import int_constant, zero
from ...ir.types import I64, PTR, VOID, Type, alloc_size, is_float, is_int, is_pointer
from ...ir.values import Function, Value
from ...report.diagnostics import EnzymeError
from ...rules import runtime_functions as runtime
from ..core.calling_convention import Parameters, Results
from ..core.round import Round
from ..core.signature import Form, Signature
from ..emit.frame import ARENA
from .directions import call_in_directions
from .shapes import GradientShape, Shape, SplitShape, derivative_shape, gradient_shape, leaves, split_shape


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
    _, proto = round.derivatives.of(signature, form)
    values = _BUILDERS[form](round, b, signature, proto.parameters.unpack(made.arguments)).in_order()
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


def _combined(round: Round, b: Builder, signature: Signature, given: Parameters[Value]) -> Results[Value]:
    """The augmented function, then the reverse function."""
    arena = b.alloca(ARENA, align=8)
    b.store(zero(ARENA), arena, 8)
    name, proto = round.derivatives.of(signature, Form.AUGMENTED)
    result = b.call(name, proto.result, replace(given, arena=arena, seeds=()).in_order())
    places = proto.places
    assert places.tape is not None
    tape = b.extract_value(result, places.tape)
    name, proto = round.derivatives.of(signature, Form.REVERSE)
    reverse = b.call(name, proto.result, replace(given, tape=tape).in_order())
    primal = None if places.primal is None else b.extract_value(result, places.primal)
    adjoints = {k: [b.extract_value(reverse, place) for place in of] for k, of in proto.places.adjoints.items()}
    runtime.FINISH.call(b, arena)
    return Results(primal=primal, adjoints=adjoints)


def _augmented(round: Round, b: Builder, signature: Signature, given: Parameters[Value]) -> Results[Value]:
    """The tapes of all directions as one, the primal result, the shadows of the result."""
    shape = _gradient(round, signature)
    again = f"{shape.function.name}.again"  # makes the tape of another direction from the first one's (checkpoints)
    arguments = _arguments(given, signature.directions)

    def call(direction: int, names: Sequence[str]) -> Results[Value]:
        return _call_augmented(b, shape, arguments[direction], names[0], direction == 0)

    if again in round.source.functions:
        found = [call(0, [shape.augmented.function.name])]
    else:
        found = call_in_directions(round, b, shape.function, signature.directions, [shape.augmented], call)
    tapes = [results.tape for results in found if results.tape is not None]
    tapes += [b.call(again, PTR, (*of_direction, tapes[0])) for of_direction in arguments[len(found) :]]
    shadows = [shadow for results in found for shadow in results.shadows] if signature.result.has_shadow else []
    assert given.arena is not None
    return Results(_kept(b, given.arena, tapes), found[0].primal, shadows)


def _call_augmented(
    b: Builder, shape: GradientShape | SplitShape, arguments: list[Value], name: str, is_first: bool
) -> Results[Value]:
    """Calls the registered function for one direction; the first call gives the primal's result."""
    scalars = _call(b, shape.augmented, arguments, name)
    tape = None if shape.tape is None else scalars.pop(0)
    type_ = shape.function.type.result
    parts = len(leaves(type_))
    primal = _assemble(b, type_, scalars[:parts]) if parts and is_first else None
    return Results(tape, primal, scalars[parts:])


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


def _reverse(round: Round, b: Builder, signature: Signature, given: Parameters[Value]) -> Results[Value]:
    """Adjoints of the OUT arguments, of those of all numbers that the registered function returns."""
    shape = _gradient(round, signature)
    adjoints: list[dict[int, Value]] = []
    for direction, arguments in enumerate(_arguments(given, signature.directions)):
        if shape.seeds:
            seed = given.seeds[direction] if given.seeds else zero(shape.function.type.result)
            arguments += _disassemble(b, seed)
        if shape.tape is not None:
            arguments.append(_tape_of(b, shape.tape, signature.directions, direction, given))
        results = iter(_call(b, shape.reverse, arguments))
        adjoints.append({k: next(results) for k, type_ in enumerate(shape.function.type.params) if is_float(type_)})
    outs = [k for k, activity in enumerate(signature.arguments) if activity is ArgumentActivity.OUT]
    return Results(adjoints={k: [of_direction[k] for of_direction in adjoints] for k in outs})


def _tape_of(b: Builder, type_: Type, directions: int, direction: int, given: Parameters[Value]) -> Value:
    """The tape of one direction among those that `_kept` has put together."""
    assert given.tape is not None
    place = b.offset(given.tape, direction * alloc_size(type_))
    return given.tape if _is_bare(type_, directions) else b.load(type_, place)


def _tangent(round: Round, b: Builder, signature: Signature, given: Parameters[Value]) -> Results[Value]:
    """The registered derivative does what f does, too; of one that returns the tangent alone, f makes the result."""
    function = signature.function
    if function not in round.registered.derivatives:
        return _tangent_in_halves(round, b, signature, given)
    _check_defined(round, function, round.registered.derivatives[function])
    shape = derivative_shape(round.source, function, round.registered.derivatives[function])
    type_, shadows = shape.function.type.result, _shadows(given, signature.directions)

    def call(direction: int, names: Sequence[str]) -> Results[Value]:
        pairs = zip(given.arguments, shadows[direction], strict=True)
        results = _call(b, shape.derivative, _with_tangents(pairs), names[0])
        half = len(results) // 2 if shape.has_primal else 0
        primal = _assemble(b, type_, results[:half]) if half and direction == 0 else None
        return Results(None, primal, [_assemble(b, type_, results[half:])] if results else [])

    found = call_in_directions(round, b, shape.function, signature.directions, [shape.derivative], call)
    primal = found[0].primal
    if type_ != VOID and primal is None:
        primal = b.call(function, type_, given.arguments, argument_attributes=_attributes(shape.function))
    return _tangents(signature, primal, found)


def _tangents(signature: Signature, primal: Value | None, found: list[Results[Value]]) -> Results[Value]:
    wanted = signature.result is not ResultActivity.NONE
    return Results(None, primal, [tangent for results in found for tangent in results.shadows] if wanted else [])


def _with_shadows(pairs: Iterable[tuple[Value, Value]]) -> list[Value]:
    return [v for p, s in pairs for v in ((p, s) if is_pointer(p.type) else (p,))]


def _with_tangents(pairs: Iterable[tuple[Value, Value]]) -> list[Value]:
    return [v for p, t in pairs for v in ((p,) if is_int(p.type) else (p, t))]


def _tangent_in_halves(round: Round, b: Builder, signature: Signature, given: Parameters[Value]) -> Results[Value]:
    """The registered augmented function, then the registered forward function, for each direction."""
    function = signature.function
    names = round.registered.split_derivatives[function]
    for name in names:
        _check_defined(round, function, name)
    shape = split_shape(round.source, function, *names)
    type_, shadows = shape.function.type.result, _shadows(given, signature.directions)

    def call(direction: int, names: Sequence[str]) -> Results[Value]:
        pairs = list(zip(given.arguments, shadows[direction], strict=True))
        first = _call_augmented(b, shape, _with_shadows(pairs), names[0], direction == 0)
        tape = [] if first.tape is None else [first.tape]
        scalars = _call(b, shape.forward, [*_with_tangents(pairs), *tape], names[1])
        return Results(None, first.primal, [] if type_ == VOID else [_assemble(b, type_, scalars)])

    shapes = [shape.augmented, shape.forward]
    found = call_in_directions(round, b, shape.function, signature.directions, shapes, call)
    return _tangents(signature, found[0].primal, found)


def _shadows(given: Parameters[Value], directions: int) -> list[list[Value]]:
    """Returns, for each direction, the shadow or tangent of every argument.

    A constant number has tangent zero, a constant pointer is its own shadow.
    """
    constant = [a if is_pointer(a.type) else zero(a.type) for a in given.arguments]
    return [
        [given.shadows[k][direction] if k in given.shadows else value for k, value in enumerate(constant)]
        for direction in range(directions)
    ]


#: what makes the body of each form, and returns its results
_BUILDERS: dict[Form, Callable[[Round, Builder, Signature, Parameters[Value]], Results[Value]]] = {
    Form.COMBINED: _combined,
    Form.AUGMENTED: _augmented,
    Form.REVERSE: _reverse,
    Form.TANGENT: _tangent,
}


def _arguments(given: Parameters[Value], directions: int) -> list[list[Value]]:
    """Returns, for each direction, the primal's arguments, each pointer with its shadow: itself if it has none."""
    shadows = _shadows(given, directions)
    return [_with_shadows(zip(given.arguments, of_direction, strict=True)) for of_direction in shadows]


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
