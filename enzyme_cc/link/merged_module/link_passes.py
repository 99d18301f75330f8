"""The tables of passes of a link's merged module, and all tables as the pipeline that they make (compile.py)."""

from __future__ import annotations

from collections.abc import Callable, Container

import llvmlite.binding as llvm
from msgspec import Struct, field

from enzyme_cc.autodiff import function_passes, passes
from enzyme_cc.autodiff.call_profile.noted_calls import with_named_functions, with_noted_calls, with_used_calls
from enzyme_cc.autodiff.core.pass_table import Code, Invariant, Pass
from enzyme_cc.autodiff.preoptimisation import CLEANED, PREOPTIMISED, OptimisedCode
from enzyme_cc.ir import llvm_passes
from enzyme_cc.ir.text.masked_vectors import with_masks
from enzyme_cc.ir.text.vector_roots import with_vector_roots
from enzyme_cc.link.inputs.module_text import Entity, ModuleText
from enzyme_cc.link.inputs.units import Carrier, Linked, Unit
from enzyme_cc.link.merged_module import finished, hindrances, look_ups, profile, sanitizers
from enzyme_cc.link.merged_module.borrow import Loans
from enzyme_cc.link.merged_module.follows import NOTHING, Follows
from enzyme_cc.link.merged_module.libraries.shared_libraries import with_shared_libraries
from enzyme_cc.link.merged_module.libraries.shipped_derivatives import (
    DerivativeLibrary,
    link_natives,
    with_derivatives,
    with_natives,
)
from enzyme_cc.link.merged_module.libraries.stand_ins import with_stand_ins
from enzyme_cc.link.merged_module.libraries.string_bodies import with_plain_texts, with_string_bodies
from enzyme_cc.link.merged_module.merge import Guard
from enzyme_cc.link.merged_module.plain_calls import PlainCalls, part_calls
from enzyme_cc.link.merged_module.protect_requests import close_after_requests, open_for_requests, with_pointed
from enzyme_cc.link.merged_module.threads.gathered_threads import with_gathering
from enzyme_cc.link.merged_module.threads.library_copies import with_library_copies
from enzyme_cc.link.merged_module.threads.made_threads import with_own_variables
from enzyme_cc.link.merged_module.threads.parallel_regions import ALONE, Regions, decided
from enzyme_cc.link.merged_module.threads.thread_counts import warn_of_counts
from enzyme_cc.link.merged_module.threads.undivided_work import with_undivided_work
from enzyme_cc.link.merged_module.threads.waiting_threads import check_spin_loops, how_threads_run, with_own_routines
from enzyme_cc.link.merged_module.unit_passes import UNIT_MODULE, UNIT_TEXT, UnitCode, UnitModuleCode
from enzyme_cc.link.merged_module.unreachable import drop_unreachable, restricted
from enzyme_cc.link.merged_module.used_attribute import with_labelled
from enzyme_cc.link.participants.borrowed import PointedFunction
from enzyme_cc.link.participants.linkage import with_aliases_resolved


