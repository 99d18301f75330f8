"""Forward mode after an augmented function (`__enzyme_fwdsplit`): it evaluates f again, on the same inputs.

If f overwrites its inputs, the augmented function saves them in the tape. To find them, it first runs a copy of f that
reports each access to memory, and then undoes the effects of this copy (toolchain/runtime/touched_again.c).
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from ...analysis.activity.activity import ArgumentActivity, ResultActivity
from ...analysis.callees import plain_name
from ...analysis.memory.reevaluable import overwrites_inputs
from ...ir.builder import Builder
from ...ir.module import Module
from ...ir.types import is_float, is_pointer
from ...ir.values import Function, Instruction, Value
from ...report.diagnostics import EnzymeError
from ...rules import runtime_functions as runtime
from ..core.markers import Marker, RequestKind
from ..core.round import Round
from ..core.signature import Signature
from ..normalise.watch import Watcher, true_attributes
from ..requests.request import Request, convert
from .answers import Answers, Emit


def functions_evaluated_again(round: Round, requests: Iterable[Request]) -> frozenset[str]:
    """Returns the functions that `__enzyme_fwdsplit` evaluates again and that may overwrite their inputs."""
    functions = {r.function for r in requests if r.kind is RequestKind.FWDSPLIT}
    return frozenset(name for name in functions if _may_overwrite(round, name))


def _may_overwrite(round: Round, name: str) -> bool:
    function = round.source.functions[name]
    if not round.callees.has_body(name):
        return any(is_pointer(t) for t in function.type.params)
    reached = round.globals_of.get(name, frozenset())
    facts = round.facts(function)
    return overwrites_inputs(function, facts, round.callees, round.dead_write_analysis, reached) is not None


def signature_of_tape(source: Module, request: Request) -> Signature:
    """Returns the signature of the `__enzyme_augmentfwd` with the same markers; there, numbers have adjoints."""
    found = request.signature
    primal = source.functions[request.function]
    pairs = zip(found.arguments, primal.arguments, strict=True)
    arguments = tuple(ArgumentActivity.OUT if is_float(p.type) and a is ArgumentActivity.DUP else a for a, p in pairs)
    number = is_float(primal.type.result) or found.result is ResultActivity.SHADOW
    return replace(found, arguments=arguments, result=found.result if number else ResultActivity.NONE)


def emit_keep_inputs(answers: Answers, b: Builder, request: Request, tape: Value) -> None:
    """Emits, before the augmented function, the saving of the inputs that f overwrites. Raises EnzymeError (EZ0208)."""
    round, name = answers.round, request.function
    if name not in answers.evaluated_again:
        return
    watched = _watched(round, request)
    primal = round.output.functions[name]
    values = [convert(b, a.primal, p.type) for a, p in zip(request.arguments, primal.arguments, strict=True)]
    record = runtime.AGAIN_BEGIN.call(b, round.text(plain_name(name)))
    b.call(watched, primal.type.result, values, argument_attributes=true_attributes(primal))
    runtime.AGAIN_INPUTS.call(b, record, tape)


def emit_with_inputs(answers: Answers, b: Builder, request: Request, evaluate: Emit) -> list[Value]:
    """Emits an evaluation of f on the inputs in the tape. Afterwards their memory holds again what it held before."""
    if request.function not in answers.evaluated_again:
        return evaluate(answers, b, request)
    _check(answers.round, request)
    tape = request.settings[Marker.TAPE]
    runtime.AGAIN_ENTER.call(b, tape)
    parts = evaluate(answers, b, request)
    runtime.AGAIN_LEAVE.call(b, tape)
    return parts


def _watched(round: Round, request: Request) -> str:
    _check(round, request)

    def refusal(function: Function, i: Instruction, reason: str) -> EnzymeError:
        where = round.source.source_location(i) or round.source.function_location(function)
        return _refusal(round, request, f"{reason}{f' ({where})' if where else ''}")

    return Watcher(round.output, refusal, silent=True).copy(request.function)


def _check(round: Round, request: Request) -> None:
    if not round.callees.has_body(request.function):
        raise _refusal(round, request, "there is no bitcode of it to see what it overwrites")
    if any(a.unneeded for a in request.arguments):
        raise _refusal(round, request, "enzyme_dupnoneed says that what it writes need not be there")
    if round.options.differentiated_again:
        raise _refusal(round, request, "the code around the request is differentiated itself")


def _refusal(round: Round, request: Request, reason: str) -> EnzymeError:
    return request.error(
        round.output,
        "EZ0208",
        f"__enzyme_fwdsplit of {plain_name(request.function)}, which may overwrite what it has read",
        f"the first half would have to keep that, but {reason}",
        "use __enzyme_fwddiff before the function runs, or let it write its results elsewhere",
    )
