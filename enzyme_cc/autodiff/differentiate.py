"""Differentiates a module: takes LLVM text with requests, returns LLVM text with derivatives."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from ..analysis.type_analysis.analysis import TypeAnalysis
from ..ir.builder import Builder
from ..ir.constants import ConstantWord
from ..ir.values import CallInfo, Function, Instruction, Value
from ..report.diagnostics import Diagnostic, EnzymeError
from ..report.remarks import Remark
from .analyses.passed_bits import functions_given_bits
from .analyses.passed_unions import functions_given_unions
from .analyses.recursion import Recursion
from .analyses.work_space import work_space
from .answer.dense_memory import has_dense_memory
from .answer.held_tapes import Tapes
from .answer.replace import follows_files
from .core.markers import Marker, RequestKind
from .core.options import Options
from .core.pass_table import run
from .core.pointers import Pool
from .core.provenance import Provenance
from .core.round import ExploredRound, OpenedRound, PreparedRound
from .core.signature import Signature
from .engine import Count, explore
from .globals.kept_keys import kept_keys
from .globals.pointing import foreign_pointers
from .passes import (
    AFTER_ROUNDS,
    AGAIN,
    ANSWERED,
    BEFORE_ROUNDS,
    CANONICAL,
    INLINED,
    VARIANTS,
    AnsweredCode,
    ModuleCode,
)
from .preparation import open_round, prepare, reach
from .requests.answer_order import answer_order
from .requests.grammar import GRAMMARS
from .requests.mistakes import Mistakes
from .requests.passed_memory import PassedMemory
from .requests.reader import read_request
from .requests.request import Request, find_requests, with_needed
from .variants import refuse_waiting, waiting_variants

#: in a program with more instructions, no more functions than these are inlined for the unions that they are given
_MANY_INSTRUCTIONS, _MANY_GIVEN = 40_000, 16


class DerivedModule(Struct, frozen=True):
    """A module whose requests are replaced.

    `warnings`: the errors of derivatives that end the program if it calls them. `mistakes`: what requests say, and what
    cannot be meant. `remarks`: those about derivatives, if the options ask for them.
    """

    text: str
    mistakes: tuple[Diagnostic, ...] = ()
    warnings: tuple[EnzymeError, ...] = ()
    remarks: tuple[Remark, ...] = ()


def differentiate(
    module_text: str,
    options: Options | None = None,
    provenance: Provenance = lambda name: None,
    count: Count = lambda done, known: None,
) -> DerivedModule:
    """Returns the module with derivative functions added, and with each request replaced by calls of them.

    `module_text`: the optimised module as LLVM text. `provenance(symbol)`: the object or archive member that defines a
    symbol without bitcode. `count(done, known)` is told how many derivatives a round has made, of those known so far.
    Raises EnzymeError with all diagnostics.
    """
    options = replace(options or Options(), separate_additions=has_dense_memory(module_text))
    code = run(BEFORE_ROUNDS, ModuleCode(options.verify, module_text, options.back_end, options=options))
    was_last, pools, mistakes = False, tuple[Pool, ...](), list[Diagnostic]()
    warnings, remarks = list[EnzymeError](), list[Remark]()
    while "__enzyme_" in code.text:
        code = run(VARIANTS, code)
        if was_last:
            refuse_waiting(code.text)
        made = _round(code, provenance, count, pools)
        code, pools = replace(code, text=made.text), made.pools
        mistakes += made.mistakes
        warnings += made.warnings
        remarks += made.remarks
        if made.is_last and waiting_variants(code.text) is None:
            break
        was_last = made.is_last
        options = replace(code.options, round_number=code.options.round_number + 1)
        code = replace(run(AGAIN, code), options=options)
    return DerivedModule(run(AFTER_ROUNDS, code).text, tuple(mistakes), tuple(warnings), tuple(remarks))


class _Started(Struct, frozen=True, eq=False):
    """The second stage of a round, its requests, and the kinds of those that wait for them."""

    prepared: PreparedRound
    requests: list[Request]
    waiting: list[RequestKind]


class _Finished(Struct, frozen=True):
    """A round's text, whether no request is left, and the pools for the next one; what to tell the user."""

    text: str
    is_last: bool
    pools: tuple[Pool, ...]
    mistakes: list[Diagnostic]
    warnings: tuple[EnzymeError, ...]
    remarks: tuple[Remark, ...]


def _round(code: ModuleCode, provenance: Provenance, count: Count, pools: Sequence[Pool]) -> _Finished:
    """Replaces the requests that wait for no other one. `pools`: those of the rounds before."""
    inlined_before = frozenset[str]()
    while not isinstance(started := _start(code, provenance, inlined_before), _Started):
        inlined_before |= started
        code = run(INLINED, replace(code, inline=frozenset(started)))
    return _finish(started, code.options, count, pools)


def _start(code: ModuleCode, provenance: Provenance, tried: frozenset[str]) -> _Started | set[str]:
    """Returns the round's data, or the functions that must be inlined before, for what they are passed in registers.

    `tried`: those that were to be inlined already.
    """
    opened = open_round(run(CANONICAL, code).text, code.options, provenance)
    ready, waiting = answer_order(opened.source)
    if waiting and follows_files(opened.source):
        raise EnzymeError.of("EZ0304", "numbers in files have first derivatives only")
    requests = _read_requests(opened, ready)
    roots = [request.function for request in requests if GRAMMARS[request.kind].differentiates]
    reached = reach(opened, roots, _call_primals(opened, ready))
    functions, types = reached.functions.values(), reached.types
    given = _given_words(opened, types, functions) | functions_given_bits(opened.callees, functions)
    if given <= tried:  # before all mixed words are looked for, which takes long, and after it
        prepared = prepare(opened, reached)
        types = prepared.types
        given = _given_words(opened, types, functions)
        if given <= tried:
            return _Started(prepared, requests, waiting)
    types.forget()
    return given


