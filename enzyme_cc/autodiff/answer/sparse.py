"""Sparse Jacobians and Hessians: a request with `enzyme_sparse`.

The runtime drives the evaluation (toolchain/runtime/sparse.c). It is given two functions that are made here, and calls
them with the shadows of the two vectors:

- the pattern, which runs the function on sets of inputs (tangent/dependence.py);
- the values, which is the derivative in the mode of the request.

Both find the arguments of the function in a struct in the caller's frame.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from ...analysis.activity.activity import ArgumentActivity
from ...analysis.callees import plain_name
from ...analysis.type_analysis.analysis import Kind
from ...ir.builder import Builder
from ...ir.folding import int_constant
from ...ir.types import I64, PTR, VOID, FunctionType, StructType
from ...ir.values import Argument, Function, Value
from ...rules import runtime_functions as runtime
from ..core.layouts import find_layout
from ..core.markers import Marker, RequestKind
from ..core.signature import Form
from ..requests.request import Request, convert
from .answers import Answers

#: emits a call of a derivative of the request's function, in one form
Evaluate = Callable[[Answers, Builder, Request, Form], None]

_SIZES = {Kind.DOUBLE: 8, Kind.FLOAT: 4}
_BY_ROWS, _SYMMETRIC = 1, 2


def emit_sparse(evaluate: Evaluate, answers: Answers, b: Builder, request: Request) -> list[Value]:
    """Emits the call of the runtime.

    Raises EnzymeError (EZ0303) if the type of the elements is not known, and (EZ0208) if globals would keep numbers.
    """
    _refuse_named_shadows(answers, request)
    types = answers.round.output.functions[request.function].type.params
    values = [convert(b, a.primal, type_) for a, type_ in zip(request.arguments, types, strict=True)]
    context = Builder.first(request.caller.entry).alloca(StructType(types))
    b.store(b.make_struct(values), context)
    reverse = request.kind is RequestKind.AUTODIFF
    pattern = _function(answers, request, evaluate, Form.DEPENDENCE)
    derivative = _function(answers, request, evaluate, Form.COMBINED if reverse else Form.TANGENT)
    how = _BY_ROWS * reverse + _SYMMETRIC * (Marker.SYMMETRIC in request.flags)
    vectors = [v for k in _vectors(request) for v in (values[k], _count(b, request, k), _size(answers, request, k))]
    runtime.SPARSE.call(
        b, request.settings[Marker.SPARSE], context, pattern.ref, derivative.ref, *vectors, int_constant(how)
    )
    return []


def _refuse_named_shadows(answers: Answers, request: Request) -> None:
    """Refuses globals whose shadow the program names: sets and the tangents of one group would be left there."""
    round = answers.round
    named = round.globals_of.get(request.function, frozenset()) & round.declared & round.state.active_globals
    if named:
        name = plain_name(min(named))
        raise request.error(
            round.output,
            "EZ0208",
            f"a sparse derivative would leave numbers in the shadow of {name}",
            "the program names this shadow, and so would find there what belongs to one group of columns",
            f"pass {name} as an argument, or do not name its shadow",
        )


def _vectors(request: Request) -> list[int]:
    """The arguments that are the two vectors."""
    return [k for k, a in enumerate(request.arguments) if a.activity is ArgumentActivity.DUP]


def _count(b: Builder, request: Request, k: int) -> Value:
    count = request.arguments[k].count
    assert count is not None
    return b.resize_int(count, I64)


def _size(answers: Answers, request: Request, k: int) -> Value:
    """The size in bytes of the elements of a vector."""
    round = answers.round
    argument = round.source.functions[request.function].arguments[k]
    layout = find_layout(round.types, [argument], None)
    kinds = {segment.kind for segment in layout.segments} if layout is not None else set()
    if len(kinds) != 1 or not kinds <= set(_SIZES):
        raise request.error(
            round.output,
            "EZ0303",
            f"argument {k + 1} of {plain_name(request.function)} is no vector of double or float",
            round.types.contents(argument, None).why_unknown if not kinds else "its memory also holds something else",
        )
    return int_constant(_SIZES[kinds.pop()])


def _function(answers: Answers, request: Request, evaluate: Evaluate, form: Form) -> Function:
    """Returns a function of the struct with the arguments and of the shadows of the two vectors."""
    round = answers.round
    types = round.output.functions[request.function].type.params
    name = round.output.fresh_name(f"@__ez_sparse_{form.value}.{plain_name(request.function)}")
    context, *shadows = (Argument(PTR, "", "", k) for k in range(3))
    type_ = FunctionType(VOID, (PTR, PTR, PTR))
    function = Function(name, type_, [context, *shadows], "internal", "uwtable")
    b = Builder(function.add_block())
    given = b.load(StructType(types), context)
    of_vector = {k: (shadow,) for k, shadow in zip(_vectors(request), shadows, strict=True)}
    arguments = tuple(
        replace(a, primal=b.extract_value(given, k), shadows=of_vector.get(k, ()))
        for k, a in enumerate(request.arguments)
    )
    kind = RequestKind.FWDDIFF if form is Form.DEPENDENCE else request.kind
    evaluate(answers, b, replace(request, kind=kind, caller=function, arguments=arguments), form)
    b.ret()
    round.enter(function)
    return function
