"""`__enzyme_virtualreverse`: a table of two functions that the program can call, the augmented and the reverse one."""

from __future__ import annotations

from msgspec.structs import replace

from ...analysis.activity.activity import ResultActivity
from ...analysis.callees import plain_name
from ...ir.builder import Builder
from ...ir.constants import GlobalRef
from ...ir.target import architecture_of
from ...ir.types import PTR, VOID, FunctionType, Type, is_float
from ...ir.values import Argument, Function, Value
from ..core.calling_convention import Parameters, Results
from ..core.markers import Marker
from ..requests.c_abi import emit_return, memory_attribute, returned
from ..requests.request import ActualArgument, Request
from ..unwinding.names import RETHROW, is_entry
from .answers import Answers, Emit


def pair_of(answers: Answers, request: Request, augmented: Emit, reverse: Emit) -> Value:
    """Returns the address of the table {augmented, reverse} for the request's signature.

    - Both functions take f's arguments, each pointer followed by its shadow.
    - `augmented` returns the tape, f's result, and the result's shadow if it is a pointer.
    - `reverse` also takes the adjoint of f's result if it is a number, then the tape. It returns adjoints of numbers.
    """
    round, signature = answers.round, request.signature
    if signature not in answers.pairs:
        primal = round.source.functions[request.function]
        types, result = primal.type.params, primal.type.result
        own = Parameters.paired((a.activity for a in request.arguments), types.__getitem__, lambda k: [types[k]])
        of_augmented = Results(
            PTR, None if result == VOID else result, [result] if request.result is ResultActivity.SHADOW else []
        )
        seeds = [result] if request.result is ResultActivity.ACTIVE else []
        adjoints = {k: [type_] for k, type_ in enumerate(types) if is_float(type_)}
        halves = (
            _half(answers, request, "augmented", own, of_augmented, augmented),
            _half(
                answers, request, "reverse", replace(own, seeds=seeds, tape=PTR), Results(adjoints=adjoints), reverse
            ),
        )
        name = round.output.fresh_name(f"@__ez_virtual.{plain_name(request.function)}")
        round.output.add_global(f"{name} = internal constant [2 x ptr] [ptr {halves[0]}, ptr {halves[1]}]")
        answers.pairs[signature] = GlobalRef.of(name)
    return answers.pairs[signature]


def _half(
    answers: Answers, request: Request, word: str, parameters: Parameters[Type], results: Results[Type], emit: Emit
) -> str:
    round = answers.round
    primal = round.source.functions[request.function]
    types = results.in_order()
    architecture = architecture_of(round.source.head).name
    type_ = returned(types, architecture) if types else VOID
    params = ([PTR] if type_ is None else []) + parameters.in_order()
    name = round.output.fresh_name(f"@__ez_virtual_{word}.{plain_name(request.function)}")
    given = [Argument(t, "", "", k) for k, t in enumerate(params)]
    if type_ is None:
        given[0].attributes = memory_attribute(types, architecture)
    function_type = FunctionType(VOID if type_ is None else type_, tuple(params))
    function = Function(name, function_type, given, "internal", round.attributes_of(primal))
    b = Builder(function.add_block())
    values = emit(answers, b, _inside(request, parameters.unpack(given[type_ is None :])))
    if is_entry(request.function):
        b.call(RETHROW, VOID, ())
    emit_return(b, values, type_, given[0] if type_ is None else None)
    round.enter(function)
    return name


def _inside(request: Request, given: Parameters[Argument]) -> Request:
    """Returns the request as if the function with the given parameters made it."""
    arguments = tuple(
        ActualArgument(actual.activity, given.arguments[k], tuple(given.shadows.get(k, ())))
        for k, actual in enumerate(request.arguments)
    )
    settings: dict[Marker, Value] = {} if given.tape is None else {Marker.TAPE: given.tape}
    return replace(request, arguments=arguments, settings=settings, seeds=tuple(given.seeds))