def _given_words(opened: OpenedRound, types: TypeAnalysis, functions: Iterable[Function]) -> set[str]:
    """Returns the functions that are given unions in registers; none if a large program has many of them.

    Inlined, they would make others large, which are then found in turn, as in an interpreter. As calls, what they are
    given is refused where it matters.
    """
    given = functions_given_unions(opened.callees, types, functions)
    if len(given) <= _MANY_GIVEN:
        return given
    count = sum(len(block.instructions) for function in functions for block in function.blocks)
    return given if count <= _MANY_INSTRUCTIONS else set()


def _finish(started: _Started, options: Options, count: Count, pools: Sequence[Pool]) -> _Finished:
    prepared, waiting = started.prepared, started.waiting
    with_globals = frozenset(name for name, variables in prepared.globals_of.items() if variables)
    mistakes = Mistakes(prepared.output, prepared.source, with_globals).of(filter(_derives, started.requests))
    modules = prepared.source, prepared.output, prepared.dead_write_analysis
    requests = [with_needed(r, *modules) if _derives(r) else r for r in started.requests]
    explored, has_work_space = explore(prepared, _signatures(requests)), False
    while (passed := _with_work_space(explored, requests, is_last=not waiting)) is not None:
        requests, has_work_space = passed, True
        explored = explore(prepared, _signatures(requests), explored.state)
    has_work_space |= explored.state.set_up_is_work_space
    roots = [request.function for request in requests if _derives(request)]
    pointers = foreign_pointers(explored, roots, pools)
    pointers = replace(pointers, keys=kept_keys(explored), has_work_space=has_work_space)
    flags = {flag for request in requests for flag in request.flags}
    constant = explored.state.constant_pointer_stored or pointers.is_met
    options = replace(
        options,
        runtime_activity=constant or Marker.RUNTIME_ACTIVITY in flags,
        shadows_compared=Marker.RUNTIME_ACTIVITY in flags,
        strong_zero=Marker.STRONG_ZERO in flags,
        differentiated_again=bool(waiting),
        reversed_again=any(kind is not RequestKind.FWDDIFF for kind in waiting),
        tapes_used_again=Marker.NOFREE in flags,
    )
    complete = explored.completed(options, pointers)
    recursion, tapes = Recursion(complete), Tapes(complete)
    code = AnsweredCode(options.verify, complete, recursion, tapes, requests, count, is_last=not waiting)
    warnings = run(ANSWERED, code).warnings
    known = (*pointers.pools, *complete.foreign_code.shadow_pools)
    return _Finished(str(complete.output), not waiting, known, mistakes, warnings, tuple(complete.remarks))


def _derives(request: Request) -> bool:
    return GRAMMARS[request.kind].differentiates


def _signatures(requests: Iterable[Request]) -> list[Signature]:
    return [request.signature for request in requests if _derives(request)]


def _with_work_space(explored: ExploredRound, requests: list[Request], is_last: bool) -> list[Request] | None:
    """Returns the requests in which arguments that are work space have themselves as shadows; None if there are none.

    If there are any, explore again.
    """
    deriving = [request for request in requests if _derives(request)]
    passed = PassedMemory(explored.output, deriving)
    found = work_space(explored, [request.signature for request in deriving], is_last, passed.may_be_same)
    wanted = {(root.function, root.arguments): arguments for root, arguments in found.items()}

    def passed_by(request: Request) -> Request:
        chosen = wanted.get((request.function, request.signature.arguments), ())
        pairs = enumerate(request.arguments)
        return replace(request, arguments=tuple(a.as_work_space(request.width) if k in chosen else a for k, a in pairs))

    return [passed_by(request) for request in requests] if found else None


def _call_primals(opened: OpenedRound, ready: list[int]) -> list[Function]:
    """Inserts two plain calls of the primal before each request in `source`, and returns the calling functions.

    One call passes the request's arguments, the other the shadows. They show analyses which memory reaches the primal;
    `source` is never printed.
    """
    callers: dict[Function, None] = {}
    found = find_requests(opened.source)
    for request_call in [found[k] for k in ready]:
        if not GRAMMARS[request_call.kind].differentiates:
            continue
        request = read_request(opened.source, request_call, opened.registered.custom, opened.provenance)
        callers[request_call.caller] = None
        for shadows in (False, True):
            _call_primal(opened, request, shadows)
    return list(callers)


def _call_primal(opened: OpenedRound, request: Request, shadows: bool) -> None:
    primal = opened.source.functions[request.function]
    arguments: list[Value] = []
    for actual, formal in zip(request.arguments, primal.arguments, strict=True):
        value = actual.shadows[0] if shadows and actual.shadows else actual.primal
        arguments.append(value if value.type == formal.type else ConstantWord(formal.type, "poison"))
    info = CallInfo(primal.type, ("",) * len(arguments))
    call = Instruction("call", primal.type.result, [*arguments, primal.ref], info)
    Builder.before(request.call).insert(call)


def _read_requests(opened: OpenedRound, ready: list[int]) -> list[Request]:
    requests: list[Request] = []
    problems: list[Diagnostic] = []
    found = find_requests(opened.output)
    for request_call in [found[k] for k in ready]:
        try:
            requests.append(read_request(opened.output, request_call, opened.registered.custom, opened.provenance))
        except EnzymeError as error:
            problems.extend(error.diagnostics)
    if problems:
        raise EnzymeError(problems)
    return requests


__all__ = ["DerivedModule", "differentiate"]
