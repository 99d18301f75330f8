"""The result of a function that returns a struct through memory, in forward mode.

The request returns through memory too. That memory receives the tangents, one struct for each direction. If the request
asks for the primal result, it precedes them.
"""

from __future__ import annotations

from ...analysis.activity.activity import ArgumentActivity
from ...ir.attributes import byval_type
from ...ir.builder import Builder
from ...ir.folding import int_constant
from ...ir.module import Module
from ...ir.types import I8, alloc_size
from ...ir.values import Argument, Function, Value
from ..core.markers import Marker
from .request import ActualArgument, Request


def struct_result(module: Module, request: Request, parameter: Argument) -> ActualArgument:
    """Returns the argument for the function's first parameter, which points to its result."""
    type_ = byval_type(module, parameter.attributes)
    assert type_ is not None
    size = alloc_size(type_)
    _check_size(module, request, size * (request.width + (Marker.PRIMAL_RETURN in request.flags)))
    before = Builder.before(request.call)
    places = [before.offset(request.call.arguments[0], k * size) for k in range(request.width + 1)]
    if Marker.PRIMAL_RETURN in request.flags:
        return ActualArgument(ArgumentActivity.DUP, places[0], tuple(places[1:]))
    return ActualArgument(ArgumentActivity.DUP, _local(request.caller, size), tuple(places[:-1]))


def _check_size(module: Module, request: Request, size: int) -> None:
    declared = byval_type(module, request.call.call.argument_attributes[0])
    if declared is not None and alloc_size(declared) != size:
        raise request.error(
            module,
            "EZ0205",
            f"{request.kind.value} is declared to return {declared}",
            f"it returns {size} bytes: a struct for each direction, behind the primal one where that is asked for",
        )


def _local(function: Function, size: int) -> Value:
    return Builder.first(function.entry).alloca(I8, int_constant(size), 16)
