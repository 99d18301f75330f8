"""One link from the command line to the output, as a pipeline of stages: start reading here.

The stages, each with the room that does it:

1. inputs (`native/prepare_inputs.py`): find the files, make native copies of raw bitcode;
2. trial link (`native/run_linker.py`): the native linker tells which files and archive members it links;
3. units (`native/traced_units.py`): these files, read as units with symbols and bitcode;
4. closure (`participants/`): the units that take part in differentiation, and those of them that stay as native code;
5. liveness (`participants/`): the symbols that must stay visible to other units;
6. merge, optimise, differentiate, finish, emit (`merged_module/compile.py`): the new object;
7. final link (`native/final_link.py`): the new object in the place of the participants that it replaces.
"""

from __future__ import annotations

import os
import platform
import sys
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property, partial
from typing import TYPE_CHECKING, NoReturn

from msgspec import Struct
from msgspec.structs import replace

from enzyme_cc.link.command.command import LinkCommand
from enzyme_cc.link.command.linker_options import Role
from enzyme_cc.link.inputs.module_text import ModuleText
from enzyme_cc.link.inputs.units import Definition, Linked, Unit, files_read
from enzyme_cc.link.native import run_linker
from enzyme_cc.link.native.final_link import FinalLink, undefined, wraps
from enzyme_cc.link.native.kept_links import KeptLinks, versions
from enzyme_cc.link.native.library_units import LibraryUnits
from enzyme_cc.link.native.prepare_inputs import Prepared, prepare
from enzyme_cc.link.native.traced_units import Unlinked, collect
from enzyme_cc.link.native.undefined_symbols import given_by_link, refuse_undefined
from enzyme_cc.link.participants.borrowed import Borrowed, Lender, PointedFunction, pointed, symbols_of_native
from enzyme_cc.link.participants.closure import Closure, ClosureQuestion, PointerFacts
from enzyme_cc.link.participants.closure_walk import ClosureWalk
from enzyme_cc.link.participants.declarations import is_registration, marker_name
from enzyme_cc.link.participants.inactive_names import declaration_of
from enzyme_cc.link.participants.inlined import refuse_inlined
from enzyme_cc.link.participants.liveness import Liveness
from enzyme_cc.link.participants.lost_checks import lost_checks, recovering
from enzyme_cc.link.participants.native_parts import native_parts
from enzyme_cc.link.participants.pointers.chosen_functions import ChosenFunctions
from enzyme_cc.link.participants.pointers.pointer_targets import PointerTargets
from enzyme_cc.link.participants.pointers.prototypes import prototype
from enzyme_cc.link.participants.replaced_numbers import replaced_numbers
from enzyme_cc.link.participants.visibility import Visibility
from enzyme_cc.link.process.failure import StageFailure
from enzyme_cc.link.process.limits import limited
from enzyme_cc.link.process.memory import Memory
from enzyme_cc.link.process.scratch import Scratch, guarded
from enzyme_cc.link.process.supervise import DONE, STAGE
from enzyme_cc.link.process.timings import Timings
from enzyme_cc.report import Diagnostic, EnzymeError, warn
from enzyme_cc.report.presentation import JSON
from enzyme_cc.report.said import remembered
from enzyme_cc.report.status_line import StatusLine

if TYPE_CHECKING:
    from enzyme_cc.link.merged_module.compile import Compiler
    from enzyme_cc.link.merged_module.kept_objects import KeptObjects
    from enzyme_cc.link.merged_module.libraries.shipped_derivatives import DerivativeLibrary
    from enzyme_cc.link.merged_module.merge import BitcodeReader
    from enzyme_cc.link.merged_module.parts.made_parts import PartCompiler

_SHOWN = 3  # names of functions in a warning
_TRIED = 4  # times the budget: the largest one that a warning may name
_LEAST_TRIED = 1_000_000

# The new object, everything that is linked, the units that the new object replaces, and what it borrows of others.
Differentiated = tuple[bytes, Linked, frozenset[Unit], dict[Unit, Borrowed]]


