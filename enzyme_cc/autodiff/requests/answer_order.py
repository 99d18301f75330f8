"""The order of answers: a request whose function makes requests itself waits until these are answered."""

from __future__ import annotations

from collections.abc import Iterable

from ...analysis.callees import plain_name
from ...analysis.references import functions_referenced
from ...ir.graphs import reachable
from ...ir.module import Module
from ...report.diagnostics import EnzymeError
from ..core.markers import variant_kind
from .request import Found, find_requests, function_of


def ready_requests(module: Module) -> list[int]:
    """Returns the requests that wait for no other, as indices into `find_requests`.

    A request waits if its function reaches a function that makes requests. Raises EnzymeError (EZ0210) if all wait.
    """
    found = find_requests(module)
    makers = {request.caller.name for request in found}
    ready = [k for k, request in enumerate(found) if not _reaches(module, request, makers)]
    if found and not ready:
        first = found[0]
        raise EnzymeError.of(
            "EZ0210",
            f"{first.kind.value} differentiates a function that makes this request itself",
            location=module.source_location(first.call) or module.function_location(first.caller),
            function=plain_name(first.caller.name),
            reason="each derivative would need the other one first",
        )
    return ready


def _reaches(module: Module, request: Found, makers: set[str]) -> bool:
    """True if the request's function is one of the makers, or refers to one over any number of functions."""
    target = function_of(module, request.call.arguments[0]) if request.call.arguments else None

    def referenced(name: str) -> Iterable[str]:
        is_end = name in makers or module.functions[name].is_declaration
        return () if is_end else functions_referenced(module, module.body(name))

    reached = reachable([] if target is None else [target], referenced)
    return any(name in makers or variant_kind(name) is not None for name in reached)
