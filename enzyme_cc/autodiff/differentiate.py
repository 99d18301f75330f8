"""The whole of differentiation: module text in, module text with derivatives out."""

from __future__ import annotations

from dataclasses import replace

from ..analysis.callees import plain_name
from ..ir import passes
from ..report.diagnostics import Diagnostic, EnzymeError
from .options import Options
from .requests import Request, RequestReader, find_requests, replace_request
from .session import Bindings, Provenance, Session


def differentiate(module_text: str, options: Options | None = None, provenance: Provenance = lambda name: None) -> str:
    """Returns the module in which every request is replaced by calls of derivative functions, also contained.

    `module_text` is LLVM's text of the optimised module; `provenance(symbol)` names the object or archive member that
    defines a symbol natively, without bitcode. Raises EnzymeError with every diagnostic found.
    """
    if "__enzyme_" not in module_text:
        return module_text
    session = Session(_canonical(module_text), options or Options(), provenance)
    requests = _read_requests(session)
    session.prepare([request.function for request in requests], _bindings(session))
    session.explore(request.signature for request in requests)
    if session.state.constant_pointer_stored:
        session.options = replace(session.options, runtime_activity=True)
    for request in requests:
        replace_request(session, request)
    session.make_all()
    return str(session.output)


def _canonical(text: str) -> str:
    """Loops with one entering block and one latch, and values that leave a loop only through phis."""
    module = passes.parse(text)
    passes.run_passes(module, "loop-simplify", "lcssa")
    return str(module)


def _bindings(session: Session) -> Bindings:
    """Which values of the callers the requests pass for which arguments: they tell what memory holds."""
    bindings = Bindings([], [])
    for caller, call, kind in find_requests(session.source):
        request = RequestReader(session, session.source, caller, call, kind).read()
        bindings.callers.append(caller)
        for actual, formal in zip(request.arguments, session.source.functions[request.function].arguments, strict=True):
            bindings.pairs.append((actual.primal, formal))
            if actual.shadow is not None:
                bindings.pairs.append((actual.shadow, formal))
    return bindings


def _read_requests(session: Session) -> list[Request]:
    requests: list[Request] = []
    problems: list[Diagnostic] = []
    for caller, call, kind in find_requests(session.output):
        try:
            requests.append(RequestReader(session, session.output, caller, call, kind).read())
        except EnzymeError as error:
            problems.extend(error.diagnostics)
    if problems:
        raise EnzymeError(problems)
    return requests


__all__ = ["differentiate", "plain_name"]
