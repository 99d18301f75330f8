"""Compares a gradient with differences when the program runs (`--enzyme-check=differences`).

All arguments of the function go into memory, so that the runtime can run the function again with other numbers: those
that are passed by value, and those behind pointers (toolchain/runtime/differences.c).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ...analysis.activity.activity import ArgumentActivity, ResultActivity
from ...analysis.callees import plain_name
from ...ir.builder import Builder
from ...ir.constants import GlobalRef
from ...ir.folding import float_constant, int_constant, zero
from ...ir.types import DOUBLE, I32, PTR, FloatType, FunctionType, StructType, is_pointer
from ...ir.values import Argument, Function, Value
from ...report.spelling import name_in_source
from ...rules import runtime_functions as runtime
from ..core.markers import Marker, RequestKind
from ..core.round import Round
from ..requests.request import ActualArgument, Request, convert
from .checked_requests import place_of, room, runs_of_numbers

_UNKNOWN = int_constant(-1)
_FLAGS = frozenset([Marker.PRIMAL_RETURN])


class StartedComparison(NamedTuple):
    """A comparison that has begun: its state at run time, and where the numbers lie that are passed by value."""

    state: Value
    numbers: Sequence[Value]


def begin(round: Round, b: Builder, request: Request, seeds: Sequence[Value]) -> StartedComparison | None:
    """Emits the differences. Returns None if the request cannot be compared."""
    function = round.output.functions[request.function]
    if not _is_comparable(request, function):
        return None
    caller = b.block.function
    assert caller is not None
    given = [convert(b, a.primal, t) for a, t in zip(request.arguments, function.type.params, strict=True)]
    type_ = StructType(function.type.params)
    frame = Builder.first(caller.entry).alloca(type_)
    b.store(b.make_struct(given), frame)
    what = f"{place_of(round, request)}: the gradient of {name_in_source(plain_name(request.function))}"
    seed = b.resize_float(seeds[0], DOUBLE) if seeds else float_constant(0.0, DOUBLE)
    arguments = (_run_from(round, function, type_), frame, seed, _told(round, what), round.text(what))
    state = runtime.DIFFERENCE.call(b, *arguments)
    numbers = list(_add_regions(round, b, request, state, frame, type_))
    runtime.DIFFERENCE_RUN.call(b, state)
    return StartedComparison(state, numbers)


def end(b: Builder, comparison: StartedComparison, adjoints: Sequence[Value]) -> None:
    """Emits the comparison. `adjoints` are those of the numbers that are passed by value, in order."""
    for place, adjoint in zip(comparison.numbers, adjoints, strict=True):
        runtime.DIFFERENCE_ADJOINT.call(b, comparison.state, place, b.resize_float(adjoint, DOUBLE))
    runtime.DIFFERENCE_END.call(b, comparison.state)


def _is_comparable(request: Request, function: Function) -> bool:
    is_plain = request.kind is RequestKind.AUTODIFF and request.width == 1 and request.flags <= _FLAGS
    has_settings = bool(request.settings) or request.in_place or request.returns_through_memory
    result = function.type.result
    is_number = request.result is not ResultActivity.ACTIVE or _is_number(result)
    is_by_value = not any(argument.attributes for argument in function.arguments if _is_passed_by_copy(argument))
    return is_plain and not has_settings and is_number and is_by_value and all(map(_is_known, request.arguments))


def _is_passed_by_copy(argument: Argument) -> bool:
    return any(word in argument.attributes for word in ("sret", "byval"))


def _is_number(type_: object) -> bool:
    return isinstance(type_, FloatType) and type_.bits in (32, 64)


def _is_known(actual: ActualArgument) -> bool:
    if actual.activity is ArgumentActivity.OUT:
        return _is_number(actual.primal.type)
    is_plain = actual.stride is None and not (actual.unneeded or actual.is_work_space)
    return not actual.shadows or (is_plain and is_pointer(actual.primal.type))


def _run_from(round: Round, function: Function, type_: StructType) -> Value:
    """Returns a function that runs another one with arguments from memory, and returns its number, else 0."""
    frame = Argument(PTR)
    name = round.output.fresh_name("@__ez_run_again")
    made = Function(name, FunctionType(DOUBLE, (PTR,)), [frame], "internal", "uwtable")
    b = Builder(made.add_block())
    given = b.load(type_, frame)
    values = [b.extract_value(given, k) for k in range(len(type_.fields))]
    attributes = tuple(argument.attributes for argument in function.arguments)
    result = b.call(function.name, function.type.result, values, argument_attributes=attributes)
    b.ret(b.resize_float(result, DOUBLE) if _is_number(result.type) else float_constant(0.0, DOUBLE))
    round.enter(made)
    return made.ref


def _told(round: Round, what: str) -> Value:
    """Returns a byte that says whether the request was compared: the first run of each is."""
    told = f"{round.text(what)}_compared"
    if told not in round.output.globals:
        round.output.add_global(f"{told} = internal global i8 0")
    return GlobalRef.of(told)


def _add_regions(
    round: Round, b: Builder, request: Request, state: Value, frame: Value, type_: StructType
) -> Iterator[Value]:
    """Emits which numbers are moved. Yields the places in the frame of those that are passed by value."""
    null, start = zero(PTR), int_constant(0)
    for k, actual in enumerate(request.arguments):
        if actual.activity is ArgumentActivity.OUT:
            place = b.gep(type_, frame, (start, int_constant(k, I32)))
            number = type_.fields[k]
            assert isinstance(number, FloatType)
            size = int_constant(number.bits // 8)
            runtime.DIFFERENCE_OF.call(b, state, place, null, size, size, start, size, size)
            yield place
        elif actual.shadows:
            for row in runs_of_numbers(round, request, k):
                extent = room(round, b, actual.primal) if row else _UNKNOWN
                numbers = map(int_constant, row or (0, 0, 0, 8))
                runtime.DIFFERENCE_OF.call(b, state, actual.primal, actual.shadows[0], extent, *numbers)
