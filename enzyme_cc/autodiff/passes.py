"""The tables of passes of differentiation, in the order in which they run. docs/passes.md is written from them.

    differentiate.py: BEFORE_ROUNDS, then for each round
        VARIANTS, CANONICAL, OPENED, NORMALISED for each function, REACHED, TYPED, MOVED_PARTS, DEMOTED, ANSWERED
    and AFTER_ROUNDS. Before another round, INLINED or AGAIN

link/merged_module/link_passes.py has the tables before and after these, preoptimisation.py those of LLVM's first work.
"""

from __future__ import annotations

from msgspec import field

from ..analysis.type_analysis.analysis import TypeAnalysis
from ..analysis.type_analysis.declared.tbaa import Tbaa
from ..ir.module import Module
from ..ir.values import Function
from ..ir.verify import verify_function, verify_module
from ..report.diagnostics import EnzymeError
from .analyses.recursion import Recursion
from .answer.allocation_scopes import with_allocation_scopes
from .answer.dense_memory import resolve_dense_memory
from .answer.equal_functions import with_equal_functions_once
from .answer.held_tapes import Tapes
from .answer.replace import replace_requests
from .checkpoints import make_checkpointed
from .core.options import Options
from .core.pass_table import Code, Invariant, Pass, TextCode
from .core.round import Round
from .engine import Count, make_all
from .globals.kept_results import ask_about_keys
from .globals.named_memory import forget_names
from .normalise.bits.declared_words import forget_declared_words
from .normalise.bits.mixed_lanes import split_mixed_lanes
from .normalise.bits.moved_parts import move_parts_by_copies
from .normalise.bits.number_bits import follow_loaded_bits
from .normalise.demote import demote_mixed_words
from .normalise.set_up_memory import set_up_outside
from .normalise.threads.captured_pointers import pass_captured_pointers
from .normalise.threads.captured_updates import order_captured_updates
from .normalise.vectors.vector_lanes import follow_loaded_lanes
from .normalise.versions import resolve_versions
from .optimise.force_inlining import inlined
from .optimise.preoptimise import canonical, with_null_kept
from .preoptimisation import PREOPTIMISED, OptimisedCode
from .requests.markings import drop_markings
from .requests.request import Request
from .requests.virtual_tables import shadow_tables
from .variants import make_variants
from .variants.inactive_pointers import with_inactive_pointers
from .variants.truncation import truncate_all

# -- the module


class ModuleCode(OptimisedCode, frozen=True):
    """The optimised module, before, between and after the rounds. `inline`: functions to inline before a round."""

    options: Options = field(default_factory=Options)
    inline: frozenset[str] = frozenset()

    @property
    def truncates(self) -> bool:
        return bool(self.options.truncation)

    @property
    def has_dense_memory(self) -> bool:
        return self.options.separate_additions


BEFORE_ROUNDS = (
    Pass(
        truncate_all,
        "text options",
        "text",
        why="before all others: all functions compute in the format, also iterations of checkpointed steps",
        requires=(Invariant.OPTIMISED,),
        when="truncates",
    ),
    Pass(
        make_checkpointed,
        "text verify",
        "text",
        why="before the first round: loops of steps become functions with registered gradients, which rounds read",
        requires=(Invariant.OPTIMISED, Invariant.NO_EXCEPTIONS),
        establishes=(Invariant.CHECKPOINTED,),
        llvm="loop-simplify lcssa",
    ),
    Pass(
        with_inactive_pointers,
        "text verify",
        "text",
        why="before the first round, and after steps became functions: calls of inactive functions stand in these, too",
        requires=(Invariant.OPTIMISED, Invariant.CHECKPOINTED),
        establishes=(Invariant.STORED_AGAIN,),
    ),
)

VARIANTS = (
    Pass(
        make_variants,
        "text options",
        "text",
        why="before each round: variants are ordinary functions, which requests may differentiate",
        requires=(Invariant.OPTIMISED, Invariant.CHECKPOINTED),
        establishes=(Invariant.VARIANTS,),
    ),
)

#: before another round
AGAIN = (
    Pass(
        with_null_kept,
        "text",
        "text",
        why="derivatives load through pointers that LLVM may prove to be null where they are not used",
        requires=(Invariant.DERIVED,),
        establishes=(Invariant.NULL_KEPT,),
        ends=(Invariant.CANONICAL_LOOPS,),
    ),
    *PREOPTIMISED,
)

