"""Drives one round: prepares the functions, finds the active globals, and has each derivative built."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from ..analysis.activity.activity import GlobalState
from ..analysis.activity.carriers import Carriers
from ..analysis.activity.word_uses import WordUses
from ..analysis.callees import CalleeKind, Callees, plain_name
from ..analysis.memory.dead_writes import DeadWriteAnalysis
from ..analysis.references import (
    constant_tables,
    functions_referenced,
    functions_that_reach,
    mutable_globals_reached,
)
from ..analysis.type_analysis.analysis import TypeAnalysis
from ..analysis.type_analysis.declared.tbaa import Tbaa
from ..ir.graphs import reachable
from ..ir.module import Module, global_name
from ..ir.values import Function
from ..ir.verify import verify_function
from ..report.diagnostics import Diagnostic, EnzymeError
from ..rules.inactive import INACTIVE_GLOBALS
from ..rules.knowledge import SET_UP, TEAR_DOWN
from ..rules.runtime_functions import FUNCTION_NUMBER
from .analyses.active_function import ActiveFunction
from .analyses.function_analyses import FunctionAnalyses
from .analyses.own_shadows import ActiveCall, own_shadows
from .analyses.recursion import Recursion
from .analyses.settled import settle
from .core.alias_scopes import AliasScopes
from .core.options import Options
from .core.provenance import Provenance
from .core.registrations import Registrations, read_registrations
from .core.round import OpenedRound, PreparedRound, Round
from .core.signature import Form, Signature
from .custom.custom_derivatives import build_custom, has_custom
from .emit.shadow_access.mixed_memory import MixedFunctions
from .globals.kept_results import ask_about_keys
from .globals.shadows import with_shadow
from .normalise.bits.declared_words import forget_declared_words
from .normalise.bits.mixed_lanes import split_mixed_lanes
from .normalise.bits.moved_parts import move_parts_by_copies
from .normalise.bits.number_bits import follow_loaded_bits
from .normalise.demote import demote_mixed_words
from .normalise.indirect_calls import AddressTaken, is_dispatcher
from .normalise.normalise import normalise
from .normalise.set_up_memory import set_up_outside
from .normalise.variadic import Variadics
from .normalise.vectors.vector_lanes import follow_loaded_lanes
from .normalise.versions import resolve_versions
from .requests.conditional_calls import separate_conditional_calls
from .requests.virtual_tables import shadow_tables
from .reverse.build import build_combined, build_failing, build_split
from .tangent.dependence import build_dependence
from .tangent.tangent_sweep import build_tangent

#: is told the number of derivatives that are made, and of those known so far
Count = Callable[[int, int], None]
#: more rounds in which words move to memory have no end
_MANY_DEMOTIONS = 100
#: the builder of each form, and the forms that it builds together
_BUILDERS: dict[Form, tuple[Callable[[Round, FunctionAnalyses], None], tuple[Form, ...]]] = {
    Form.COMBINED: (build_combined, (Form.COMBINED,)),
    Form.AUGMENTED: (build_split, (Form.AUGMENTED, Form.REVERSE)),
    Form.REVERSE: (build_split, (Form.AUGMENTED, Form.REVERSE)),
    Form.TANGENT: (build_tangent, (Form.TANGENT,)),
    Form.DEPENDENCE: (build_dependence, (Form.DEPENDENCE,)),
}


# -- preparation


@dataclass(frozen=True, eq=False)
class NewRound(OpenedRound):
    """The first stage, with data for the second.

    These are candidates of indirect calls, variadic functions, and functions that make calls under a condition.
    """

    targets: AddressTaken
    variadics: Variadics
    conditional: list[Function] = field(default_factory=list)


def open_round(text: str, options: Options, provenance: Provenance) -> NewRound:
    """Returns the first stage of a round for a module in text form."""
    source, output = Module.parse(text), Module.parse(text)
    resolve_versions(text, source, output)
    shadow_tables(source)
    shadow_tables(output)
    registered = read_registrations(source)
    inactive = {global_name(name) for name in INACTIVE_GLOBALS.split()} | registered.globals
    declared = frozenset(with_shadow(source, registered, options.round_number))
    registered.known.update(dict.fromkeys(options.set_up, SET_UP))
    registered.known.update(dict.fromkeys(options.tear_down, TEAR_DOWN))
    callees = _callees(source, registered, options.native - options.set_up - options.tear_down)
    targets = AddressTaken(text, source, callees.is_unknown)
    return NewRound(
        source,
        output,
        options,
        provenance,
        registered,
        declared,
        callees,
        GlobalState(set(declared - inactive), inactive),
        DeadWriteAnalysis(source, callees),
        AliasScopes(output, options.round_number),
        targets.call_sites,
        targets,
        Variadics(text, source),
    )


def _callees(source: Module, registered: Registrations, native: frozenset[str]) -> Callees:
    return Callees(
        source,
        frozenset(registered.inactive),
        registered.custom,
        registered.like,
        registered.known,
        registered.results,
        frozenset(registered.preserving),
        native,
        frozenset(registered.handles),
    )


@dataclass(eq=False)
class ReachedCode:
    """All functions that the requests reach, normalised, by name; `callers` call the requested ones. Types of all."""

    entered: set[str]
    functions: dict[str, Function]
    callers: list[Function]
    types: TypeAnalysis

    def all_functions(self) -> list[Function]:
        """Returns the functions and those that call the requested ones, each once."""
        return list(dict.fromkeys([*self.functions.values(), *self.callers]))

    def type_again(self, module: Module) -> None:
        """Analyses the types of rewritten functions. What was known before is forgotten first: it may be large."""
        self.types.forget()
        self.types = TypeAnalysis(module, self.all_functions(), self.entered, self.entered - self.functions.keys())


def reach(opened: NewRound, roots: Iterable[str], callers: list[Function]) -> ReachedCode:
    """Parses, normalises and types all functions that the roots reach. `callers`: functions that call the roots."""
    roots = list(roots)
    bodies = {name: opened.source.body(name) for name in _reach(opened, roots)}
    set_up_outside(opened.source, bodies.values(), opened.options.set_up)
    ask_about_keys(opened.source, bodies.values())
    functions = dict.fromkeys([*bodies.values(), *callers])
    opened.state.tables.update(constant_tables(opened.source, functions))
    entered = {*roots, *(caller.name for caller in callers)}
    forget_declared_words(Tbaa(opened.source), functions)
    outside = entered - bodies.keys()
    code = ReachedCode(entered, bodies, callers, TypeAnalysis(opened.source, functions, entered, outside))
    steps = follow_loaded_bits, follow_loaded_lanes, split_mixed_lanes
    changed = [step(functions, code.types) for step in steps]
    if any(changed):
        code.type_again(opened.source)
    return code


def without_mixed_words(opened: NewRound, code: ReachedCode, functions: list[Function]) -> None:
    """Moves mixed words to memory until there are none. A word that came back each time would do so for ever."""
    if move_parts_by_copies(functions, code.types):
        code.type_again(opened.source)
    for _ in range(_MANY_DEMOTIONS):
        changed = demote_mixed_words(functions, code.types)
        if not changed:
            return
        code.type_again(opened.source)
    names = ", ".join(plain_name(function.name) for function in changed)
    raise RuntimeError(f"in {names}, words move to memory again and again")


def prepare(opened: NewRound, code: ReachedCode) -> PreparedRound:
    """Returns the second stage of a round: the functions with all mixed words in memory, and their analyses."""
    globals_of = mutable_globals_reached(opened.source, list(code.functions))
    dispatchers = [f.name for f in opened.targets.made()] if opened.options.left_out else []
    left_out = [*dispatchers, *filter(opened.callees.is_native, opened.source.functions)]
    open_functions = functions_that_reach(opened.source, list(code.functions), left_out) if left_out else frozenset()
    functions = code.all_functions()
    without_mixed_words(opened, code, functions)
    if opened.options.verify:
        for function in functions:
            verify_function(function, "demote_mixed_words, follow_loaded_bits and follow_loaded_lanes")
    carriers = Carriers(code.types, WordUses(opened.callees))
    mixed = MixedFunctions(carriers, opened.callees, functions)
    for function in (*opened.targets.made(), *opened.variadics.made(), *opened.conditional):
        opened.output.add_function(function)
    table = opened.targets.table()
    if table is not None:
        opened.output.add_global(table)
        FUNCTION_NUMBER.declare(opened.output)
    return opened.prepared(code.types, carriers, globals_of, open_functions, mixed)


def _reach(opened: NewRound, roots: Sequence[str]) -> list[str]:
    """Normalises each function that the roots reach, and returns their names."""
    bodies: dict[str, Function] = {}

    def referenced(name: str) -> list[str]:
        return functions_referenced(opened.source, bodies[name]) if name in bodies else []

    for name in reachable(roots, referenced):
        if opened.callees.has_body(name) and name not in opened.registered.inactive:
            bodies[name] = opened.source.body(name)
            normalise(opened.source, bodies[name], opened.targets, opened.variadics, opened.options.verify)
            if name in roots:
                opened.conditional.extend(separate_conditional_calls(opened.callees, bodies[name]))
    return list(bodies)


def explore(prepared: PreparedRound, signatures: Iterable[Signature]) -> set[str]:
    """Finds the active globals, and returns the names of the functions that will be differentiated.

    An active global may make more code active, so the analysis is repeated until it finds no further active global.
    """
    signatures, state = list(signatures), prepared.state
    while True:
        state.activate_tables()
        before = (len(state.active_globals), state.constant_pointer_stored, state.set_up_is_work_space)
        prepared.forget_activities()
        active, calls = _active_signatures(prepared, signatures)
        if before == (len(state.active_globals), state.constant_pointer_stored, state.set_up_is_work_space):
            prepared.note_explored(active, own_shadows(signatures, calls))
            return {signature.function for signature in active}


def _active_signatures(
    prepared: PreparedRound, signatures: list[Signature]
) -> tuple[list[Signature], list[ActiveCall]]:
    """Analyses all functions that the signatures reach by active calls. Returns their signatures, and these calls."""
    calls: list[ActiveCall] = []

    def called(signature: Signature) -> list[Signature]:
        active = ActiveFunction(prepared, signature)
        kinds = (CalleeKind.DEFINED, CalleeKind.CUSTOM)
        found = [call for call in active.activity.active_calls if prepared.callees.of(call).kind in kinds]
        new = [ActiveCall(active, call, active.called(call)) for call in found]
        calls.extend(new)
        return made(callee for _, _, callee in new)

    def made(signatures: Iterable[Signature]) -> list[Signature]:
        return [signature for signature in signatures if _has_made_derivatives(prepared, signature.function)]

    return list(reachable(made(signatures), called)), calls


def _has_made_derivatives(prepared: PreparedRound, name: str) -> bool:
    """True if the function has a body, and the program registers no derivative of it for some mode."""
    registered = prepared.registered
    return prepared.callees.has_body(name) and not (name in registered.gradients and name in registered.derivatives)


# -- derivatives


def make_all(round: Round, recursion: Recursion, count: Count) -> None:
    """Makes all derivatives in the registry, and those that they need in turn.

    If a function is only reached through function pointers or calls under conditions, and cannot be differentiated, its
    derivative ends the program at run time, and `warnings` of the options get the error of the latter. `count` is told
    of each derivative. Raises EnzymeError with the problems of all other functions together.
    """
    settle(round, recursion)
    problems: list[Diagnostic] = []
    maker = _Maker(round, recursion)
    for done, (signature, form) in enumerate(round.derivatives.pending()):
        count(done, round.derivatives.known)
        try:
            with round.derivatives.chains.making(signature):
                maker.make(signature, form)
        except EnzymeError as error:
            problems += error.diagnostics
    if problems:
        raise EnzymeError(problems)
    round.options.warnings.extend(round.derivatives.failures())


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
