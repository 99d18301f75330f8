"""`__enzyme_virtualreverse`: the halves of reverse mode as functions that a program can call, in a table of the two."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ...analysis.activity.activity import ArgumentActivity, ResultActivity
from ...analysis.callees import plain_name
from ...ir.builder import Builder
from ...ir.types import PTR, VOID, FunctionType, Type, is_float
from ...ir.values import Argument, Function, GlobalRef, Value
from ..core.markers import Marker
from ..requests.c_abi import emit_return, returned
from ..requests.request import ActualArgument, Request
from ..unwinding.names import RETHROW, is_entry
from .answers import Answers, Emit


def pair_of(answers: Answers, request: Request, augmented: Emit, reverse: Emit) -> Value:
    """The address of {augmented, reverse}: they take f's arguments, each pointer followed by its shadow; reverse then
    the adjoint of a number that f returns, and the tape. augmented returns {tape, result, shadow of a pointer}."""
    round, signature = answers.round, request.signature
    if signature not in answers.pairs:
        primal = round.source.functions[request.function]
        seed = [primal.type.result] if request.result is ResultActivity.ACTIVE else []
        shadow = [primal.type.result] if request.result is ResultActivity.SHADOW else []
        results = [PTR, *([] if primal.type.result == VOID else [primal.type.result]), *shadow]
        outs = [a.type for a in primal.arguments if is_float(a.type)]
        halves = (
            _half(answers, request, "augmented", [], results, augmented),
            _half(answers, request, "reverse", [*seed, PTR], outs, reverse),
        )
        name = round.output.fresh_name(f"@__ez_virtual.{plain_name(request.function)}")
        round.output.add_global(f"{name} = internal constant [2 x ptr] [ptr {halves[0]}, ptr {halves[1]}]")
        answers.pairs[signature] = GlobalRef.of(name)
    return answers.pairs[signature]


def _half(answers: Answers, request: Request, word: str, more: list[Type], results: Sequence[Type], emit: Emit) -> str:
    round = answers.round
    primal = round.source.functions[request.function]
    type_ = returned(results) if results else VOID
    own = [
        p.type
        for p, actual in zip(primal.arguments, request.arguments, strict=True)
        for _ in range(2 if actual.activity is ArgumentActivity.DUP else 1)
    ]
    params = ([PTR] if type_ is None else []) + own + more
    name = round.output.fresh_name(f"@__ez_virtual_{word}.{plain_name(request.function)}")
    given = [Argument(t, "", "", k) for k, t in enumerate(params)]
    function_type = FunctionType(VOID if type_ is None else type_, tuple(params))
    function = Function(name, function_type, given, "internal", round.attributes_of(primal))
    b = Builder(function.add_block())
    values = emit(answers, b, _inside(request, given[type_ is None :]))
    if is_entry(request.function):
        b.call(RETHROW, VOID, ())
    emit_return(b, values, type_, given[0] if type_ is None else None)
    round.enter(function)
    return name


def _inside(request: Request, given: Sequence[Value]) -> Request:
    """The request as made by the function whose arguments are given."""
    rest = list(given)
    arguments = [
        ActualArgument(a.activity, rest.pop(0), [rest.pop(0)] if a.activity is ArgumentActivity.DUP else [])
        for a in request.arguments
    ]
    settings = {Marker.TAPE: rest.pop()} if rest else {}
    return replace(request, arguments=arguments, settings=settings, seeds=rest)
