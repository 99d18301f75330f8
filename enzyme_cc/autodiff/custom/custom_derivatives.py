"""Makes derivative functions that call the derivatives registered by the program.

They have the prototypes of derivatives made here. So the rest of the engine does not distinguish the two.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from ...analysis.activity.activity import ArgumentActivity, ResultActivity
from ...analysis.callees import plain_name
from ...ir.builder import Builder
from ...ir.folding import int_constant, zero
from ...ir.types import I64, PTR, VOID, Type, alloc_size, is_pointer
from ...ir.values import Function, Value
from ...report.diagnostics import EnzymeError
from ...rules import runtime_functions as runtime
from ..core.calling_convention import Parameters, Results
from ..core.round import Round
from ..core.signature import Form, Signature
from ..emit.frame import call_both_sweeps
from . import handles, library_derivatives
from .c_calls import assemble, call_registered, extensions, numbers_of
from .directions import call_in_directions
from .shapes import Gradient, Registered, SplitDerivative, derivative, gradient, split_derivative


def has_custom(round: Round, signature: Signature, form: Form) -> bool:
    registered, function = round.registered, signature.function
    if function in registered.libraries or function in registered.handles:
        return True
    if form is Form.DEPENDENCE:
        return function in registered.custom
    if form is Form.TANGENT:
        return function in registered.derivatives or function in registered.split_derivatives
    return function in registered.gradients


def build_custom(round: Round, signature: Signature, form: Form) -> None:
    """Makes one derivative function of the signature.

    Raises EnzymeError (EZ0207) if the prototype of a registered function does not fit, and (EZ0208) if one cannot be
    called for several directions, or is to tell a pattern.
    """
    made = round.start(signature, form)
    b = Builder(made.add_block())
    _, proto = round.derivatives.of(signature, form)
    values = _built(round, b, signature, form, proto.parameters.unpack(made.arguments)).in_order()
    b.ret(b.make_struct(values) if values else None)
    round.enter(made)


def _built(round: Round, b: Builder, signature: Signature, form: Form, given: Parameters[Value]) -> Results[Value]:
    library = round.registered.libraries.get(signature.function)
    if library is not None and form in library_derivatives.BUILDERS:
        return library_derivatives.BUILDERS[form](round, b, library, signature, given)
    if signature.function in round.registered.handles and form in handles.BUILDERS:
        return handles.BUILDERS[form](round, b, signature, given)
    return _BUILDERS[form](round, b, signature, given)


def _dependence(round: Round, b: Builder, signature: Signature, given: Parameters[Value]) -> Results[Value]:
    """Refuses."""
    name = plain_name(signature.function)
    raise EnzymeError.of(
        "EZ0208",
        f"the pattern of a function that calls {name} cannot be found",
        function=name,
        reason=f"{name} has a registered derivative, which does not tell which numbers depend on which",
        remedy="remove the registration, or ask for the dense derivative",
    )


def _gradient(round: Round, signature: Signature) -> Gradient:
    augmented, reverse = round.registered.gradients[signature.function]
    for name in (augmented, reverse):
        _check_defined(round, signature.function, name)
    return gradient(round.source, signature.function, augmented, reverse)


def _check_defined(round: Round, function: str, name: str) -> None:
    """Raises EnzymeError if nothing defines it: clang drops a static function that only an attribute names."""
    plain = plain_name(name)
    if round.source.functions[name].is_declaration and round.provenance(plain) is None:
        raise EnzymeError.of(
            "EZ0207",
            f"{plain}, the derivative of {plain_name(function)}, is defined nowhere",
            function=plain_name(function),
            reason="no object of this link defines it; clang drops a static function that only an attribute names",
            remedy="define it; if it is static, declare it __attribute__((used))",
        )


def _augmented(round: Round, b: Builder, signature: Signature, given: Parameters[Value]) -> Results[Value]:
    """Returns the tapes of all directions as one, the primal result, and the shadows of the result."""
    found = _gradient(round, signature)
    again = f"{found.primal.name}.again"  # makes the tape of another direction from that of the first (checkpoints)
    directions = [_of_direction(given, found.augmented, k) for k in range(signature.directions)]

    def call(direction: int, names: Sequence[str]) -> Results[Value]:
        return _call_augmented(b, found, directions[direction], names[0], direction == 0)

    if again in round.source.functions:
        called = [call(0, [found.augmented.shape.function.name])]
    else:
        called = call_in_directions(round, b, found.primal, signature.directions, [found.augmented.shape], call)
    tapes = [results.tape for results in called if results.tape is not None]
    tapes += [b.call(again, PTR, replace(d, tape=tapes[0]).in_order()) for d in directions[len(called) :]]
    shadows = [shadow for results in called for shadow in results.shadows] if signature.result.has_shadow else []
    assert given.arena is not None
    return Results(_kept(b, given.arena, tapes), called[0].primal, shadows)


def _call_augmented(
    b: Builder, found: Gradient | SplitDerivative, passed: Parameters[Value], name: str, is_first: bool
) -> Results[Value]:
    """Calls the registered function for one direction; the first call gives the primal's result.

    If the registered function does not return that, calls the primal for it.
    """
    result = found.primal.type.result
    scalars = call_registered(b, found.augmented, passed, name)
    tape = None if scalars.tape is None else assemble(b, scalars.tape[0].type, scalars.tape)
    primal = None if scalars.primal is None or not is_first else assemble(b, result, scalars.primal)
    if is_first and primal is None and result != VOID:
        primal = _call_primal(b, found.primal, passed)
    return Results(tape, primal, [assemble(b, result, shadow) for shadow in scalars.shadows])


def _kept(b: Builder, arena: Value, tapes: list[Value]) -> Value:
    """Returns one pointer for all tapes. Several tapes, or a tape that is no pointer, are stored in the arena."""
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
    """Returns the adjoints of the OUT arguments; the registered function returns those of all numbers."""
    found = _gradient(round, signature)
    proto = found.reverse.prototype
    adjoints: dict[int, list[Value]] = {
        k: [] for k, activity in enumerate(signature.arguments) if activity is ArgumentActivity.OUT
    }
    for direction in range(signature.directions):
        passed = _of_direction(given, found.reverse, direction)
        if proto.parameters.seeds:
            seed = given.seeds[direction] if given.seeds else zero(found.primal.type.result)
            passed = replace(passed, seeds=numbers_of(b, seed))
        if proto.parameters.tape is not None:
            tape = _tape_of(b, proto.parameters.tape, signature.directions, direction, given)
            passed = replace(passed, tape=tape)
        scalars = call_registered(b, found.reverse, passed)
        for k, of_argument in adjoints.items():
            of_argument += scalars.adjoints[k][0]
    return Results(adjoints=adjoints)


def _tape_of(b: Builder, type_: Type, directions: int, direction: int, given: Parameters[Value]) -> Value:
    """Returns the tape of one direction, from the pointer that `_kept` returned."""
    assert given.tape is not None
    place = b.offset(given.tape, direction * alloc_size(type_))
    return given.tape if _is_bare(type_, directions) else b.load(type_, place)


def _tangent(round: Round, b: Builder, signature: Signature, given: Parameters[Value]) -> Results[Value]:
    """Calls the registered derivative, which has the effects of f too.

    If it returns only the tangent, calls f for the result.
    """
    function = signature.function
    if function not in round.registered.derivatives:
        return _tangent_in_halves(round, b, signature, given)
    _check_defined(round, function, round.registered.derivatives[function])
    found = derivative(round.source, function, round.registered.derivatives[function])
    result = found.primal.type.result

    def call(direction: int, names: Sequence[str]) -> Results[Value]:
        passed = _of_direction(given, found.derivative, direction)
        scalars = call_registered(b, found.derivative, passed, names[0])
        primal = None if scalars.primal is None or direction else assemble(b, result, scalars.primal)
        return Results(None, primal, [assemble(b, result, tangent) for tangent in scalars.shadows])

    called = call_in_directions(round, b, found.primal, signature.directions, [found.derivative.shape], call)
    primal = called[0].primal
    if result != VOID and primal is None:
        primal = _call_primal(b, found.primal, given)
    return _tangents(signature, primal, called)


def _call_primal(b: Builder, primal: Function, given: Parameters[Value]) -> Value:
    return b.call(primal.name, primal.type.result, given.arguments, argument_attributes=extensions(primal))


def _tangents(signature: Signature, primal: Value | None, called: list[Results[Value]]) -> Results[Value]:
    wanted = signature.result is not ResultActivity.NONE
    return Results(None, primal, [tangent for results in called for tangent in results.shadows] if wanted else [])


def _tangent_in_halves(round: Round, b: Builder, signature: Signature, given: Parameters[Value]) -> Results[Value]:
    """Calls the registered augmented function, then the registered forward function, for each direction."""
    function = signature.function
    halves = round.registered.split_derivatives[function]
    for name in halves:
        _check_defined(round, function, name)
    found = split_derivative(round.source, function, *halves)
    result = found.primal.type.result

    def call(direction: int, names: Sequence[str]) -> Results[Value]:
        augmented, forward = names
        first = _call_augmented(b, found, _of_direction(given, found.augmented, direction), augmented, direction == 0)
        passed = replace(_of_direction(given, found.forward, direction), tape=first.tape)
        scalars = call_registered(b, found.forward, passed, forward)
        return Results(None, first.primal, [assemble(b, result, tangent) for tangent in scalars.shadows])

    shapes = [found.augmented.shape, found.forward.shape]
    called = call_in_directions(round, b, found.primal, signature.directions, shapes, call)
    return _tangents(signature, called[0].primal, called)


def _of_direction(given: Parameters[Value], registered: Registered, direction: int) -> Parameters[Value]:
    """Returns the arguments for one direction, and the shadows and tangents that the registered function is passed.

    A constant number has tangent zero, a constant pointer is its own shadow.
    """

    def shadow(k: int) -> Value:
        argument = given.arguments[k]
        if k in given.shadows:
            return given.shadows[k][direction]
        return argument if is_pointer(argument.type) else zero(argument.type)

    return Parameters(given.arguments, {k: [shadow(k)] for k in registered.prototype.parameters.shadows})


#: what makes the body of each form, and returns its results
_BUILDERS: dict[Form, Callable[[Round, Builder, Signature, Parameters[Value]], Results[Value]]] = {
    Form.COMBINED: call_both_sweeps,
    Form.AUGMENTED: _augmented,
    Form.REVERSE: _reverse,
    Form.TANGENT: _tangent,
    Form.DEPENDENCE: _dependence,
}
