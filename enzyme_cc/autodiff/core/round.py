"""The data of one round of differentiation, in four stages: opened, prepared, explored, complete.

A round answers the requests that do not depend on the answers of others. Each stage adds data to the previous one:

- `OpenedRound`: the module, and what the program declares in it. Requests are read with it.
- `PreparedRound`: the functions to differentiate are normalised, and types are known.
- `ExploredRound`: it is known which globals are active, so activities are known. engine.explore makes it.
- `Round`: the final options are known. Derivatives are made with it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Mapping, Sequence, Set
from functools import cached_property, partial, reduce

from msgspec import Struct, field
from msgspec.structs import replace

from ...analysis.activity.activity import (
    Activity,
    ArgumentActivity,
    GlobalFindings,
    GlobalState,
    ResultActivity,
)
from ...analysis.activity.activity_analysis import ProgramFacts, analyse_activity
from ...analysis.activity.carriers import Carriers
from ...analysis.activity.other_names import OtherNames
from ...analysis.callees import Callee, Callees, plain_name
from ...analysis.memory.dead_writes import DeadWriteAnalysis
from ...analysis.memory.facts import MemoryFacts
from ...analysis.memory.new_blocks import NewBlocks
from ...analysis.memory.own_blocks import OwnBlocks
from ...analysis.memory.shadow_state import Foreign
from ...analysis.references import functions_that_reach
from ...analysis.region_calls import is_region_call, is_task_call, is_thread_call
from ...analysis.shared_memory import shares_memory
from ...analysis.type_analysis.analysis import TypeAnalysis
from ...ir.cfg import ControlFlow
from ...ir.constants import GlobalRef
from ...ir.edit import join_blocks
from ...ir.module import Module, global_name
from ...ir.types import PTR, VOID, FunctionType
from ...ir.values import Argument, Function, Instruction, Value
from ...ir.verify import verify_function
from ...report.remarks import Remark
from ...report.spelling import as_in_source, name_in_source
from ...rules.memory_functions import free_of_one_operand
from ...rules.parallel import fibers
from ...rules.parallel.openmp import DUALS
from ...rules.runtime_functions import UNWIND_FREE
from .alias_scopes import AliasScopes
from .derivative_lines import DerivativeLines
from .derivatives import Derivatives, alone, plain
from .odd_numbers import note_odd_numbers
from .options import Options
from .own_functions import definition
from .pointers import ForeignCode, ForeignPointers
from .provenance import Provenance
from .registrations import Registrations
from .signature import Form, Signature
from .team_calls import call_twins, check_calls_on_team

#: a function with more instructions is not inlined
_LARGE = 1000
_FREE = FunctionType(VOID, (PTR,))
#: a function, the activities of its arguments, and that of its result
_ActivityKey = tuple[str, tuple[ArgumentActivity, ...], ResultActivity]


class OpenedRound(Struct, frozen=True, eq=False):
    """The first stage of a round.

    - `source`: the module with the functions to differentiate; `output`: the module that becomes the result.
    - `declared`: mutable globals whose shadow the program defines or registers, because it wants their derivatives.
    - `inactive_globals`: those that never get a shadow.
    - `call_sites`: the places of the calls that each dispatcher makes, for messages.
    """

    source: Module
    output: Module
    options: Options
    provenance: Provenance
    registered: Registrations
    declared: frozenset[str]
    inactive_globals: frozenset[str]
    callees: Callees
    dead_write_analysis: DeadWriteAnalysis
    scopes: AliasScopes
    call_sites: Mapping[str, list[str]]

    def prepared(
        self,
        types: TypeAnalysis,
        carriers: Carriers,
        globals_of: dict[str, frozenset[str]],
        tables: Mapping[str, frozenset[str]],
        open_functions: frozenset[str],
        mixed_functions: Container[str],
    ) -> PreparedRound:
        """Returns the next stage."""
        own = {f: getattr(self, f) for f in OpenedRound.__struct_fields__}
        return PreparedRound(
            **own,
            types=types,
            carriers=carriers,
            globals_of=globals_of,
            tables=tables,
            open_functions=open_functions,
            mixed_functions=mixed_functions,
        )


class PreparedRound(OpenedRound, frozen=True, eq=False, kw_only=True, dict=True):
    """The second stage: all functions that the requests reach are normalised in `source` and can be analysed.

    - `globals_of`: for each function the mutable globals that it or its callees name.
    - `tables`: the constant globals that point at mutable ones, and these.
    - `open_functions`: functions that may call, through a pointer, a function that the link left out.
    - `mixed_functions`: functions that copy memory with numbers and pointers at the same place.
    """

    types: TypeAnalysis
    carriers: Carriers
    globals_of: dict[str, frozenset[str]]
    tables: Mapping[str, frozenset[str]]
    open_functions: frozenset[str]
    mixed_functions: Container[str]
    _flows: dict[Function, ControlFlow] = field(default_factory=dict)
    _facts: dict[Function, MemoryFacts] = field(default_factory=dict)

    @property
    def shares_memory(self) -> bool:
        """True if other ranks of MPI may read and write memory of the program, and so add to its shadow."""
        return shares_memory(self.source)

    @cached_property
    def alone(self) -> Mapping[str, str]:
        """The functions that one thread of a team must run, and why: those of the options, and what reaches them."""
        found: dict[str, str] = {}
        for name, why in self.options.alone.items():
            for other in functions_that_reach(self.source, self.globals_of, [name]):
                found.setdefault(other, why)
        return found

    @cached_property
    def makes_tasks(self) -> frozenset[str]:
        """The functions that make tasks, or reach one that does."""
        bodies = map(self.source.body, self.globals_of)
        makers = [f.name for f in bodies if any(map(is_task_call, f.instructions()))]
        return functions_that_reach(self.source, self.globals_of, makers)

    @cached_property
    def ordering(self) -> frozenset[str]:
        """The functions that threads wait in, but regions, which have a team of their own, and what threads run."""
        waits = [symbol for symbol in map(global_name, [*DUALS, *fibers.DUALS]) if symbol in self.source.functions]
        if not waits:
            return frozenset()
        calls = [i for name in self.globals_of for i in self.source.body(name).instructions() if i.opcode == "call"]
        regions = {self.callees.of(i).name for i in calls if is_region_call(i)}
        routines = {self.callees.of(i).name for i in calls if is_thread_call(i)}
        functions = [name for name in self.globals_of if name not in regions]
        return functions_that_reach(self.source, functions, [*waits, *routines])

    def explored(self, state: GlobalState) -> ExploredRound:
        """Returns the next stage, if no more is to be found than `state` says."""
        own = {f: getattr(self, f) for f in PreparedRound.__struct_fields__}
        return ExploredRound(**own, state=state)

    @property
    def first_state(self) -> GlobalState:
        """What is known of the program before any function is analysed."""
        return GlobalState(
            self.declared - self.inactive_globals,
            self.inactive_globals,
            may_be_handled=frozenset[str]().union(*self.globals_of.values()),
            tables=self.tables,
        )

    def flow(self, function: Function) -> ControlFlow:
        if function not in self._flows:
            self._flows[function] = ControlFlow(function)
        return self._flows[function]

    def facts(self, function: Function) -> MemoryFacts:
        if function not in self._facts:
            self._facts[function] = MemoryFacts(self.source, function, self.flow(function), self.types)
        return self._facts[function]


class ExploredRound(PreparedRound, frozen=True, eq=False, kw_only=True):
    """The third stage: activities are final.

    - `state`: which globals are active.
    - `signatures`: all that requests reach by active calls, by function.
    - `sure_shadows`: for each the arguments that all calls pass own shadows of (analyses/sure_shadows.py).
    """

    state: GlobalState
    signatures: Mapping[str, Sequence[Signature]] = field(default_factory=dict)
    sure_shadows: Mapping[Signature, tuple[int, ...]] = field(default_factory=dict)
    _activities: dict[_ActivityKey, tuple[Activity, GlobalFindings]] = field(default_factory=dict)

    def completed(self, options: Options, pointers: ForeignPointers) -> Round:
        """Returns the last stage, with the final options."""
        own = {f: getattr(self, f) for f in ExploredRound.__struct_fields__}
        other_names = OtherNames(self.callees, self.carriers, self.globals_of, self.differentiated)
        return Round(**{**own, "options": options}, foreign_pointers=pointers, other_names=other_names)

    @property
    def differentiated(self) -> Set[str]:
        """The names of the functions that are differentiated."""
        return self.signatures.keys()

    def activity(self, signature: Signature) -> Activity:
        """Returns the activity of a function; it depends only on the activities of its arguments and result.

        In forward mode, builders ask for DUP in place of OUT for plain numbers, which changes no finding.
        """
        key = signature.function, signature.arguments, signature.result
        if key not in self._activities:
            function = self.source.body(signature.function)
            self._activities[key] = analyse_activity(
                function,
                self.flow(function),
                signature.arguments,
                signature.result,
                ProgramFacts(self.callees, self.carriers, self.globals_of, self.open_functions, self.ordering),
                self.state,
            )
        return self._activities[key][0]

    def found(self) -> GlobalState:
        """Returns the state with what the activities that were asked for say of the program."""
        return reduce(GlobalState.joined, (found for _, found in self._activities.values()), self.state)

    def sure_shadows_of(self, signature: Signature) -> tuple[int, ...]:
        return self.sure_shadows.get(signature, ())

    def with_null_shadows(self, wanted: Signature, nulls: Container[int]) -> Signature:
        """Returns a signature for a call that passes null in some arguments: one that another call needs, if it fits.

        The shadow of null is null, so such an argument may count as one with a shadow. Otherwise an interface with a
        pointer that may be null, as in `double f(n, x, gradient, data)`, would have derivatives for both cases.
        """

        def fits(other: Signature) -> bool:
            pairs = enumerate(zip(wanted.arguments, other.arguments, strict=True))
            is_alike = replace(wanted, arguments=other.arguments) == other
            return is_alike and all(a is b or (k in nulls and b is ArgumentActivity.DUP) for k, (a, b) in pairs)

        known = filter(fits, self.signatures.get(wanted.function, ()))
        return max([wanted, *known], key=lambda signature: signature.arguments.count(ArgumentActivity.DUP))


class Round(ExploredRound, frozen=True, eq=False, kw_only=True, dict=True):
    """The last stage: the final options, the registry of derivatives, and functions that add to `output`.

    - `foreign_pointers`: pointers in globals to memory that other code made.
    - `other_names`: finds pointers that may lead to memory with a derivative, though they count as constant.
    - `foreign_code`: what is known of the code that handles them, once it is emitted.
    - `remarks`: what is remarked about the derivatives made so far.
    - `record_sizes`: the size in bytes of the tape record of each augmented function made so far.
    - `new_blocks`: which pointers lead into blocks that a derivative's own call has allocated.
    - `own_blocks`: which blocks a call allocates, uses alone, and frees.
    - `extents`: routine of a library → the function that tells what it accesses, or None (custom/extents.py).
    """

    foreign_pointers: ForeignPointers
    other_names: OtherNames
    foreign_code: ForeignCode = field(default_factory=ForeignCode)
    remarks: list[Remark] = field(default_factory=list)
    record_sizes: dict[Signature, int] = field(default_factory=dict)
    extents: dict[str, str | None] = field(default_factory=dict)
    _lines: dict[Function, DerivativeLines] = field(default_factory=dict)
    _noted: dict[Function, str] = field(default_factory=dict)
    _on_teams: set[str] = field(default_factory=set)
    _tests: dict[Function, list[Instruction]] = field(default_factory=dict)
    _texts: dict[str, GlobalRef] = field(default_factory=dict)
    _tables: dict[str, GlobalRef] = field(default_factory=dict)
    _tape_lines: dict[str, GlobalRef] = field(default_factory=dict)

    @cached_property
    def derivatives(self) -> Derivatives:
        return Derivatives(self.source, self.output, self.carriers)

    @cached_property
    def new_blocks(self) -> NewBlocks:
        return NewBlocks(self.source, self.is_registered)

    @cached_property
    def own_blocks(self) -> OwnBlocks:
        functions = map(self.source.body, self.differentiated)
        return OwnBlocks(functions, self.callees, self.types.points_to, self.is_registered)

    @property
    def foreign(self) -> Foreign:
        """What happens to derivatives that are stored in memory without a shadow.

        If a global that is not active leads to numbers in such memory, what is read through it counts as constant.
        """
        if not self.foreign_pointers.is_met:
            return Foreign.ABSENT
        if not self.options.is_last:
            return Foreign.REFUSED
        return Foreign.RECORDED if self.foreign_pointers.leading is None else Foreign.POINTERS

    # -- functions

    def start(self, signature: Signature, form: Form, *, is_alone: bool = False, is_plain: bool = False) -> Function:
        """Returns a derivative function without a body. `is_alone`, `is_plain`: see emit/frame.py."""
        name, proto = self.derivatives.of(signature, form)
        name = alone(name) if is_alone else plain(name) if is_plain else name
        arguments = [Argument(type_, "", "", k) for k, type_ in enumerate(proto.params)]
        primal = self.source.functions[signature.function]
        if signature.team.is_own:
            self._on_teams.add(name)
        made = Function(name, proto.type, arguments, "internal", self.attributes_of(primal))
        self._lines[made] = DerivativeLines(self.output, primal, made, form.value)
        if self.options.is_last:
            self._tests[made] = []
        if self.options.check and self.options.is_last and form is not Form.DEPENDENCE:
            self._noted[made] = primal.name
        return made

    def note_test(self, test: Instruction) -> None:
        """Notes a comparison of a pointer with its shadow in a derivative."""
        function = test.block.function if test.block is not None else None
        if function in self._tests:
            self._tests[function].append(test)

    def taken_tests(self, function: Function) -> list[Instruction]:
        """Returns the comparisons that are noted for a function, once. There are none in rounds before the last."""
        return self._tests.pop(function, [])

    def make_once(self, name: str, type_: FunctionType, attributes: str, fill: Callable[[Function], None]) -> GlobalRef:
        """Returns a function of ours, not of a signature. The first call makes it, and `fill` its body."""
        if name not in self.output.functions:
            arguments = [Argument(parameter, "", "", k) for k, parameter in enumerate(type_.params)]
            made = Function(name, type_, arguments, "internal", attributes)
            fill(made)
            self.enter(made)
        return GlobalRef.of(name)

    def enter(self, function: Function) -> None:
        """Adds a finished function to the output, and declares the functions that it calls.

        A large function is marked noinline. LLVM would inline it if it has one caller, and optimise it again in each
        function of a chain of calls, which takes time quadratic in the length of the chain. Raises `NotOnTeams` if
        threads of a team run the function, and it calls what must not run in several threads.
        """
        join_blocks(function)
        if function in self._lines:
            self._lines.pop(function).put()
        if function in self._noted:
            place = partial(self._place, self._noted.pop(function))
            note_odd_numbers(self.output, function, place, self._notes_nothing)
        if function.name in self._on_teams:
            call_twins(function)
            check_calls_on_team(function)
        if sum(len(block.instructions) for block in function.blocks) > _LARGE:
            function.suffix = f"noinline {function.suffix}"
        self.output.add_function(function)
        for i in function.instructions():
            if i.opcode == "call" and isinstance(i.callee, GlobalRef):
                name, type_ = i.callee.name, i.call.function_type
                own = definition(name, type_) if name not in self.output.functions else None
                if own is not None:
                    self.output.add_function(own)
                else:
                    self.output.declare(name, type_)
        if self.options.verify:
            verify_function(function, "differentiation")

    def _notes_nothing(self, name: str) -> bool:
        return name.startswith("@llvm.") or name in self.source.functions

    def _place(self, primal: str, i: Instruction) -> Value:
        """Returns the text of where an instruction of a derivative is."""
        location = self.output.source_location(i)
        return self.text(f"at {location}" if location else f"in {name_in_source(plain_name(primal))}")

    def attributes_of(self, primal: Function) -> str:
        """Returns attributes for derivatives of a primal: those about the target and sanitizers, none about memory."""
        texts = [self.output.attributes.get(group, "") for group in re.findall(r"#\d+", primal.suffix)]
        kept = re.findall(
            r'"(?:target|tune|frame-pointer|min-legal|stack|probe|zero-call|enzyme-sanitize)[^"]*"(?:="[^"]*")?',
            " ".join(texts),
        )
        words = [w for w in ("noinline", "nounwind", "uwtable") if any(w in text.split() for text in texts)]
        return self.output.add_attributes(" ".join([*words, *kept])) if kept or words else ""

    def library_function(self, name: str, type_: FunctionType = _FREE) -> Value:
        """Returns a function of the C library or of the runtime as an operand."""
        symbol = global_name(name)
        self.output.declare(symbol, type_)
        return GlobalRef.of(symbol)

    def is_registered(self, call: Instruction) -> bool:
        """True if the program itself says what the called function does (`__enzyme_allocation_like`)."""
        return self.callees.of(call).name in self.registered.known

    def free_function(self, callee: Callee) -> Value:
        """Returns the function of one argument that frees what this callee frees."""
        name = plain_name(callee.name)
        if callee.known is not None and callee.known.shadow_only:
            return self.library_function(UNWIND_FREE.name)
        return self.library_function(free_of_one_operand(name))

    def plain_free(self) -> Value:
        return self.library_function("free")

    # -- constants

    def text(self, text: str) -> Value:
        """Returns a constant string, for messages at run time."""
        text = as_in_source(text)
        if text not in self._texts:
            escaped = "".join(c if c.isalnum() or c in " _.,()*:" else f"\\{ord(c):02X}" for c in text)
            name = self.output.fresh_name("__ez_text")
            size = len(text.encode()) + 1
            self.output.add_global(f'{name} = private unnamed_addr constant [{size} x i8] c"{escaped}\\00"')
            self._texts[text] = GlobalRef.of(name)
        return self._texts[text]

    def tape_line(self, place: str) -> Value:
        """Returns the record of a source line in the report of tapes (runtime/tape_report.c)."""
        if place not in self._tape_lines:
            name = self.output.fresh_name("__ez_tape_line")
            fields = f"ptr null, ptr {self.text(place)}, i64 0, i64 0"
            self.output.add_global(f"{name} = internal global {{ ptr, ptr, i64, i64 }} {{ {fields} }}")
            self._tape_lines[place] = GlobalRef.of(name)
        return self._tape_lines[place]

    def memory_table(self, globals: list[tuple[str, int]]) -> Value:
        """Returns a constant array of the addresses and sizes of globals."""
        name = self.output.fresh_name("__ez_memory")
        rows = ", ".join(f"{{ ptr, i64 }} {{ ptr {GlobalRef.of(g)}, i64 {size} }}" for g, size in globals)
        self.output.add_global(f"{name} = private unnamed_addr constant [{len(globals)} x {{ ptr, i64 }}] [{rows}]")
        return GlobalRef.of(name)

    def table(self, numbers: list[int]) -> Value:
        """Returns a constant array of i64."""
        elements = ", ".join(f"i64 {n}" for n in numbers)
        if elements not in self._tables:
            name = self.output.fresh_name("__ez_table")
            self.output.add_global(f"{name} = private unnamed_addr constant [{len(numbers)} x i64] [{elements}]")
            self._tables[elements] = GlobalRef.of(name)
        return self._tables[elements]