class MergedCode(OptimisedCode, frozen=True, kw_only=True):
    """The merged module, from the merge to the object. Its text is empty before `restricted` has printed it.

    - `guard(label, size)` surrounds the reading of bitcode; modules are read into `context`.
    - `is_kept(symbol, is_hidden)`: the symbol stays visible, and is not borrowed. `loans`: what is borrowed.
    - `pointed`: functions that calls through pointers may reach; `symbols`: their names.
    - `markers`: the lines that define the program's markers, by name.
    - `type_of(entity)`: the value type of an entity. `has_rule(name)`: a rule differentiates calls of the function.
    - `follows`: what the link follows only if it must. `left`: functions with stand-ins that are called themselves.
    - `libraries`: derivatives of functions without bitcode. `mpi()`: what belongs to the program's MPI.
    - `has_serial_regions`: parallel regions run in teams of one in any case. `regions`: how they run.
    - `makes_threads`: differentiated code makes threads. `has_fibers`: they are fibers. `fibers`: whether they must be.
    - `carriers`: the shared libraries whose units take part.
    - `linkages`: those that are changed until derivatives are made. `calls`: the functions that are two until then.
    - `profiles`: the program writes a profile of its calls through pointers.
      `uses_profile`: one says what these reach.
    - `is_checked`: derivatives test their numbers.
    - `object`: the result.
    """

    module: llvm.ModuleRef
    context: llvm.ContextRef
    guard: Guard
    linked: Linked
    text_of: Callable[[Unit], ModuleText]
    is_kept: Callable[[str, bool], bool]
    loans: Loans
    pointed: list[PointedFunction]
    markers: dict[str, str]
    has_assembly: bool
    type_of: Callable[[Entity], str]
    has_rule: Callable[[str], bool]
    left: Container[str]
    libraries: list[DerivativeLibrary]
    mpi: Callable[[], bytes]
    carriers: tuple[Carrier, ...]
    is_pic: bool
    follows: Follows = NOTHING
    has_serial_regions: bool = False
    regions: Regions = ALONE
    fibers: bool | None = None
    makes_threads: bool = False
    has_fibers: bool = False
    linkages: dict[str, str] = field(default_factory=dict)
    calls: PlainCalls | None = None
    many_look_ups: bool = False
    is_huge: bool = False
    is_apart: bool = False
    is_checked: bool = False
    profiles: bool = False
    uses_profile: bool = False
    object: bytes = b""

    @property
    def has_no_assembly(self) -> bool:
        return not self.has_assembly

    @property
    def symbols(self) -> set[str]:
        return {p.symbol for p in self.pointed}

    @property
    def units(self) -> tuple[Unit, ...]:
        return self.linked.units

    @property
    def provenance(self) -> Callable[[str], str | None]:
        return self.linked.provenance

    @property
    def has_bitcode(self) -> Callable[[str], bool]:
        return self.linked.has_bitcode

    @property
    def follows_files(self) -> bool:
        return Follows.FILES in self.follows

    @property
    def follows_bytes(self) -> bool:
        return Follows.BYTES in self.follows

    @property
    def has_teams_of_one(self) -> bool:
        return not self.regions.on_teams

    @property
    def gathers(self) -> bool:
        return self.regions.gathers

    @property
    def may_spin(self) -> bool:
        """True if it is not known yet whether threads that are made wait for changes of memory."""
        return self.makes_threads and not self.has_fibers and self.fibers is None

    @property
    def may_gather(self) -> bool:
        """True if threads that are made never wait, as far as is known, and no other ones run differentiated code."""
        has_regions = self.has_serial_regions or self.regions.on_teams or self.regions.why_not
        return self.makes_threads and not self.has_fibers and self.fibers is None and not has_regions

    @property
    def has_carriers(self) -> bool:
        return bool(self.carriers)

    @property
    def is_whole(self) -> bool:
        """False if the object is made in two steps."""
        return not self.is_apart