class LinkPipeline(Struct, frozen=True, dict=True):
    """One link. `partial` is where the output is made before it is renamed; None makes it in place.

    `note` tells the supervisor which bitcode LLVM reads. `kept` takes the link when it is done.
    """

    command: LinkCommand
    scratch: Scratch
    partial: str | None
    note: Callable[[str], None]
    kept: KeptLinks | None = None

    @cached_property
    def progress(self) -> StatusLine:
        """What the user sees of the link on a terminal."""
        settings = self.command.settings
        return StatusLine("enzyme-ld", not (settings.verbose or settings.explain))

    @cached_property
    def timings(self) -> Timings:
        """What the stages took."""
        return Timings()

    @cached_property
    def memory(self) -> Memory:
        """What the link's process holds."""
        return Memory()

    def run(self) -> None:
        """Does the link. Does not return if the native linker can do it alone: it then takes over the process.

        Raises `EnzymeError` or `NativeLinkError`.
        """
        linker = self.command.settings.native_linker
        if self.command.has(Role.RELOCATABLE):
            self._hand_over()
        try:
            with self.progress:
                self._link(linker)
        finally:
            self._tell_timings()

    def _link(self, linker: str) -> None:
        prepared, linked = self._traced(self.command)
        if self.command.settings.inactive:
            prepared, linked = self._traced(self._with_inactive(linked))
        with self._stage("requests"):
            is_whole = bool(self.command.settings.truncation)
            own = linked.without_carried.units
            asking = [unit for unit in own if unit.requests or (is_whole and unit.modules)]
            linked = linked.without_carried if self.command.settings.profile_calls else linked
        if not asking and not any(unit.raw for unit in linked.units):
            self._without_requests(prepared, linked)
            return
        _refuse_without_bitcode(linked)
        with remembered() as said:
            data, linked, merged, borrowed = self._differentiated(prepared, linked)
        with self._stage("final link"):
            shared = {unit: lent.shared for unit, lent in borrowed.items() if lent.shared}
            again = {unit: lent.own.again for unit, lent in borrowed.items() if lent.own.again}
            carried = self._carried_units(linked, {*merged, *again})
            final = FinalLink(
                prepared=prepared,
                linked=linked.without_carried,
                merged=merged,
                shared=shared,
                again=again,
                undefined=undefined(data),
                scratch=self.scratch,
                exported=carried.names,
            )
            replaced = self._replacements(prepared, final, carried, self.scratch.write("enzyme.o", data))
            further = (*wraps(data), *final.further_libraries())
            arguments = self._final_link(prepared.command, replaced, further, final.first_options())
        if self.kept is not None:
            self.kept.keep(arguments, said.text, files_read(), self.scratch.directory)

    def _without_requests(self, prepared: Prepared, linked: Linked) -> None:
        """Does the link natively. A shared library carries its units."""
        carried = self._carried_units(linked, ())
        if not carried.units:
            self._hand_over()
        with self._stage("library units"):
            final = FinalLink(prepared, linked.without_carried, scratch=self.scratch, exported=carried.names)
            replaced = self._replacements(prepared, final, carried)
        with self._stage("final link"):
            self._final_link(prepared.command, replaced, ())

    def _carried_units(self, linked: Linked, replaced: Collection[Unit]) -> LibraryUnits:
        """Returns the units that the output carries: none if it is a program."""
        is_library = self.command.has(Role.SHARED) and self.command.settings.carry_units
        return LibraryUnits.of(linked.units if is_library else (), replaced, self.command)

    def _replacements(
        self, prepared: Prepared, final: FinalLink, carried: LibraryUnits, *new_objects: str
    ) -> dict[int, tuple[str, ...]]:
        """Returns the new tokens of the items that change, also for the units that the output carries."""
        if not carried.units:
            return final.replacements(*new_objects)
        replaced = final.replacements(*new_objects, self.scratch.write("units.o", carried.new_object()))
        return replaced | carried.scripts(prepared.command, self.scratch)

    def _traced(self, command: LinkCommand) -> tuple[Prepared, Linked]:
        with self._stage("inputs"):
            prepared = prepare(command, self.scratch, self._lower)
        with self._stage("trial link"):
            linker = self.command.settings.native_linker
            traced = run_linker.trial(linker, prepared.command, prepared.replaced, self.scratch, _load_llvm)
        with self._stage("units"):
            return prepared, collect(traced, prepared)

    def _with_inactive(self, linked: Linked) -> LinkCommand:
        """Returns the link with a declaration of the functions that the user calls inactive."""
        from enzyme_cc.link.merged_module.merge import assembled

        symbols = (symbol.name for unit in linked.units for symbol in unit.symbols)
        module = next((module for unit in linked.units for module in unit.modules), None)
        if module is None:
            return self.command
        data = assembled(lambda triple: declaration_of(self.command.settings.inactive, symbols, triple), module)
        return self.command.with_input(self.scratch.write("inactive.bc", data))

    def _differentiated(self, prepared: Prepared, linked: Linked) -> Differentiated:
        """Returns the new object and what the final link must know."""
        from enzyme_cc.link.merged_module.merge import BitcodeReader

        reader = BitcodeReader(self._guard)
        try:
            self._refuse_undefined(prepared, linked, reader)
            return self._compiled(prepared, linked, reader)
        except (EnzymeError, run_linker.NativeLinkError):
            raise
        except Exception as error:
            raise StageFailure(self._worked_on(reader.all_text)) from error

    def _refuse_undefined(self, prepared: Prepared, linked: Linked, reader: BitcodeReader) -> None:
        own = linked.without_carried
        given = given_by_link(own, reader.text, lambda name: marker_name(name) is not None, is_registration)
        linker = self.command.settings.native_linker
        refuse_undefined(linker, prepared.command, prepared.replaced, own, given, self.scratch)

    def _worked_on(self, all_read: Callable[[], str]) -> str:
        """Returns the merged module as the last stage got it. Before the merge, returns all modules read so far."""
        if not os.path.exists(self.scratch.module):
            return all_read()
        with open(self.scratch.module, encoding="utf-8", errors="surrogateescape") as file:
            return file.read()

    def _compiled(self, prepared: Prepared, linked: Linked, reader: BitcodeReader) -> Differentiated:
        compiler, participants = self._compiler(prepared, linked, reader)
        reader.forget_others(participants)
        self.memory.tidy()  # the closure is done with
        borrowed = compiler.taking_part.borrowed
        merged = frozenset(unit for unit in participants if unit not in borrowed)
        return compiler.compile(participants), compiler.linked, merged, dict(borrowed)

    def _compiler(self, prepared: Prepared, linked: Linked, reader: BitcodeReader) -> tuple[Compiler, tuple[Unit, ...]]:
        """Returns the compiler of the link, and the participants."""
        from enzyme_cc.ir.back_ends import back_end
        from enzyme_cc.link.merged_module.compile import Compiler, TakingPart, is_library, needs_no_body
        from enzyme_cc.link.native.mpi_library import library_of_mpi

        with self._stage("closure"):
            closure, borrowed = self._participants(prepared, linked, reader, needs_no_body, is_library)
            participants = closure.participants
            refuse_inlined(participants, closure.requested, reader.text)
            warn(replaced_numbers(participants, closure.reached, reader.text))
            merged = tuple(unit for unit in participants if unit not in borrowed)
            linked = replace(
                linked,
                units=tuple(dict.fromkeys([*linked.units, *participants])),
                native_parts=native_parts(participants, merged, reader.text),
            )
        self._tell("participants: " + ", ".join(unit.label for unit in participants))
        self._tell("merged as a whole: " + ", ".join(unit.label for unit in merged))
        emitter = back_end(self.command.settings.clang, recovering(participants))
        again = {unit: lent.own.again for unit, lent in borrowed.items()}
        warn(lost_checks(merged, again, emitter.instruments))
        with self._stage("liveness"):
            visibility = self._visibility(prepared, linked.without_carried, merged, reader.text)
        command = prepared.command
        library = (PointedFunction(name, None, type_) for name, type_ in closure.pointed_library())
        compiler = Compiler(
            settings=command.settings,
            back_end=emitter,
            linked=linked,
            reader=reader,
            is_kept=visibility.is_kept,
            pic=command.is_pic,
            stage=self._stage,
            guard=self._guard,
            module_file=self.scratch.module,
            parts=self._parts,
            taking_part=TakingPart(
                borrowed,
                (*pointed(closure.pointed_slots(), borrowed), *library),
                bool(closure.left_out or closure.uncalled),
                frozenset(symbols_of_native(closure.native_functions | closure.tabled, borrowed)),
                frozenset(symbols_of_native(closure.set_up, borrowed)),
                frozenset(symbols_of_native(closure.torn_down, borrowed)),
            ),
            derivatives=self._project_derivatives,
            mpi=partial(library_of_mpi, linked, command.settings.clang),
            count=self._count,
            kept=self._kept_objects,
        )
        return compiler, participants

    @property
    def _parts(self) -> PartCompiler:
        from enzyme_cc.link.merged_module.parts.made_parts import PartCompiler

        settings = self.command.settings
        join = partial(run_linker.joined, settings.native_linker, scratch=self.scratch)
        return PartCompiler(join, settings.jobs, self._kept_objects, self.timings.count_parts)

    @property
    def _kept_objects(self) -> KeptObjects | None:
        from enzyme_cc.link.merged_module.kept_objects import KeptObjects

        settings = self.command.settings
        return KeptObjects(self.kept.cache, versions(settings), settings.remarks) if self.kept else None

    @cached_property
    def _project_derivatives(self) -> tuple[DerivativeLibrary, ...]:
        """The derivatives that the project brings for functions without bitcode."""
        from enzyme_cc.link.merged_module.libraries.derivative_sources import compiled
        from enzyme_cc.link.merged_module.libraries.shipped_derivatives import DerivativeLibrary

        clang, sources = self.command.settings.clang, self.command.settings.derivatives
        return tuple(DerivativeLibrary(compiled(source, clang, self.scratch), source) for source in sources)

    @cached_property
    def _libraries(self) -> tuple[DerivativeLibrary, ...]:
        """All derivatives of functions without bitcode. Their names are the same for all architectures."""
        from enzyme_cc.link.merged_module.libraries.shipped_derivatives import DerivativeLibrary

        return (*self._project_derivatives, DerivativeLibrary.shipped(platform.machine()))

    def _targets(
        self, linked: Linked, text_of: Callable[[Unit], ModuleText], is_library: Callable[[str], bool]
    ) -> PointerTargets:
        def has_derivative(name: str) -> bool:
            return is_library(name) or any(library.has(name) for library in self._libraries)

        def type_of(name: str) -> str:
            return prototype(name) or next(filter(None, (library.type_of(name) for library in self._libraries)), "")

        return PointerTargets(linked, text_of, has_derivative, type_of)

    def _participants(
        self,
        prepared: Prepared,
        linked: Linked,
        reader: BitcodeReader,
        has_rule: Callable[[str], bool],
        is_library: Callable[[str], bool],
    ) -> tuple[Closure, dict[Unit, Borrowed]]:
        """Returns the closure, and the participants that stay in the link.

        A function that is left out needs its native code. If its unit does not stay, the closure is made again.
        """
        settings = self.command.settings
        budget = sys.maxsize if settings.profile_calls else settings.closure_budget * 1_000_000
        is_whole = bool(prepared.command.settings.truncation)
        chosen = ChosenFunctions.of(settings)
        chosen.check(linked, reader.text)
        lender, compiled_again = Lender(linked, reader.text, reader.size), frozenset[Unit]()
        later, sets_up = frozenset[Definition](), False
        facts = PointerFacts(linked, reader.text, self._targets(linked, reader.text, is_library))

        def made(budget: int, all_or_none: bool = False) -> Closure:
            find, known = Unlinked(prepared).find, (compiled_again, chosen, later, sets_up, all_or_none)
            question = ClosureQuestion(linked, reader.text, has_rule, find, facts, budget, is_whole, *known)
            return ClosureWalk(question).run()

        while True:
            closure = made(budget)
            participants = closure.participants
            if closure.set_up_later:
                later |= closure.set_up_later
                continue
            if closure.should_set_up:
                sets_up = True
                continue
            lendable = [unit for unit in participants if unit in linked.units and unit not in closure.whole]
            lendable = [] if settings.profile_calls else lendable  # calls in native code are not noted
            native = closure.native_functions | closure.tabled
            borrowed = lender.borrowed(lendable, closure.reached | closure.tabled, native, closure.asking)
            _refuse_carried([unit for unit in participants if unit.carrier is not None and unit not in borrowed])
            replaced = {unit for unit, _ in native if unit in participants and unit not in borrowed}
            if not replaced:
                _tell_left_out(closure, budget, lambda budget: made(budget, all_or_none=True))
                return closure, borrowed
            compiled_again |= replaced

    @staticmethod
    def _visibility(
        prepared: Prepared, linked: Linked, participants: tuple[Unit, ...], text_of: Callable[[Unit], ModuleText]
    ) -> Visibility:
        items = prepared.command.items
        whole = {path for i, path in prepared.paths.items() if (state := items[i].state) and state.whole_archive}
        without_units = Visibility.of(prepared.command, linked)
        needed = Liveness(linked, frozenset(participants), text_of, whole).run(without_units.is_kept)
        return without_units.with_units(needed)

    def _final_link(
        self,
        command: LinkCommand,
        replaced: dict[int, tuple[str, ...]],
        further: tuple[str, ...],
        first: tuple[str, ...] = (),
    ) -> list[str]:
        """Makes the output. Returns the native linker's arguments for all but the output."""
        made = self.partial or command.output
        arguments = [*first, *command.arguments(replaced, frozenset({Role.OUTPUT})), *further]
        run_linker.link(command.settings.native_linker, [*arguments, "-o", made], self.scratch)
        if made != command.output:
            guarded(lambda: os.rename(made, command.output), command.output)
        return arguments

    def _lower(self, data: bytes, label: str) -> bytes:
        from enzyme_cc.link.merged_module.compile import lower

        return lower(data, label, self._guard)

    @contextmanager
    def _guard(self, label: str, size: int) -> Iterator[None]:
        self.note(label)
        with limited(size):
            yield
        self.note("")

    def _hand_over(self) -> NoReturn:
        self.note(DONE)
        run_linker.execute(self.command.settings.native_linker, self.command.arguments())

    def _count(self, done: int, known: int) -> None:
        self.progress.count(done, known)
        self.note(f"{STAGE}differentiate, {done:,} of {known:,} functions done")
        self.timings.functions += 1  # each derivative is told once
        self.memory.tidy()

    @contextmanager
    def _stage(self, name: str) -> Iterator[None]:
        self.progress.stage(name)
        self.note(STAGE + name)
        with self.timings.stage(name):
            yield
        self._tell(str(self.timings.stages[-1]))

    def _tell_timings(self) -> None:
        wanted = self.command.settings.timings
        if wanted:
            print(self.timings.json() if wanted == JSON else self.timings.table(), file=sys.__stderr__, flush=True)

    def _tell(self, text: str) -> None:
        if self.command.settings.verbose:
            print(f"enzyme-ld: {text}", file=sys.__stderr__, flush=True)


