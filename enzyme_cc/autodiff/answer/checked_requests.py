"""Checks of requests when the program runs (`--enzyme-check`): what they pass before the derivative, what they return.

The extent of memory is what LLVM finds after all inlining: of variables, and of blocks of known allocations.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...analysis.callees import plain_name
from ...analysis.type_analysis.kinds import FLOATS, Kind
from ...ir.builder import Builder
from ...ir.constants import GlobalRef
from ...ir.folding import int_constant
from ...ir.types import DOUBLE, I1, I64, FloatType, is_pointer
from ...ir.values import Value
from ...report.spelling import name_in_source
from ...rules import runtime_functions as runtime
from ..core.markers import Marker, RequestKind
from ..core.round import Round
from ..requests.request import ActualArgument, Request
from ..requests.uses_of_memory import OwnMemory

_SIZES = {Kind.DOUBLE: 8, Kind.FLOAT: 4}


def check_arguments(round: Round, b: Builder, request: Request) -> None:
    """Emits the checks of all shadows, and of the seeds that they hold."""
    runtime.CHECK_BEGIN.call(b)
    shadowed = [(k, a) for k, a in enumerate(request.arguments) if _is_checked(a)]
    own = int_constant(int(Marker.RUNTIME_ACTIVITY in request.flags))
    for k, actual in shadowed:
        what = _shadow(round, request, k)
        for shadow in actual.shadows:
            primal_room, shadow_room = (room(round, b, pointer) for pointer in (actual.primal, shadow))
            runtime.CHECK_SHADOW.call(b, actual.primal, primal_room, shadow, shadow_room, own, what)
    if shadowed and request.kind is RequestKind.AUTODIFF and not request.result.has_adjoint:
        _check_seed(round, b, request, [shadow for _, actual in shadowed for shadow in actual.shadows])


def _shadow(round: Round, request: Request, k: int) -> Value:
    name = name_in_source(plain_name(request.function))
    return round.text(f"{place_of(round, request)}: the shadow of argument {k + 1} of {name}")


def _is_checked(actual: ActualArgument) -> bool:
    is_memory = bool(actual.shadows) and is_pointer(actual.primal.type)
    return is_memory and actual.stride is None and not (actual.is_work_space or actual.unneeded)


def _check_seed(round: Round, b: Builder, request: Request, shadows: Sequence[Value]) -> None:
    """Emits a warning for shadows that are all zero, if nothing else is a seed."""
    is_zero: Value = int_constant(1)
    for shadow in shadows:
        is_zero = b.int_op("and", is_zero, runtime.CHECK_IS_ZERO.call(b, shadow, room(round, b, shadow)))
    function = name_in_source(plain_name(request.function))
    what = round.text(f"{place_of(round, request)}: all shadows are zero, and {function} returns no number")
    runtime.CHECK_SEED.call(b, is_zero, _told(round, what), what)


def _told(round: Round, what: Value) -> Value:
    """Returns where a warning of the running program notes that it was told."""
    told = f"{what}_told"
    if told not in round.output.globals:
        round.output.add_global(f"{told} = internal global i8 0")
    return GlobalRef.of(told)


def check_results(round: Round, b: Builder, request: Request, parts: Sequence[Value]) -> None:
    """Emits the checks of numbers that the request returns, and of those in shadows."""
    what = f"{place_of(round, request)}: a derivative of {name_in_source(plain_name(request.function))}"
    for part in parts:
        if isinstance(part.type, FloatType) and part.type.bits <= DOUBLE.bits:
            runtime.CHECK_NUMBER.call(b, b.resize_float(part, DOUBLE), round.text(what))
    if request.kind is RequestKind.AUTODIFF and request.width == 1:
        _check_shadows(round, b, request)


def _check_shadows(round: Round, b: Builder, request: Request) -> None:
    is_complete = True
    for k, actual in enumerate(request.arguments):
        for row in runs_of_numbers(round, request, k) if _is_checked(actual) else ():
            is_complete &= row is not None
            if row is not None:
                arguments = (room(round, b, actual.shadows[0]), *map(int_constant, row), _shadow(round, request, k))
                runtime.CHECK_NUMBERS.call(b, actual.shadows[0], *arguments)
    if not is_complete:
        function = name_in_source(plain_name(request.function))
        what = round.text(f"{place_of(round, request)}: the derivative of {function}")
        runtime.CHECK_MADE.call(b, _told(round, what), what)


def runs_of_numbers(round: Round, request: Request, k: int) -> Iterator[tuple[int, int, int, int] | None]:
    """Yields the runs of numbers behind an argument: period (0: one run), offset, length, and size of each number.

    Yields None for memory that is not known, or that leads to other memory.
    """
    layout = round.types.contents(round.source.functions[request.function].arguments[k], None).layout
    if layout is None:
        yield None
        return
    for segment in layout.segments:
        if segment.kind in _SIZES:
            yield layout.period or 0, segment.offset, segment.length, _SIZES[segment.kind]
        elif segment.kind in FLOATS or segment.kind is Kind.POINTER:
            yield None


def room(round: Round, b: Builder, pointer: Value) -> Value:
    """Returns the bytes behind a pointer in its variable or block; all ones if that is not known."""
    memory = OwnMemory.of(round.output, pointer)
    if memory is not None and memory.declared_size is not None:
        return int_constant(memory.declared_size)
    return b.call("@llvm.objectsize.i64.p0", I64, (pointer, *(int_constant(k, I1) for k in (0, 1, 1))))


def place_of(round: Round, request: Request) -> str:
    """Returns where a request is, for a message."""
    return round.output.source_location(request.call) or f"a request in {plain_name(request.caller.name)}"
