"""The order of answers: a request whose function makes requests itself waits until these are answered.

A request that none of these waits for comes in the last round, so that it is answered as in a program without them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from ...analysis.callees import plain_name
from ...analysis.references import functions_referenced
from ...ir.graphs import reachable
from ...ir.module import Module
from ...report.diagnostics import EnzymeError
from ..core.markers import RequestKind, variant_kind
from .request import Found, find_requests, function_of

#: requests that have no part in others: the halves of a split request are answered in one round
_WHOLE = (RequestKind.AUTODIFF, RequestKind.FWDDIFF)


class Order(NamedTuple):
    """The requests that a round answers, as indices into `find_requests`, and the kinds of those that wait for them."""

    ready: list[int]
    waiting: list[RequestKind]


def answer_order(module: Module) -> Order:
    """Returns what a round answers: a request waits if its function reaches a function that makes requests.

    Raises EnzymeError (EZ0210) if all wait.
    """
    found = find_requests(module)
    makers = {request.caller.name for request in found}
    all_reached = [_reached(module, request, makers) for request in found]
    reached = {k: names for k, names in enumerate(all_reached) if names}
    if found and len(reached) == len(found):
        first = found[0]
        raise EnzymeError.of(
            "EZ0210",
            f"{first.kind.value} differentiates a function that makes this request itself",
            location=module.source_location(first.call) or module.function_location(first.caller),
            function=plain_name(first.caller.name),
            reason="each derivative would need the other one first",
        )
    ready = [k for k in range(len(found)) if k not in reached]
    wanted = frozenset().union(*reached.values())
    if reached:
        ready = [k for k in ready if found[k].kind not in _WHOLE or found[k].caller.name in wanted] or ready
    return Order(ready, [found[k].kind for k in reached])


def _reached(module: Module, request: Found, makers: set[str]) -> frozenset[str]:
    """Returns makers of requests, and variants, that the request's function refers to over any number of functions."""
    target = function_of(module, request.call.arguments[0]) if request.call.arguments else None

    def referenced(name: str) -> Iterable[str]:
        return () if module.functions[name].is_declaration else functions_referenced(module, module.body(name))

    reached = reachable([] if target is None else [target], referenced)
    return frozenset(name for name in reached if name in makers or variant_kind(name) is not None)