def _tell_left_out(closure: Closure, budget: int, made: Callable[[int], Closure]) -> None:
    """Tells of functions that differentiated code may call, and that do not take part.

    `made` makes the closure with another budget, at least until something is left out.
    """
    found = (("calls through pointers", closure.left_out), ("direct calls", closure.unreached))
    if not any(functions for _, functions in found):
        return
    enough = _enough(made, _TRIED * max(budget, _LEAST_TRIED))
    for kind, functions in found:
        if not functions:
            continue
        names = _told(functions, closure.facts.text_of)
        shown = ", ".join(names[:_SHOWN]) + (f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else "")
        message = f"functions that {kind} may reach are left out: {shown}"
        reason = f"with the code behind them they exceed {budget // 1_000_000} MB of LLVM's text; {enough}"
        warn([Diagnostic("EZ0311", message, reason=reason)])


def _enough(made: Callable[[int], Closure], most: int) -> str:
    """Says which budget leaves nothing out."""
    closure = made(most)
    if closure.left_out or closure.unreached:
        return f"--enzyme-closure={most // 1_000_000} would not be enough for all"
    return f"--enzyme-closure={-(-closure.enough // 1_000_000)} would be enough for all"


def _told(functions: Collection[Definition], text_of: Callable[[Unit], ModuleText]) -> list[str]:
    """Returns the names of functions in order, with the source file where several have one name."""
    often = Counter(name for _, name in functions)
    return sorted(f"{n} of {text_of(u).source_file}" if often[n] > 1 else n for u, n in functions)


def _load_llvm() -> None:
    """Imports the modules that take long to import, while the trial link runs."""
    from enzyme_cc.link.merged_module import compile  # noqa: F401


def _refuse_carried(units: Sequence[Unit]) -> None:
    """Raises `EnzymeError` (EZ0119) for units of shared libraries: they can only be compiled again as a whole."""
    message = "cannot take part in a derivative, since it is in a shared library"
    reason = "its file has assembly, addresses of labels, or a variable that others cannot name, or is not for x86-64"
    if units:
        raise EnzymeError([Diagnostic("EZ0119", f"{u.label} {message}", reason=reason) for u in units])


def _refuse_without_bitcode(linked: Linked) -> None:
    """Raises `EnzymeError` (EZ0107) for requests in native code: no bitcode holds their calls."""
    left = [
        Diagnostic(
            "EZ0107",
            f"{unit.label} calls {symbol.name} but carries no bitcode",
        )
        for unit in linked.units
        if unit.requests and not unit.modules
        for symbol in unit.symbols
        if symbol.name in unit.requests and not symbol.is_defined
    ]
    if left:
        raise EnzymeError(left)