#: before LLVM optimises the module
OPENED_MODULE = (
    Pass(
        profile.link_counters,
        "module context",
        why="before functions are dropped: each name of a counted function is recorded",
    ),
    Pass(
        drop_unreachable,
        "module symbols is_kept",
        why="on the module: all later passes are on text, and cost time in proportion to it",
        requires=(Invariant.PREVAILING,),
        when="has_no_assembly",
        llvm="globaldce",
    ),
    Pass(
        restricted,
        "module is_kept",
        "text",
        why="on text: llvmlite changes no COMDAT groups, and does not know all linkages",
        establishes=(Invariant.INTERNAL,),
    ),
    Pass(
        with_pointed,
        "text pointed",
        "text",
        why="before LLVM may drop functions that only other code calls",
        requires=(Invariant.INTERNAL,),
    ),
    Pass(
        with_aliases_resolved,
        "text",
        "text",
        why="before it is asked what requests reach",
        establishes=(Invariant.NO_ALIASES,),
    ),
    Pass(
        how_threads_run,
        "text fibers",
        "makes_threads has_fibers",
        why="before functions are parted and have stand-ins: fibers have more of them, and makers are no more then",
        requires=(Invariant.NO_ALIASES,),
    ),
    Pass(
        part_calls,
        "text loans has_fibers",
        "text calls",
        why="before stand-ins: the program's own calls keep the library and its threads",
        requires=(Invariant.INTERNAL, Invariant.NO_ALIASES),
        establishes=(Invariant.PARTED,),
    ),
    Pass(
        decided,
        "text has_serial_regions",
        "regions",
        why="before stand-ins, which differ for regions on teams and in teams of one",
        requires=(Invariant.PARTED,),
    ),
    Pass(
        with_gathering,
        "text regions",
        "regions",
        why="once it is known that no region runs on a team: threads that are made then have teams of their own",
        requires=(Invariant.PARTED,),
        when="may_gather",
    ),
    Pass(
        warn_of_counts,
        "text units text_of",
        why="before stand-ins, which say that there is one thread",
        requires=(Invariant.PARTED,),
        when="has_teams_of_one",
    ),
    Pass(
        with_plain_texts,
        "text",
        "text",
        why="before stand-ins, which are of the members of C++17",
        requires=(Invariant.PARTED,),
        when="follows_files",
    ),
    Pass(
        with_string_bodies,
        "text back_end context",
        "text",
        why="before stand-ins: these bodies call the C library",
        requires=(Invariant.PARTED,),
        when="follows_bytes",
        llvm="O2",
    ),
    Pass(
        with_undivided_work,
        "text",
        "text",
        why="with the stand-ins, which tell that there is one thread; before LLVM optimises what divides",
        requires=(Invariant.PARTED,),
    ),
    Pass(
        with_stand_ins,
        "text type_of context guard left regions has_fibers",
        "text",
        why="before derivatives of binaries: stand-ins call such functions",
        requires=(Invariant.PARTED,),
        establishes=(Invariant.BODIES,),
    ),
    Pass(
        with_own_variables,
        "text",
        "text",
        why="after stand-ins, which run the functions of threads",
        requires=(Invariant.BODIES,),
    ),
    Pass(
        with_derivatives,
        "text libraries type_of provenance has_bitcode context guard",
        "text",
        why="before requests are protected: it registers derivatives",
        requires=(Invariant.BODIES,),
        establishes=(Invariant.ROUTINES,),
    ),
    Pass(
        with_noted_calls,
        "text",
        "text",
        why="after stand-ins, which call what they are given; before LLVM, which may know what a pointer leads to",
        requires=(Invariant.BODIES,),
        when="profiles",
    ),
    Pass(
        open_for_requests,
        "text type_of has_rule",
        "text linkages",
        why="the last before LLVM optimises the module",
        requires=(Invariant.INTERNAL, Invariant.ROUTINES),
        establishes=(Invariant.PROTECTED,),
        file="merged.ll",
    ),
)

_MODES = Pass(
    hindrances.without_exact_rounding_modes,
    "text",
    "text",
    why="again: LLVM gives modes to what it inlines into functions with modes",
    requires=(Invariant.OPTIMISED,),
)
_SPINS = Pass(
    check_spin_loops,
    "text",
    why="once LLVM has inlined what threads run",
    requires=(Invariant.OPTIMISED,),
    when="may_spin",
)
_ROUTINES = Pass(
    with_own_routines,
    "text",
    "text",
    why="once LLVM knows the functions of threads: virtual ones are read from new objects",
    requires=(Invariant.OPTIMISED,),
    when="has_fibers",
)
PREOPTIMISED_MODULE = (*PREOPTIMISED, _MODES, _SPINS, _ROUTINES)
CLEANED_MODULE = (*CLEANED, _MODES, _SPINS, _ROUTINES)

