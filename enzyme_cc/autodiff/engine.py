"""Finds the active globals of a round, and has each derivative built."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec.structs import replace

from ..analysis.activity.activity import GlobalState
from ..analysis.callees import plain_name
from ..ir.graphs import reachable
from ..report.diagnostics import Diagnostic, EnzymeError, NotOnTeams
from ..rules.knowledge import CalleeKind
from .analyses.active_function import ActiveFunction
from .analyses.function_analyses import FunctionAnalyses
from .analyses.recursion import Recursion
from .analyses.settled import settle
from .analyses.shared_windows import check_order, refusal_of_addition
from .analyses.sure_shadows import ActiveCall, sure_shadows
from .core.round import ExploredRound, PreparedRound, Round
from .core.signature import Form, Signature
from .custom.custom_derivatives import build_custom, has_custom
from .normalise.indirect_calls import is_dispatcher
from .reverse.build import build_combined, build_failing, build_split
from .tangent.dependence import build_dependence
from .tangent.tangent_sweep import build_tangent

#: is told the number of derivatives that are made, and of those known so far
Count = Callable[[int, int], None]
#: the builder of each form, and the forms that it builds together
_BUILDERS: dict[Form, tuple[Callable[[Round, FunctionAnalyses], None], tuple[Form, ...]]] = {
    Form.COMBINED: (build_combined, (Form.COMBINED,)),
    Form.AUGMENTED: (build_split, (Form.AUGMENTED, Form.REVERSE)),
    Form.REVERSE: (build_split, (Form.AUGMENTED, Form.REVERSE)),
    Form.TANGENT: (build_tangent, (Form.TANGENT,)),
    Form.DEPENDENCE: (build_dependence, (Form.DEPENDENCE,)),
}


def explore(
    prepared: PreparedRound, signatures: Iterable[Signature], known: GlobalState | None = None
) -> ExploredRound:
    """Finds the active globals, and the functions that will be differentiated. `known`: what is known of the program.

    An active global may make more code active, so the analysis is repeated until it finds no further active global.
    """
    signatures, found = list(signatures), known or prepared.first_state
    while True:
        explored = prepared.explored(state := found.with_tables())
        active, calls = _active_signatures(explored, signatures)
        if state == (found := explored.found()):
            by_function: dict[str, list[Signature]] = {}
            for signature in active:
                by_function.setdefault(signature.function, []).append(signature)
            return replace(explored, signatures=by_function, sure_shadows=sure_shadows(signatures, calls))


def _active_signatures(
    explored: ExploredRound, signatures: list[Signature]
) -> tuple[list[Signature], list[ActiveCall]]:
    """Analyses all functions that the signatures reach by active calls. Returns their signatures, and these calls."""
    calls: list[ActiveCall] = []

    def called(signature: Signature) -> list[Signature]:
        active = ActiveFunction(explored, signature)
        kinds = (CalleeKind.DEFINED, CalleeKind.CUSTOM)
        found = [call for call in active.activity.active_calls if explored.callees.of(call).kind in kinds]
        new = [ActiveCall(active, call, active.called(call)) for call in found]
        calls.extend(new)
        return made(callee for _, _, callee in new)

    def made(signatures: Iterable[Signature]) -> list[Signature]:
        return [signature for signature in signatures if _has_made_derivatives(explored, signature.function)]

    return list(reachable(made(signatures), called)), calls


def _has_made_derivatives(explored: ExploredRound, name: str) -> bool:
    """True if the function has a body, and the program registers no derivative of it for some mode."""
    registered = explored.registered
    return explored.callees.has_body(name) and not (name in registered.gradients and name in registered.derivatives)


# -- derivatives


def make_all(round: Round, recursion: Recursion, count: Count) -> tuple[EnzymeError, ...]:
    """Makes all derivatives in the registry, and those that they need in turn. Returns what to warn of.

    If a function is only reached through function pointers or calls under conditions, and cannot be differentiated, its
    derivative ends the program at run time. Of the latter, the errors are returned. `count` is told of each derivative.
    Raises NotOnTeams with the functions that threads of a team cannot run. Raises EnzymeError with the problems of all
    other functions together.
    """
    settle(round, recursion)
    check_order(round)
    problems: list[Diagnostic] = []
    obstacles: dict[str, str] = {}
    maker = _Maker(round, recursion)
    is_final = round.shares_memory or bool(round.options.why_serial)  # no other way to run threads is left
    for done, (signature, form) in enumerate(round.derivatives.pending()):
        count(done, round.derivatives.known)
        try:
            with round.derivatives.chains.making(signature):
                maker.make(signature, form)
        except EnzymeError as error:
            problems += error.diagnostics
        except NotOnTeams as obstacle:
            if is_final:
                problems += refusal_of_addition(round, signature.function, str(obstacle)).diagnostics
            obstacles.setdefault(signature.function, str(obstacle))
    if obstacles and not is_final:
        raise NotOnTeams(next(iter(obstacles.values())), obstacles)
    if problems:
        raise EnzymeError(problems)
    return tuple(round.derivatives.failures())


class _Maker:
    """Makes derivatives, and remembers which are done."""

    def __init__(self, round: Round, recursion: Recursion) -> None:
        self.round = round
        self._recursion = recursion
        self._done: set[tuple[Signature, tuple[Form, ...]]] = set()
        self._analyses: dict[tuple[Signature, bool], FunctionAnalyses] = {}

    def make(self, signature: Signature, form: Form) -> None:
        """Makes one derivative, and the forms that are built together with it."""
        round = self.round
        if has_custom(round, signature, form):
            build_custom(round, signature, form)
            return
        if not round.callees.has_body(signature.function):
            raise _no_derivative(signature.function, form)
        build, forms = _BUILDERS[form]
        if (signature, forms) not in self._done:
            self._done.add((signature, forms))
            self._build(build, forms, self._analyses_of(signature, build is build_split))

    def _build(
        self, build: Callable[[Round, FunctionAnalyses], None], forms: tuple[Form, ...], analyses: FunctionAnalyses
    ) -> None:
        round, signature, derivatives = self.round, analyses.signature, self.round.derivatives
        is_optional = is_dispatcher(analyses.function) or not derivatives.is_required(signature)
        with derivatives.optional(is_optional):
            try:
                build(round, analyses)
            except EnzymeError as error:
                if derivatives.is_required(signature):
                    raise
                derivatives.note_failure(signature, error)
                build_failing(round, analyses, forms, error)

    def _analyses_of(self, signature: Signature, split: bool) -> FunctionAnalyses:
        key = signature, split
        if key not in self._analyses:
            self._analyses[key] = FunctionAnalyses(self.round, signature, split, self._recursion)
        return self._analyses[key]


def _no_derivative(name: str, form: Form) -> EnzymeError:
    """Returns the error for a function whose registered derivative is for the other mode."""
    have, want = ("gradient", "derivative") if form is Form.TANGENT else ("derivative", "gradient")
    return EnzymeError.of(
        "EZ0302",
        f"there is no {want} of {plain_name(name)}, and no bitcode of it",
        function=plain_name(name),
        reason=f"the program registers a {have} of it (__enzyme_register_{have}_…) only",
        remedy=f"register a {want} as well (__enzyme_register_{want}_…)",
    )
