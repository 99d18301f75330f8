"""The whole of differentiation: module text in, module text with derivatives out."""

from __future__ import annotations

from dataclasses import replace

from ..ir import passes
from ..ir.values import CallInfo, ConstantWord, Function, Instruction, Value
from ..ir.verify import verify_module
from ..report.diagnostics import Diagnostic, EnzymeError
from .answer.replace import replace_requests
from .checkpoints import make_checkpointed
from .core.markers import Marker, RequestKind
from .core.options import Options
from .core.provenance import Provenance
from .core.round import Session
from .optimise.preoptimise import preoptimise
from .requests.grammar import GRAMMARS
from .requests.markings import drop_markings
from .requests.order import ready_requests
from .requests.reader import read_request
from .requests.request import Request, find_requests, resolve_unneeded


def differentiate(module_text: str, options: Options | None = None, provenance: Provenance = lambda name: None) -> str:
    """Returns the module in which every request is replaced by calls of derivative functions, also contained.

    `module_text` is LLVM's text of the optimised module; `provenance(symbol)` names the object or archive member that
    defines a symbol natively, without bitcode. Raises EnzymeError with every diagnostic found.
    """
    options = options or Options()
    module_text = make_checkpointed(module_text)
    while "__enzyme_" in module_text:
        module_text, is_last = _round(module_text, options, provenance)
        if is_last:
            break
        module = passes.parse(module_text)
        passes.keep_null(module)
        module_text = preoptimise(str(module))
        options = replace(options, round=options.round + 1)
    return module_text


def _round(text: str, options: Options, provenance: Provenance) -> tuple[str, bool]:
    """Replaces the requests that wait for no other; says whether these were all."""
    session = Session(_canonical(text), options, provenance)
    ready = ready_requests(session.source)
    waiting = {k: kind for k, (_, _, kind) in enumerate(find_requests(session.source)) if k not in ready}
    requests = _read_requests(session, ready)
    deriving = [request for request in requests if GRAMMARS[request.kind].differentiates]
    session.prepare([request.function for request in deriving], _call_primals(session, ready))
    for request in deriving:
        resolve_unneeded(request, session.source, session.output, session.written_only)
    session.explore(request.signature for request in deriving)
    flags = {flag for request in requests for flag in request.flags}
    constant = session.state.constant_pointer_stored or bool(session.outside.settled)
    session.options = replace(
        session.options,
        runtime_activity=constant or Marker.RUNTIME_ACTIVITY in flags,
        strong_zero=Marker.STRONG_ZERO in flags,
        differentiated_again=bool(waiting),
        reversed_again=any(kind is not RequestKind.FWDDIFF for kind in waiting.values()),
        tapes_used_again=Marker.NOFREE in flags,
    )
    replace_requests(session, requests)
    session.make_all()
    session.tapes.finish()
    if options.verify:
        verify_module(session.output, "replacing requests")
    if not waiting:
        drop_markings(session.output)
    return str(session.output), not waiting


def _canonical(text: str) -> str:
    """Loops with one entering block and one latch, and values that leave a loop only through phis."""
    module = passes.parse(text)
    passes.run_passes(module, "loop-simplify", "lcssa")
    return str(module)


def _call_primals(session: Session, ready: list[int]) -> list[Function]:
    """Puts plain calls of the differentiated functions beside the requests of `source`, which is never printed: with
    the arguments that the requests pass, and with the shadows. They tell analyses what memory holds."""
    callers: dict[Function, None] = {}
    found = find_requests(session.source)
    for request_call in [found[k] for k in ready]:
        if not GRAMMARS[request_call.kind].differentiates:
            continue
        request = read_request(session.source, request_call, session.registered.custom, session.provenance)
        callers[request_call.caller] = None
        for shadows in (False, True):
            _call_primal(session, request, shadows)
    return list(callers)


def _call_primal(session: Session, request: Request, shadows: bool) -> None:
    primal = session.source.functions[request.function]
    arguments: list[Value] = []
    for actual, formal in zip(request.arguments, primal.arguments, strict=True):
        value = actual.shadows[0] if shadows and actual.shadows else actual.primal
        arguments.append(value if value.type == formal.type else ConstantWord(formal.type, "poison"))
    info = CallInfo(primal.type, ("",) * len(arguments))
    block = request.call.block
    assert block is not None
    call = Instruction("call", primal.type.result, [*arguments, primal.ref], info)
    block.insert(block.instructions.index(request.call), call)


def _read_requests(session: Session, ready: list[int]) -> list[Request]:
    requests: list[Request] = []
    problems: list[Diagnostic] = []
    found = find_requests(session.output)
    for request_call in [found[k] for k in ready]:
        try:
            requests.append(read_request(session.output, request_call, session.registered.custom, session.provenance))
        except EnzymeError as error:
            problems.extend(error.diagnostics)
    if problems:
        raise EnzymeError(problems)
    return requests


__all__ = ["differentiate"]