#: before a round that found functions which must be inlined
INLINED = (
    Pass(
        inlined,
        "text inline",
        "text",
        why="unions and bits pass between these functions in registers; inside of one function, they are followed",
        requires=(Invariant.OPTIMISED,),
        establishes=(Invariant.NULL_KEPT,),
        ends=(Invariant.CANONICAL_LOOPS,),
        llvm="always-inline",
    ),
    *PREOPTIMISED,
)

AFTER_ROUNDS = (
    Pass(
        with_equal_functions_once,
        "text",
        "text",
        why="once all derivatives are made, and before LLVM optimises each of them",
        requires=(Invariant.DERIVED,),
    ),
    Pass(
        with_allocation_scopes,
        "text",
        "text",
        why="after equal functions are one: the scopes of two functions differ",
        requires=(Invariant.DERIVED,),
    ),
    Pass(
        resolve_dense_memory,
        "text",
        "text",
        why="the last: all derivatives must be there, as the functions that use such memory are inlined",
        requires=(Invariant.DERIVED,),
        when="has_dense_memory",
        llvm="always-inline sroa simplifycfg instcombine",
    ),
)


# -- a round


class RoundCode(TextCode, frozen=True):
    """The module of a round: `source`, which is differentiated, and `output`, which becomes the result."""

    source: Module
    output: Module


CANONICAL = (
    Pass(
        pass_captured_pointers,
        "text",
        "text",
        why="on text, before the round's two modules are parsed: in both, forks and regions have the same operands",
        requires=(Invariant.OPTIMISED,),
        llvm="sroa",
    ),
    Pass(
        canonical,
        "text",
        "text",
        why="on text, before the round's two modules are parsed: both have the same loops",
        requires=(Invariant.OPTIMISED, Invariant.SPECIALISED, Invariant.VARIANTS),
        establishes=(Invariant.CANONICAL_LOOPS,),
        llvm="loop-simplify lcssa",
    ),
)

OPENED = (
    Pass(
        resolve_versions,
        "text source output",
        why="before anything asks what a call calls",
        establishes=(Invariant.ONE_VERSION,),
    ),
    Pass(
        shadow_tables,
        "source",
        why="before requests are read: this one asks for no derivative",
        establishes=(Invariant.VIRTUAL_SHADOWS,),
    ),
    Pass(
        shadow_tables,
        "output",
        why="in both modules, so that requests have the same numbers",
        establishes=(Invariant.VIRTUAL_SHADOWS,),
    ),
)


class FunctionsCode(Code, frozen=True):
    """All functions that requests reach, without types. `bodies` are those without the callers of requests."""

    source: Module
    bodies: list[Function]
    functions: list[Function]
    tbaa: Tbaa
    set_up: frozenset[str]

    def check(self, row: Pass, before: Code) -> None:
        """See `Code`."""
        for function in self.functions:
            verify_function(function, row.name)


REACHED = (
    Pass(
        set_up_outside,
        "source bodies set_up",
        why="on all functions at once: addresses pass through parameters",
        requires=(Invariant.DIRECT_CALLS,),
        establishes=(Invariant.SET_UP_MEMORY,),
        when="set_up",
    ),
    Pass(
        order_captured_updates,
        "source functions",
        why="on all functions at once: what a region reaches is known then",
        requires=(Invariant.DIRECT_CALLS, Invariant.REGIONS),
    ),
    Pass(
        ask_about_keys,
        "source bodies",
        why="before types are known: a question makes its comparison one of numbers, not of bits",
        requires=(Invariant.DIRECT_CALLS, Invariant.BRANCHES),
        establishes=(Invariant.ASKED_KEYS,),
    ),
    Pass(
        forget_declared_words,
        "tbaa functions",
        why="the last before types are known, which rest on declarations",
        requires=(Invariant.FOLLOWED_BITS,),
        establishes=(Invariant.DECLARED,),
    ),
)


