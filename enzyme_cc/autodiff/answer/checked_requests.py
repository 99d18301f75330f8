"""Checks of requests when the program runs (`--enzyme-check`): what they pass before the derivative, what they return.

The extent of memory is what LLVM finds after all inlining: of variables, and of blocks of known allocations.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...analysis.callees import plain_name
from ...ir.builder import Builder
from ...ir.constants import GlobalRef
from ...ir.folding import int_constant
from ...ir.types import DOUBLE, I1, I64, FloatType, is_pointer
from ...ir.values import Value
from ...rules import runtime_functions as runtime
from ..core.markers import Marker, RequestKind
from ..core.round import Round
from ..requests.request import ActualArgument, Request


def check_arguments(round: Round, b: Builder, request: Request) -> None:
    """Emits the checks of all shadows, and of the seeds that they hold."""
    shadowed = [(k, a) for k, a in enumerate(request.arguments) if _is_checked(a)]
    own = int_constant(int(Marker.RUNTIME_ACTIVITY in request.flags))
    for k, actual in shadowed:
        what = round.text(f"{_place(round, request)}: the shadow of argument {k + 1} of {plain_name(request.function)}")
        for shadow in actual.shadows:
            room, shadow_room = (_room(b, pointer) for pointer in (actual.primal, shadow))
            runtime.CHECK_SHADOW.call(b, actual.primal, room, shadow, shadow_room, own, what)
    if shadowed and request.kind is RequestKind.AUTODIFF and not request.result.has_adjoint:
        _check_seed(round, b, request, [shadow for _, actual in shadowed for shadow in actual.shadows])


def _is_checked(actual: ActualArgument) -> bool:
    is_memory = bool(actual.shadows) and is_pointer(actual.primal.type)
    return is_memory and actual.stride is None and not (actual.is_work_space or actual.unneeded)


def _check_seed(round: Round, b: Builder, request: Request, shadows: Sequence[Value]) -> None:
    """Emits a warning for shadows that are all zero, if nothing else is a seed."""
    is_zero: Value = int_constant(1)
    for shadow in shadows:
        is_zero = b.int_op("and", is_zero, runtime.CHECK_IS_ZERO.call(b, shadow, _room(b, shadow)))
    function = plain_name(request.function)
    what = round.text(f"{_place(round, request)}: all shadows are zero, and {function} returns no number")
    told = f"{what}_told"
    if told not in round.output.globals:
        round.output.add_global(f"{told} = internal global i8 0")
    runtime.CHECK_SEED.call(b, is_zero, GlobalRef.of(told), what)


def check_results(round: Round, b: Builder, request: Request, parts: Sequence[Value]) -> None:
    """Emits the checks of numbers that the request returns."""
    what = f"{_place(round, request)}: a derivative of {plain_name(request.function)}"
    for part in parts:
        if isinstance(part.type, FloatType) and part.type.bits <= DOUBLE.bits:
            runtime.CHECK_NUMBER.call(b, b.resize_float(part, DOUBLE), round.text(what))


def _room(b: Builder, pointer: Value) -> Value:
    """Returns the bytes behind a pointer in its variable or block; all ones if that is not known."""
    return b.call("@llvm.objectsize.i64.p0", I64, (pointer, *(int_constant(k, I1) for k in (0, 1, 1))))


def _place(round: Round, request: Request) -> str:
    return round.output.source_location(request.call) or f"a request in {plain_name(request.caller.name)}"
