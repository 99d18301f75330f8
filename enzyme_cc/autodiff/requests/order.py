"""Requests whose functions make requests themselves are answered in rounds: inner ones first."""

from __future__ import annotations

from collections.abc import Iterable

from ...analysis.callees import plain_name
from ...ir.module import Module
from ...ir.values import Function, Instruction
from ...report.diagnostics import EnzymeError
from ..core.markers import RequestKind
from ..globals.shadows import functions_referenced
from .request import find_requests, function_of

Found = tuple[Function, Instruction, RequestKind]


def ready_requests(module: Module) -> list[int]:
    """The places, in the order of `find_requests`, of those whose functions reach no function that makes requests.

    Raises EnzymeError (EZ0210) where each waits for another.
    """
    found = find_requests(module)
    makers = {caller.name for caller, _, _ in found}
    ready = [k for k, request in enumerate(found) if not _reaches(module, request, makers)]
    if found and not ready:
        caller, call, kind = found[0]
        raise EnzymeError.of(
            "EZ0210",
            f"{kind.value} differentiates a function that makes this request itself",
            location=module.source_location(call) or module.function_location(caller),
            function=plain_name(caller.name),
            reason="each derivative would need the other one first",
        )
    return ready


def _reaches(module: Module, request: Found, makers: set[str]) -> bool:
    """Whether the request's function is one of the makers, or calls one."""
    target = function_of(module, request[1].arguments[0]) if request[1].arguments else None
    seen: set[str] = set()
    work = [] if target is None else [target]
    while work:
        name = work.pop()
        if name in makers:
            return True
        if name not in seen and not module.functions[name].is_declaration:
            seen.add(name)
            work.extend(_references(module, name))
    return False


def _references(module: Module, name: str) -> Iterable[str]:
    return functions_referenced(module, module.body(name))
