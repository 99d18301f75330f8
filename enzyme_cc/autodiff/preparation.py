"""Prepares a round: opens the module, brings all functions that requests reach into their forms, and finds types."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from ..analysis.activity.carriers import Carriers
from ..analysis.activity.word_uses import WordUses
from ..analysis.callees import Callees, plain_name
from ..analysis.memory.dead_writes import DeadWriteAnalysis
from ..analysis.pointed_functions import PointedFunctions
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
from ..rules.inactive import INACTIVE_GLOBALS
from ..rules.knowledge import SET_UP, TEAR_DOWN
from ..rules.parallel.mpi import is_handle
from ..rules.runtime_functions import FUNCTION_NUMBER
from .core.alias_scopes import AliasScopes
from .core.options import Options
from .core.pass_table import run
from .core.provenance import Provenance
from .core.registrations import Registrations, read_registrations
from .core.round import OpenedRound, PreparedRound
from .emit.shadow_access.mixed_memory import MixedFunctions
from .function_passes import NORMALISED, FunctionCode
from .globals.shadows import with_shadow
from .normalise.indirect_calls import Dispatchers
from .normalise.variadic import Variadics
from .passes import (
    DEMOTED,
    MOVED_PARTS,
    OPENED,
    REACHED,
    TYPED,
    FunctionsCode,
    RoundCode,
    TypedCode,
)

#: more rounds in which words move to memory have no end
_MANY_DEMOTIONS = 100


class NewRound(OpenedRound, frozen=True, eq=False):
    """The first stage, with data for the second.

    These are candidates of indirect calls, and variadic functions.
    """

    targets: Dispatchers
    variadics: Variadics


def open_round(text: str, options: Options, provenance: Provenance) -> NewRound:
    """Returns the first stage of a round for a module in text form."""
    opened = run(OPENED, RoundCode(options.verify, text, Module.parse(text), Module.parse(text)))
    source, output = opened.source, opened.output
    set_up = dict.fromkeys(options.set_up, SET_UP) | dict.fromkeys(options.tear_down, TEAR_DOWN)
    registered = read_registrations(source) | Registrations(known=set_up)
    inactive = {global_name(name) for name in INACTIVE_GLOBALS.split()} | registered.globals
    inactive |= {name for name in source.globals if is_handle(plain_name(name))}
    declared = frozenset(with_shadow(source, registered, options.round_number))
    native = options.native_functions - options.set_up - options.tear_down
    callees = Callees(source, registered.functions(native))
    targets = Dispatchers(text, source, callees.is_unknown)
    return NewRound(
        source=source,
        output=output,
        options=options,
        provenance=provenance,
        registered=registered,
        declared=declared,
        inactive_globals=frozenset(inactive),
        callees=callees,
        dead_write_analysis=DeadWriteAnalysis(source, callees),
        scopes=AliasScopes(output, options.round_number),
        call_sites=targets.call_sites,
        targets=targets,
        variadics=Variadics(text, source),
    )


class ReachedCode(Struct, frozen=True, eq=False):
    """All functions that the requests reach, normalised, by name; `callers` call the requested ones. Types of all.

    - `entered`: the names of those that other code calls.
    - `conditional`: functions that make calls under a condition, taken out of these.
    - `pointed`: what calls through pointers may reach.
    - `tables`: the constant globals that point at mutable ones, and these.
    """

    entered: set[str]
    functions: dict[str, Function]
    callers: list[Function]
    conditional: Sequence[Function]
    pointed: PointedFunctions
    tables: Mapping[str, frozenset[str]]
    types: TypeAnalysis

    def all_functions(self) -> list[Function]:
        """Returns the functions and those that call the requested ones, each once."""
        return list(dict.fromkeys([*self.functions.values(), *self.callers]))

    def typed_again(self, module: Module) -> ReachedCode:
        """Returns the code with types of rewritten functions. What was known before is forgotten: it may be large."""
        self.types.forget()
        outside = self.entered - self.functions.keys()
        return replace(self, types=TypeAnalysis(module, self.all_functions(), self.entered, outside, self.pointed))


def reach(opened: NewRound, roots: Iterable[str], callers: list[Function]) -> ReachedCode:
    """Parses, normalises and types all functions that the roots reach. `callers`: functions that call the roots."""
    roots, verify = list(roots), opened.options.verify
    bodies, conditional = _reach(opened, roots)
    functions = list(dict.fromkeys([*bodies.values(), *callers]))
    tbaa, set_up = Tbaa(opened.source), opened.options.set_up
    run(REACHED, FunctionsCode(verify, opened.source, list(bodies.values()), functions, tbaa, set_up))
    tables = constant_tables(opened.source, functions)
    entered = {*roots, *(caller.name for caller in callers)}
    types = TypeAnalysis(opened.source, functions, entered, entered - bodies.keys(), opened.targets.pointed)
    code = ReachedCode(entered, bodies, callers, conditional, opened.targets.pointed, tables, types)
    is_changed = run(TYPED, TypedCode(verify, functions, code.types)).is_changed
    return code.typed_again(opened.source) if is_changed else code


def _reach(opened: NewRound, roots: Sequence[str]) -> tuple[dict[str, Function], list[Function]]:
    """Normalises each function that the roots reach. Returns them by name, and what was taken out of them."""
    bodies, conditional = dict[str, Function](), list[Function]()

    def referenced(name: str) -> list[str]:
        return functions_referenced(opened.source, bodies[name]) if name in bodies else []

    for name in reachable(roots, referenced):
        if opened.callees.has_body(name) and name not in opened.registered.inactive:
            bodies[name] = opened.source.body(name)
            conditional += _normalise(opened, bodies[name], name in roots)
    return bodies, conditional


def _normalise(opened: NewRound, function: Function, is_root: bool) -> list[Function]:
    """Brings a parsed body into the form that differentiation assumes. Returns what was taken out of it."""
    source, tbaa = opened.source, Tbaa(opened.source)
    options = opened.options
    given = (opened.targets, opened.variadics, tbaa, opened.callees, is_root, options.alone)
    code = FunctionCode(options.verify, source, function, *given)
    return run(NORMALISED, code).conditional


def without_mixed_words(opened: NewRound, code: ReachedCode, functions: list[Function]) -> ReachedCode:
    """Moves mixed words to memory until there are none. A word that came back each time would do so for ever.

    Parts that move by bytes tell nothing of other words: the first words are looked for with the same types.
    """
    verify = opened.options.verify
    parts = run(MOVED_PARTS, TypedCode(verify, functions, code.types)).rewritten
    for _ in range(_MANY_DEMOTIONS):
        changed = run(DEMOTED, TypedCode(verify, functions, code.types)).rewritten
        if not changed and not parts:
            return code
        code, parts = code.typed_again(opened.source), []
    names = ", ".join(plain_name(function.name) for function in changed)
    raise RuntimeError(f"in {names}, words move to memory again and again")


def prepare(opened: NewRound, code: ReachedCode) -> PreparedRound:
    """Returns the second stage of a round: the functions with all mixed words in memory, and their analyses."""
    globals_of = mutable_globals_reached(opened.source, list(code.functions))
    dispatchers = [f.name for f in opened.targets.made()] if opened.options.left_out else []
    left_out = [*dispatchers, *filter(opened.callees.is_native, opened.source.functions)]
    open_functions = functions_that_reach(opened.source, list(code.functions), left_out) if left_out else frozenset()
    functions = code.all_functions()
    code = without_mixed_words(opened, code, functions)
    carriers = Carriers(code.types, WordUses(opened.callees))
    mixed = MixedFunctions(carriers, opened.callees, functions)
    for function in (*opened.targets.made(), *opened.variadics.made(), *code.conditional):
        opened.output.add_function(function)
    table = opened.targets.table()
    if table is not None:
        opened.output.add_global(table)
        FUNCTION_NUMBER.declare(opened.output)
    return opened.prepared(code.types, carriers, globals_of, code.tables, open_functions, mixed)