class TypedCode(Code, frozen=True):
    """The same functions with their types. Those that are `rewritten` have to be typed again."""

    functions: list[Function]
    types: TypeAnalysis
    has_bits: bool = False
    has_lanes: bool = False
    is_split: bool = False
    rewritten: list[Function] = field(default_factory=list)

    @property
    def is_changed(self) -> bool:
        return self.has_bits or self.has_lanes or self.is_split or bool(self.rewritten)

    def check(self, row: Pass, before: Code) -> None:
        """See `Code`."""
        for function in self.functions if getattr(self, row.gives) else ():
            verify_function(function, row.name)


#: all see the types of the functions as they were
TYPED = (
    Pass(
        follow_loaded_bits,
        "functions types",
        "has_bits",
        why="as follow_bits, once types are known",
        requires=(Invariant.DECLARED, Invariant.ASKED_KEYS, Invariant.SET_UP_MEMORY),
    ),
    Pass(
        follow_loaded_lanes,
        "functions types",
        "has_lanes",
        why="as follow_lanes, once types are known",
        requires=(Invariant.DECLARED, Invariant.ASKED_KEYS, Invariant.SET_UP_MEMORY),
    ),
    Pass(
        split_mixed_lanes,
        "functions types",
        "is_split",
        why="after lanes are followed: what is left moves pointers beside numbers, and becomes words",
        requires=(Invariant.DECLARED, Invariant.ASKED_KEYS, Invariant.SET_UP_MEMORY),
        establishes=(Invariant.TYPED_FORMS,),
    ),
)

MOVED_PARTS = (
    Pass(
        move_parts_by_copies,
        "functions types",
        "rewritten",
        why="before words are demoted: what moves by bytes needs no slot",
        requires=(Invariant.TYPED_FORMS,),
    ),
)

#: until it finds nothing: a word in memory may show that another one is mixed
DEMOTED = (
    Pass(
        demote_mixed_words,
        "functions types",
        "rewritten",
        why="the last before activity: a register has an adjoint or a shadow, memory can have both",
        requires=(Invariant.TYPED_FORMS,),
        establishes=(Invariant.NO_MIXED_WORDS,),
    ),
)


class AnsweredCode(Code, frozen=True):
    """A complete round and its requests. `is_last`: no request waits for another round."""

    round: Round
    recursion: Recursion
    tapes: Tapes
    requests: list[Request]
    count: Count
    is_last: bool
    warnings: tuple[EnzymeError, ...] = ()

    @property
    def output(self) -> Module:
        return self.round.output

    def check(self, row: Pass, before: Code) -> None:
        """See `Code`. Derivatives and the sizes of tapes are used before they are defined."""
        if row.function not in (replace_requests, make_all):
            verify_module(self.output, row.name)


#: what differentiation relies on
_FORM = (
    Invariant.COPIED_ARGUMENTS,
    Invariant.NO_INVOKES,
    Invariant.FIXED_ARGUMENTS,
    Invariant.LIBRARY_FORMS,
    Invariant.DEFINED,
    Invariant.DIRECT_CALLS,
    Invariant.FOLLOWED_BITS,
    Invariant.REDUCIBLE,
    Invariant.BRANCHES,
    Invariant.NO_MIXED_WORDS,
)

ANSWERED = (
    Pass(
        replace_requests,
        "round recursion tapes requests",
        why="first: it says which derivatives are needed",
        requires=(Invariant.NO_MIXED_WORDS, Invariant.VIRTUAL_SHADOWS, Invariant.REDUCIBLE),
        establishes=(Invariant.ANSWERED,),
        ends=(Invariant.VARIANTS,),
    ),
    Pass(
        make_all,
        "round recursion count",
        "warnings",
        why="these, and those that they need in turn",
        requires=(Invariant.ANSWERED, Invariant.CHECKPOINTED, Invariant.STORED_AGAIN, *_FORM),
        establishes=(Invariant.DERIVED,),
    ),
    Pass(Tapes.finish, "tapes", why="once the sizes of tapes are known", requires=(Invariant.DERIVED,)),
    Pass(
        forget_names,
        "round",
        why="once it is known whether any derivative looks names of memory up",
        requires=(Invariant.DERIVED,),
    ),
    Pass(
        drop_markings,
        "output",
        why="in the last round only: derivatives of derivatives read them, too",
        requires=(Invariant.DERIVED,),
        when="is_last",
    ),
)
