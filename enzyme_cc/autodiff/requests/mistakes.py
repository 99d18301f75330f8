"""Mistakes in requests that are sure, though each request can be answered: warnings at the link.

What is not sure is left to runs of the program.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct

from ...analysis.activity.activity import ArgumentActivity
from ...analysis.callees import plain_name
from ...ir.module import Module
from ...ir.types import is_pointer
from ...ir.values import Value
from ...report.diagnostics import Diagnostic
from ..core.markers import Marker, RequestKind
from .request import ActualArgument, Request
from .uses_of_memory import OwnMemory

_WHOLE = (RequestKind.AUTODIFF, RequestKind.FWDDIFF)


class Mistakes(Struct, frozen=True):
    """Finds the mistakes of requests in `module`.

    `source`: has the functions that are differentiated. `has_globals`: those that use variables.
    """

    module: Module
    source: Module
    has_globals: frozenset[str]

    def of(self, requests: Iterable[Request]) -> list[Diagnostic]:
        """Returns what to warn of."""
        return [mistake for request in requests for mistake in self._of(request)]

    def _of(self, request: Request) -> Iterator[Diagnostic]:
        if request.kind in _WHOLE and request.function not in self.has_globals:
            yield from self._nothing_active(request)
        shadowed = [a for a in request.arguments if a.shadows and is_pointer(a.primal.type) and not a.is_work_space]
        for actual in shadowed:
            yield from self._shadow(request, actual)
            yield from self._argument(request, actual)
        if shadowed and request.kind is RequestKind.AUTODIFF and not request.result.has_adjoint:
            yield from self._zero_seed(request, shadowed)

    def _nothing_active(self, request: Request) -> Iterator[Diagnostic]:
        if all(a.activity is ArgumentActivity.CONST for a in request.arguments):
            yield self._mistake(request, "EZ0221", f"the request differentiates {_name(request)} for no argument")

    def _argument(self, request: Request, actual: ActualArgument) -> Iterator[Diagnostic]:
        number, memory = request.arguments.index(actual), OwnMemory.of(self.module, actual.primal)
        function = self.source.functions.get(request.function)
        parameters = function.arguments[number : number + 1] if function is not None else []
        reads = [i for p in parameters for i in p.users if i.opcode == "load" and is_pointer(i.type)]
        if memory is not None and memory.number is not None and reads:
            message = f"{_name(request)} reads an address where argument {number + 1} holds numbers"
            yield self._mistake(request, "EZ0229", message)

    def _shadow(self, request: Request, actual: ActualArgument) -> Iterator[Diagnostic]:
        of = f"the shadow of argument {request.arguments.index(actual) + 1} of {_name(request)}"
        primal = OwnMemory.of(self.module, actual.primal)
        if actual.primal in actual.shadows:
            if Marker.RUNTIME_ACTIVITY not in request.flags and primal is not None:
                yield self._mistake(request, "EZ0222", f"{of} is the argument itself")
            return
        for shadow in filter(None, map(self._memory, actual.shadows)):
            if shadow.is_never_written and request.kind is RequestKind.AUTODIFF:
                yield self._mistake(request, "EZ0223", f"{of} is never set")
            if primal is not None and primal.base is not shadow.base:
                yield from self._other_memory(request, of, primal, shadow)

    def _other_memory(self, request: Request, of: str, primal: OwnMemory, shadow: OwnMemory) -> Iterator[Diagnostic]:
        if primal.size is not None and shadow.size is not None and shadow.size < primal.size:
            yield self._mistake(request, "EZ0224", f"{of} has {shadow.size} bytes, the argument has {primal.size}")
        elif primal.number is not None and shadow.number not in (None, primal.number):
            yield self._mistake(request, "EZ0225", f"{of} holds numbers of type {shadow.number}, not {primal.number}")

    def _zero_seed(self, request: Request, shadowed: list[ActualArgument]) -> Iterator[Diagnostic]:
        memory = [self._memory(shadow) for actual in shadowed for shadow in actual.shadows]
        if all(shadow is not None and shadow.is_only_zero for shadow in memory):
            yield self._mistake(request, "EZ0226", f"all shadows are zero, and {_name(request)} returns no number")

    def _memory(self, pointer: Value) -> OwnMemory | None:
        return OwnMemory.of(self.module, pointer)

    def _mistake(self, request: Request, id_: str, message: str) -> Diagnostic:
        place = self.module.source_location(request.call) or self.module.function_location(request.caller)
        return Diagnostic(id_, message, location=place, function=plain_name(request.caller.name))


def _name(request: Request) -> str:
    return plain_name(request.function)