#: after differentiation
CLOSED_MODULE = (
    Pass(
        close_after_requests,
        "text linkages markers is_kept",
        "text",
        why="as soon as no request is left",
        requires=(Invariant.DERIVED, Invariant.PROTECTED),
        establishes=(Invariant.NO_REQUESTS,),
        ends=(Invariant.PROTECTED,),
    ),
    Pass(
        with_named_functions,
        "text",
        "text",
        why="once no request is left: a request names functions that no pointer may lead to",
        requires=(Invariant.NO_REQUESTS,),
        when="profiles",
    ),
    Pass(
        with_used_calls,
        "text",
        "text",
        why="before the runtime is linked, which asks for it",
        requires=(Invariant.NO_REQUESTS,),
        when="uses_profile",
    ),
    Pass(
        with_library_copies,
        "text",
        "text",
        why="once derivatives are made: their shadows are variables of threads",
        requires=(Invariant.DERIVED,),
    ),
    Pass(
        with_natives,
        "text",
        "text",
        why="before calls are joined: routines have no native code",
        requires=(Invariant.NO_REQUESTS, Invariant.ROUTINES),
        ends=(Invariant.ROUTINES,),
    ),
    Pass(
        PlainCalls.joined,
        "calls text",
        "text",
        why="after linkages are restored: it gives those of the link to the functions that are two",
        requires=(Invariant.NO_REQUESTS, Invariant.PARTED),
        ends=(Invariant.PARTED,),
    ),
    Pass(
        with_labelled,
        "text",
        "text",
        why="once calls are joined: functions have their last names",
        requires=(Invariant.DERIVED,),
    ),
    Pass(
        with_shared_libraries,
        "text carriers",
        "text",
        why="once borrowed functions are declared: only declarations are bound when the program starts",
        requires=(Invariant.NO_REQUESTS,),
        when="has_carriers",
    ),
    Pass(
        profile.with_additions,
        "text",
        "text",
        why="once derivatives are made: what counts is no memory of the program",
        requires=(Invariant.DERIVED,),
    ),
    Pass(
        look_ups.has_many,
        "text",
        "many_look_ups",
        why="before the runtime is linked: it counts the calls of derivatives",
        requires=(Invariant.DERIVED,),
    ),
    Pass(
        look_ups.with_calls,
        "text",
        "text",
        why="before the runtime is linked, whose functions are inlined otherwise",
        requires=(Invariant.DERIVED,),
        when="many_look_ups",
    ),
    Pass(
        finished.parsed,
        "text context",
        "module",
        why="all that follows until O3 is on LLVM's module",
        requires=(Invariant.NO_REQUESTS,),
    ),
    Pass(
        finished.keep_tests,
        "module",
        why="before O3 and all that drops functions: no call names the forms for several iterations yet",
        requires=(Invariant.DERIVED,),
        when="is_checked",
    ),
    Pass(
        link_natives,
        "module linked mpi context guard",
        why="before the runtime: what derivatives call natively may call it",
        requires=(Invariant.NO_REQUESTS,),
    ),
    Pass(
        finished.link_runtime,
        "module context guard many_look_ups",
        why="once all that may call it is in the module",
        requires=(Invariant.NO_REQUESTS,),
        establishes=(Invariant.LINKED_HELPERS,),
    ),
    Pass(
        finished.link_own_teams,
        "module linked context guard",
        why="after the runtime is linked, which forks teams",
        requires=(Invariant.LINKED_HELPERS,),
        when="gathers",
    ),
    Pass(
        finished.drop_unused,
        "module",
        why="before O3, which would optimise the whole runtime, and copies, before it drops them",
        requires=(Invariant.LINKED_HELPERS,),
        llvm="globaldce",
    ),
    Pass(
        llvm_passes.keep_null,
        "module",
        why="after the runtime is linked: functions that differ in it are not inlined into one another",
        requires=(Invariant.LINKED_HELPERS,),
        establishes=(Invariant.NULL_KEPT,),
    ),
    Pass(
        sanitizers.ask_for_checks,
        "module",
        why="after the runtime is linked: it has the checks of the program",
        requires=(Invariant.LINKED_HELPERS,),
    ),
    Pass(
        finished.printed,
        "module",
        "text",
        why="back ends take text",
        requires=(Invariant.NULL_KEPT,),
    ),
)

#: the object
EMITTED = (
    Pass(
        finished.optimised_module,
        "text back_end is_huge",
        "text",
        why="by itself if passes follow before code generation, or if a function is huge: the optimiser leaves use "
        "lists in an order for which code generation numbers a long block again for each address that it sinks; "
        "reading the text makes them anew",
        requires=(Invariant.LINKED_HELPERS, Invariant.NULL_KEPT),
        when="is_apart",
        llvm="O3",
    ),
    Pass(
        with_vector_roots,
        "text",
        "text",
        why="once loops are vectorised: LLVM takes vectors apart for their square roots",
        requires=(Invariant.LINKED_HELPERS, Invariant.NULL_KEPT),
        when="is_apart",
    ),
    Pass(
        with_masks,
        "text",
        "text",
        why="once loops are vectorised, and LLVM has negated choices and joined conditions",
        requires=(Invariant.LINKED_HELPERS, Invariant.NULL_KEPT),
        when="is_apart",
        file="final.ll",
    ),
    Pass(
        finished.with_inlined_tests,
        "text",
        "text",
        why="once loops are vectorised: LLVM has chosen the forms of tests",
        requires=(Invariant.DERIVED,),
        when="is_checked",
        llvm="always-inline globaldce",
    ),
    Pass(
        finished.emitted_object,
        "text back_end is_huge is_pic",
        "object",
        why="after it",
        requires=(Invariant.LINKED_HELPERS, Invariant.NULL_KEPT),
        establishes=(Invariant.FINAL,),
        when="is_apart",
    ),
    Pass(
        finished.compiled_object,
        "text back_end is_huge is_pic",
        "object",
        why="both at once otherwise",
        requires=(Invariant.LINKED_HELPERS, Invariant.NULL_KEPT),
        establishes=(Invariant.FINAL,),
        when="is_whole",
        llvm="O3",
    ),
)


