"""Checks of what a request says: each raises EnzymeError where argument, result or tape cannot be what is said."""

from __future__ import annotations

from ...analysis.activity.activity import ArgumentActivity, ResultActivity
from ...analysis.callees import plain_name
from ...ir.module import Module
from ...ir.types import VOID, IntType, PointerType, holds, in_words, is_float, is_pointer
from ...ir.values import Argument, Function, Value
from ..core.markers import Marker, UnknownMarker, marker_of
from .grammar import Grammar
from .request import Request, convertible

_RESULT_WORDS = {
    ResultActivity.ACTIVE: "floating-point number, as enzyme_active_return has it",
    ResultActivity.SHADOW: "pointer, as enzyme_dup_return has it",
}


_DUP = "pass the argument as enzyme_dup, with its shadow behind it"
_OUT = "pass the argument as enzyme_out: the request returns its derivative"
_CONST = "pass the argument as enzyme_const"


def check_type(module: Module, request: Request, value: Value, parameter: Argument) -> None:
    """The value is no marker, and C converts its type to the parameter's."""
    marker = marker_of(value, module)
    if marker is None and convertible(value.type, parameter.type):
        return
    match marker:
        case Marker():
            given = marker.value
        case UnknownMarker():
            given = marker.text
        case None:
            given = f"a value of type {in_words(value.type)}"
    raise request.error(
        module,
        "EZ0203",
        f"argument {parameter.index + 1} of {plain_name(request.function)} has the wrong type",
        f"{in_words(parameter.type)} is expected, {given} is given",
    )


def check_activity(
    module: Module, request: Request, grammar: Grammar, activity: ArgumentActivity, marker: Marker, parameter: Argument
) -> None:
    """An argument of the parameter's type can have that activity in this mode."""
    wrong = _wrong_activity(grammar, activity, parameter)
    if wrong is not None:
        word = Marker.OUT if activity is ArgumentActivity.OUT else marker
        what = f"argument {parameter.index + 1} of {plain_name(request.function)} cannot be {word.value}"
        reason, remedy = wrong
        raise request.error(module, "EZ0203", what, reason, remedy)


def _wrong_activity(grammar: Grammar, activity: ArgumentActivity, parameter: Argument) -> tuple[str, str] | None:
    """Returns the reason and the remedy."""
    type_ = in_words(parameter.type)
    if activity is ArgumentActivity.OUT and grammar.forward:
        return "forward mode returns no adjoints", "pass the number as enzyme_dup, with its tangent behind it"
    if activity is ArgumentActivity.OUT and not is_float(parameter.type):
        remedy = _DUP if is_pointer(parameter.type) else _CONST
        return f"it has type {type_}; only floating-point scalars are returned", remedy
    if activity is ArgumentActivity.DUP and not grammar.forward and not is_pointer(parameter.type):
        remedy = _OUT if is_float(parameter.type) else _CONST
        return f"it has type {type_}; in reverse mode only pointers have shadows", remedy
    return None


def check_seed(module: Module, request: Request, seed: Value, primal: Function) -> None:
    """The adjoint of the result has the type of the result."""
    if not convertible(seed.type, primal.type.result):
        raise request.error(
            module,
            "EZ0203",
            f"the adjoint of {plain_name(primal.name)}'s result has the wrong type",
            f"{in_words(primal.type.result)} is expected, {in_words(seed.type)} is given",
        )


def check_tape(module: Module, request: Request, grammar: Grammar) -> None:
    """The tape is a pointer, and its size is given with the memory for it."""
    word, tape = request.kind.value, request.settings.get(Marker.TAPE)
    has_size = Marker.ALLOCATED in request.settings
    if tape is not None and not is_pointer(tape.type):
        raise request.error(
            module, "EZ0203", f"the tape given to {word} is no pointer", f"it has type {in_words(tape.type)}"
        )
    if has_size and tape is None:
        raise request.error(
            module,
            "EZ0202",
            f"{word} has enzyme_allocated without memory",
            "enzyme_tape and a pointer must follow it",
        )
    if tape is not None and not has_size and not grammar.has_tape:
        raise request.error(
            module,
            "EZ0202",
            f"{word} has enzyme_tape without enzyme_allocated",
            "the size of the memory must be given, by enzyme_allocated before enzyme_tape",
        )


#: markers that have no meaning for a request that returns a matrix
_NOT_SPARSE = (Marker.INTERLEAVE, Marker.PRIMAL_RETURN, Marker.ACTIVE_RETURN, Marker.DUP_RETURN)


def check_sparse(module: Module, request: Request) -> None:
    """The request has a vector of inputs and one of outputs, each with its number of elements, and nothing else."""
    word = f"{request.kind.value} with {Marker.SPARSE.value}"
    misplaced = [m.value for m in _NOT_SPARSE if m in request.flags] + (["enzyme_width"] if request.width > 1 else [])
    if misplaced:
        raise request.error(module, "EZ0206", f"{misplaced[0]} has no place in {word}", "the result is one matrix")
    active = [a for a in request.arguments if a.activity is not ArgumentActivity.CONST]
    if len(active) != 2 or not all(is_pointer(a.primal.type) and a.count is not None for a in active):
        raise request.error(
            module,
            "EZ0202",
            f"{word} needs two vectors, and has {len(active)} arguments that are not enzyme_const",
            "the matrix has a column for each element of the first, and a row for each element of the second",
            "pass `enzyme_dup, x, n` and `enzyme_dup, y, m`, and enzyme_const before all other arguments",
        )
    if not all(a.count is not None and isinstance(a.count.type, IntType) for a in active):
        reason = "the number of elements stands in the place of the shadow"
        raise request.error(module, "EZ0203", f"{word} has a vector without its number of elements", reason)
    if not is_pointer(request.settings[Marker.SPARSE].type):
        raise request.error(
            module, "EZ0203", f"{word} has no memory for the matrix", "a struct enzyme_triplets * follows"
        )


def check_result(module: Module, request: Request, grammar: Grammar, primal: Function) -> None:
    """The result can have the activity that the markers name."""
    result = primal.type.result
    number = is_float(result) or (grammar.forward and result != VOID)
    fits = {ResultActivity.ACTIVE: number, ResultActivity.SHADOW: holds(result, PointerType)}
    if not fits.get(request.result, True):
        raise request.error(
            module,
            "EZ0206",
            f"the result of {plain_name(primal.name)} is no {_RESULT_WORDS[request.result]}",
            f"it has type {in_words(result)}",
        )