class PassTable(Struct, frozen=True):
    """One table in the pipeline.

    - `level`: what its passes work on. `code`: the value that holds it. `note`: when it runs.
    - `is_of_copy`: it rewrites what is analysed, and is never printed: nothing of it holds after the round.
    """

    title: str
    level: str
    table: tuple[Pass, ...]
    code: type[Code]
    note: str
    is_of_copy: bool = False


#: all passes, in the order in which a link with one round runs them
PIPELINE = (
    PassTable("The text of a unit", "unit", UNIT_TEXT, UnitCode, "merge.py runs it for each participant."),
    PassTable("The module of a unit", "unit", UNIT_MODULE, UnitModuleCode, "merge.py runs it for each participant."),
    PassTable(
        "The merged module, opened",
        "merged module",
        OPENED_MODULE,
        MergedCode,
        "compile.py runs it once the units are one module.",
    ),
    PassTable(
        "Before differentiation",
        "merged module",
        PREOPTIMISED_MODULE,
        MergedCode,
        "compile.py runs it, unless --enzyme-no-preopt asks for the next one.",
    ),
    PassTable("Before differentiation, at least", "merged module", CLEANED_MODULE, MergedCode, "compile.py runs it."),
    PassTable(
        "Before the rounds",
        "merged module",
        passes.BEFORE_ROUNDS,
        passes.ModuleCode,
        "differentiate.py runs it.",
    ),
    PassTable("Variants", "merged module", passes.VARIANTS, passes.ModuleCode, "differentiate.py, in each round."),
    PassTable("The round's text", "round", passes.CANONICAL, passes.ModuleCode, "differentiate.py, in each round."),
    PassTable("The round's two modules", "round", passes.OPENED, passes.RoundCode, "preparation.py, in each round."),
    PassTable(
        "Each function",
        "function",
        function_passes.NORMALISED,
        function_passes.FunctionCode,
        "preparation.py, for each function that requests reach.",
        True,
    ),
    PassTable(
        "All functions, before types",
        "round",
        passes.REACHED,
        passes.FunctionsCode,
        "preparation.py, in each round.",
        True,
    ),
    PassTable(
        "All functions, by types",
        "round",
        passes.TYPED,
        passes.TypedCode,
        "preparation.py. If one of them changes something, types are found again after it.",
        True,
    ),
    PassTable(
        "Parts of numbers",
        "round",
        passes.MOVED_PARTS,
        passes.TypedCode,
        "preparation.py. If it changes something, types are found again.",
        True,
    ),
    PassTable(
        "Mixed words",
        "round",
        passes.DEMOTED,
        passes.TypedCode,
        "preparation.py, again and again with new types until it changes nothing.",
        True,
    ),
    PassTable(
        "Answers",
        "round",
        passes.ANSWERED,
        passes.AnsweredCode,
        "differentiate.py, once activities are known.",
    ),
    PassTable(
        "After the rounds",
        "merged module",
        passes.AFTER_ROUNDS,
        passes.ModuleCode,
        "differentiate.py runs it.",
    ),
    PassTable("The merged module, closed", "merged module", CLOSED_MODULE, MergedCode, "compile.py runs it."),
    PassTable("The object", "merged module", EMITTED, MergedCode, "compile.py runs it."),
)
#: what runs a second time, and where: before the section of this name
AGAIN = (
    PassTable(
        "Functions that must be inlined",
        "round",
        passes.INLINED,
        passes.ModuleCode,
        "differentiate.py, if a function that requests reach is given unions or bits in registers. The round begins "
        "again after it.",
    ),
    PassTable(
        "Before another round",
        "merged module",
        passes.AGAIN,
        passes.ModuleCode,
        "differentiate.py, if requests are left. Then the next round begins with variants.",
    ),
)
