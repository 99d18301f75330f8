"""Makes one native object of the participants: merge, optimise, differentiate, optimise again, emit."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import TypeVar

import llvmlite.binding as llvm

from enzyme_cc.ir import passes
from enzyme_cc.ir.back_ends import BackEnd
from enzyme_cc.ir.target import ARCHITECTURES, architecture_name
from enzyme_cc.link.command.command import Settings
from enzyme_cc.link.inputs.module_text import Entity, ModuleText, quoted
from enzyme_cc.link.inputs.units import REQUEST, Carrier, Linked, Unit
from enzyme_cc.link.merged_module import look_ups, profile
from enzyme_cc.link.merged_module import protect_requests as requests
from enzyme_cc.link.merged_module.borrow import Loans, bound_at_run_time, tests_of_libraries
from enzyme_cc.link.merged_module.follows import NOTHING, Follows, follows_of
from enzyme_cc.link.merged_module.hindrances import without_exact_rounding_modes
from enzyme_cc.link.merged_module.merge import BitcodeReader, Guard, Merged, link_in, merge, read_bitcode, value_type
from enzyme_cc.link.merged_module.plain_calls import PlainCalls
from enzyme_cc.link.merged_module.shipped import RUNTIME_PREFIX, Shipped
from enzyme_cc.link.merged_module.shipped_derivatives import (
    DerivativeLibrary,
    link_natives,
    with_derivatives,
    with_natives,
)
from enzyme_cc.link.merged_module.stand_ins import (
    BYTES_FUNCTIONS,
    FILE_FUNCTIONS,
    TEXT_FUNCTIONS,
    has_stand_in,
    with_helpers,
    with_stand_ins,
)
from enzyme_cc.link.merged_module.string_bodies import TEXT_TYPE, takes_text, with_plain_texts, with_string_bodies
from enzyme_cc.link.merged_module.thread_counts import counts_from_elsewhere
from enzyme_cc.link.participants.borrowed import Borrowed, PointedFunction
from enzyme_cc.link.participants.linkage import has_assembly, restrict, with_aliases_resolved
from enzyme_cc.link.process.failure import InvalidCode
from enzyme_cc.link.process.scratch import guarded, write_file
from enzyme_cc.report.diagnostics import PROGRAM, Diagnostic, EnzymeError, warn
from enzyme_cc.report.remarks import Remark, records
from enzyme_cc.rules.runtime_functions import FUNCTIONS_TABLE

T = TypeVar("T")
Stage = Callable[[str], AbstractContextManager[None]]

_STOPS = "these functions are called under conditions: the program ends if it calls their derivatives"
# With --enzyme-no-preopt, only these passes run: they make SSA form of clang's unoptimised code.
_CLEANUP = ("always-inline", "sroa", "simplifycfg", "instcombine")

# A module with a function of so many lines is huge for the back end.
_HUGE = 10_000
_COROUTINES = "llvm.coro."


@dataclass(frozen=True)
class Compiler:
    """Makes the object of one link.

    `stage(name)` surrounds a stage and measures its time. `is_kept(symbol, is_hidden)` is true for symbols that stay
    visible. `module_file` holds the module that LLVM works on: a crash leaves it for the report. `borrowed` are the
    participants that stay in the link. `pointed` are the functions that calls through pointers may reach, also those
    whose address only native code takes. `left_out`: there are more, which do not take part. `derivatives` are those
    that the project brings for functions without bitcode, `mpi` gives what belongs to the program's MPI.
    `native` are functions that do not take part though they are called directly, `set_up` those of them that only set
    something up before anything carries a derivative, and `tear_down` those that free what these made. `count` is told
    how many derivatives are made, of those known so far.
    """

    settings: Settings
    back_end: BackEnd
    linked: Linked
    reader: BitcodeReader
    is_kept: Callable[[str, bool], bool]
    pic: bool
    stage: Stage
    guard: Guard
    module_file: str
    borrowed: Mapping[Unit, Borrowed] = field(default_factory=dict)
    pointed: tuple[PointedFunction, ...] = ()
    left_out: bool = False
    derivatives: tuple[DerivativeLibrary, ...] = ()
    mpi: Callable[[], bytes] = bytes
    native: frozenset[str] = frozenset()
    set_up: frozenset[str] = frozenset()
    tear_down: frozenset[str] = frozenset()
    count: Callable[[int, int], None] = lambda done, known: None
    follows: Follows = NOTHING

    def compile(self, participants: Sequence[Unit]) -> bytes:
        """Returns the native object that takes the place of the participants. Raises `EnzymeError`."""
        try:
            return self._compiled(participants)
        except EnzymeError as error:
            more = follows_of(error) | self.follows
            if more == self.follows:
                raise
            try:  # only a program that needs it pays for it
                return replace(self, follows=more).compile(participants)
            except EnzymeError:
                raise error from None

    def _compiled(self, participants: Sequence[Unit]) -> bytes:
        with self.stage("merge"):
            merged = merge(participants, self.borrowed, self.linked, self.reader)
            _check_target(merged.module.triple)
            opened, calls = self._open(merged, participants)
        with self.stage("optimise"):
            self._keep(opened.text)
            text = self._preoptimised(opened.text, frozenset(opened.linkages))
        with self.stage("differentiate"):
            self._keep(text)
            text = self._differentiated(without_exact_rounding_modes(text))
        with self.stage("finish"):
            text = requests.close(text, opened, merged.markers, merged.loans.kept(self.is_kept))
            text = self._with_libraries(calls.joined(with_natives(text)))
            text = self._final(profile.with_additions(text))
        with self.stage("emit"):
            return self._object(text)

    def _open(self, merged: Merged, participants: Sequence[Unit]) -> tuple[requests.Opened, PlainCalls]:
        library = {p.symbol: p.type for p in self.pointed if p.type}

        def type_of(entity: Entity) -> str:
            if takes_text(entity.name):
                return TEXT_TYPE
            return library.get(entity.name) or value_type(merged.module, entity)

        if profile.is_counted(variable.name for variable in merged.module.global_variables):
            counters = passes.parse(profile.records(str(merged.module)), self.reader.context)
            link_in(merged.module, counters, "the counters of the profile")
        is_kept, pointed = merged.loans.kept(self.is_kept), self._pointed(merged.loans)
        if not any(has_assembly(self.reader.text(unit)) for unit in participants):
            symbols = {p.symbol for p in pointed}
            _drop_unreachable(merged.module, lambda name, is_hidden: name in symbols or is_kept(name, is_hidden))
        restricted = restrict(ModuleText(str(merged.module)), is_kept)
        whole = ModuleText(with_aliases_resolved(requests.with_pointed(restricted, pointed)))
        calls = PlainCalls.of(whole, merged.loans)
        text = calls.parted(whole)
        warn(counts_from_elsewhere(ModuleText(text), self.linked.units, self.reader.text))
        if Follows.FILES in self.follows:
            text = with_plain_texts(text)
        left = frozenset() if self.settings.follow_text else TEXT_FUNCTIONS
        left |= frozenset() if Follows.FILES in self.follows else FILE_FUNCTIONS
        left |= frozenset() if Follows.BYTES in self.follows else BYTES_FUNCTIONS
        if Follows.BYTES in self.follows:
            text = with_string_bodies(text, self.back_end, self.reader.context)
        text = with_stand_ins(text, type_of, self.reader.context, self.guard, left)
        libraries = [*self.derivatives, DerivativeLibrary.shipped(architecture_name(merged.module.triple))]
        definitions = self.linked.provenance, self.linked.has_bitcode
        text = with_derivatives(text, libraries, type_of, *definitions, self.reader.context, self.guard)
        opened = requests.open_for_requests(text, type_of, has_rule)
        self._save("merged.ll", opened.text)
        return opened, calls

    def _pointed(self, loans: Loans) -> list[PointedFunction]:
        """Returns the functions whose address code outside of the merged module may take."""
        return [p for p in self.pointed if p.type or p.symbol in loans.symbols or self.is_kept(p.symbol, False)]

    def _preoptimised(self, text: str, opaque: frozenset[str]) -> str:
        """Returns the text, optimised for differentiation, in which exceptions are control flow."""
        lowered = partial(self._without_exceptions, opaque=opaque)
        if self.settings.preoptimise:
            from enzyme_cc.autodiff.optimise.preoptimise import preoptimise

            optimised = _checked(lambda: preoptimise(text, self.back_end, lowered))
        else:
            from enzyme_cc.autodiff.optimise.compared_copies import comparing_copies

            optimised = comparing_copies(self._cleaned, lowered(comparing_copies(self._cleaned, text)))
        self._save("preopt.ll", optimised)
        return optimised

    def _cleaned(self, text: str) -> str:
        module = self._parse(text)
        passes.run_passes(module, *_CLEANUP)
        return str(module)

    def _without_exceptions(self, text: str, opaque: frozenset[str]) -> str:
        """Returns the text in which exceptions in differentiated code are control flow."""
        from enzyme_cc.autodiff import unwinding

        lowered = unwinding.lower_exceptions(text, opaque, self._native_names, self.left_out, self.settings.verify)
        if lowered is None:
            return text
        self._save("lowered.ll", lowered)
        return with_helpers(lowered, unwinding.PREFIX, self.reader.context, self.guard)

    def _differentiated(self, text: str) -> str:
        from enzyme_cc.autodiff import Options, differentiate, unwinding

        options = Options(
            explain=self.settings.explain,
            remarks=None if self.settings.remarks is None else [],
            precision_report=self.settings.precision_report,
            strict_math=self.settings.strict_math,
            truncation=self.settings.truncation,
            left_out=self.left_out,
            native=self._native_names,
            set_up=_symbols(self.set_up),
            tear_down=_symbols(self.tear_down),
            verify=self.settings.verify,
            back_end=self.back_end,
        )
        try:
            result = differentiate(text, options, self.linked.provenance, self.count)
        except EnzymeError as error:
            raise unwinding.in_source_terms(error) from None
        self._save("diff.ll", result)
        _warn_of_faults([d for error in options.warnings for d in unwinding.in_source_terms(error).diagnostics])
        self._tell_remarks(options.remarks or [])
        return result

    @cached_property
    def _carriers(self) -> tuple[Carrier, ...]:
        """The shared libraries whose units take part."""
        return tuple(unit.carrier for unit in self.borrowed if unit.carrier is not None)

    def _with_libraries(self, text: str) -> str:
        """Returns the text that finds what shared libraries define, and that tests which libraries it is given."""
        if not self._carriers:
            return text
        found = {carrier.identity: os.path.basename(carrier.path) for carrier in self._carriers}
        return bound_at_run_time(ModuleText(text), self._carriers) + tests_of_libraries(found)

    @property
    def _native_names(self) -> frozenset[str]:
        return _symbols(self.native)

    def _tell_remarks(self, found: list[Remark]) -> None:
        """Writes the remarks to the file that takes them, or prints them."""
        once, path = list(dict.fromkeys(found)), self.settings.remarks
        if path:
            guarded(lambda: write_file(path, records(once).encode()), path)
        for remark in [] if path else once:
            print(remark.render(), file=sys.stderr)

    def _final(self, text: str) -> str:
        """Returns the module with all that it needs, and that is not optimised yet."""
        are_many = look_ups.has_many(text)
        module = self._parse(look_ups.with_calls(text) if are_many else text)
        _checked(lambda: passes.verify(module))
        link_natives(module, self.linked, self.mpi, self.reader.context, self.guard)
        self._link_runtime(module, are_many)
        passes.run_passes(module, "globaldce")  # else LLVM would optimise the whole runtime, and copies, before
        passes.keep_null(module)
        return str(module)

    def _object(self, text: str) -> bytes:
        self._keep(text)
        is_huge, is_pic = _largest_function(text) >= _HUGE, self.pic or bool(self._carriers)
        if not is_huge and self.settings.save_temps is None:
            return _checked(lambda: self.back_end.compile(text, huge=False, pic=is_pic))
        # The optimiser leaves use lists in an order for which code generation numbers a long block again for each
        # address that it sinks. Reading the text makes them anew.
        optimised = _checked(lambda: self.back_end.optimise(text, huge=is_huge))
        self._save("final.ll", optimised)
        return _checked(lambda: self.back_end.emit(optimised, huge=is_huge, pic=is_pic))

    def _parse(self, text: str) -> llvm.ModuleRef:
        self._keep(text)
        return _checked(lambda: passes.parse(text, self.reader.context))

    def _keep(self, text: str) -> None:
        """Writes the module that LLVM works on next, for a report if LLVM fails."""
        guarded(lambda: write_file(self.module_file, text.encode()), self.module_file)

    def _link_runtime(self, module: llvm.ModuleRef, many_look_ups: bool) -> None:
        """Merges the runtime's functions into the module, as internal functions, if it calls any."""
        if not any(f.is_declaration and f.name.startswith(RUNTIME_PREFIX) for f in module.functions):
            return
        shipped = Shipped.RUNTIME.bitcode(architecture_name(module.triple))
        library = read_bitcode(shipped, Shipped.RUNTIME.label, self.guard, self.reader.context, is_proved=True)
        defined = [f.name for f in library.functions if not f.is_declaration and f.name.startswith(RUNTIME_PREFIX)]
        library.data_layout = module.data_layout
        look_ups.settle(library, many_look_ups)
        table = next((g for g in module.global_variables if g.name == FUNCTIONS_TABLE), None)
        if table is not None:
            table.linkage = llvm.Linkage.external
        link_in(module, library, Shipped.RUNTIME.label)
        for name in defined:
            module.get_function(name).linkage = llvm.Linkage.internal
        if table is not None:
            table.linkage = llvm.Linkage.internal

    def _save(self, name: str, text: str) -> None:
        directory = self.settings.save_temps
        if directory is not None:
            path = os.path.join(directory, name)
            guarded(lambda: os.makedirs(directory, exist_ok=True), directory)
            guarded(lambda: write_file(path, text.encode()), path)


def _symbols(names: frozenset[str]) -> frozenset[str]:
    """Returns the names as LLVM's text has them."""
    return frozenset(f"@{quoted(name)}" for name in names)


def _warn_of_faults(faults: list[Diagnostic]) -> None:
    """Tells of functions whose derivatives end the program, because it may call them, and they cannot be made."""
    warn(faults)
    if faults:
        print(f"{PROGRAM}: note: {_STOPS}", file=sys.stderr)


def _check_target(triple: str) -> None:
    if architecture_name(triple) not in ARCHITECTURES:
        raise EnzymeError.of("EZ0112", f"the bitcode is for {triple}")


def _drop_unreachable(module: llvm.ModuleRef, is_kept: Callable[[str, bool], bool]) -> None:
    """Removes functions that nothing can reach. Units bring many of them, and all later work is on less text.

    `linkage.restrict` does the same on text, also for weak definitions and COMDAT groups.
    """
    for function in module.functions:
        name = function.name
        if function.is_declaration or function.linkage is not llvm.Linkage.external or REQUEST in name:
            continue
        if not is_kept(name, function.visibility is llvm.Visibility.hidden):
            function.linkage = llvm.Linkage.internal
    passes.run_passes(module, "globaldce")


def _largest_function(text: str) -> int:
    """Returns the number of lines of the module's largest function."""
    return max(body.partition("\n}")[0].count("\n") for body in text.split("\ndefine "))


def has_rule(name: str) -> bool:
    """True if a rule differentiates calls of this function: its body is not needed, and LLVM must not inline it."""
    from enzyme_cc.rules.library_functions import known

    return known(name) is not None


def needs_no_body(name: str) -> bool:
    """True if a rule moves derivatives through calls of this function: the link does not look for a body.

    The program may define a function of its own that is called like an inactive one of the library, such as `stat`.
    """
    from enzyme_cc.rules.knowledge import FunctionKind
    from enzyme_cc.rules.library_functions import known

    row = known(name)
    return row is not None and row.kind is not FunctionKind.INACTIVE


def is_library(name: str) -> bool:
    """True if calls of this function can be differentiated without a body: by a rule or a stand-in."""
    from enzyme_cc.rules.table import lookup

    return has_rule(name) or lookup(name) is not None or has_stand_in(name)


def _checked(action: Callable[[], T]) -> T:
    """Runs an action of LLVM that fails only on code that enzyme-cc made wrong. Raises `InvalidCode`."""
    try:
        return action()
    except passes.LLVMError as error:
        raise InvalidCode(str(error)) from error


def lower(data: bytes, label: str, guard: Guard) -> bytes:
    """Returns a native object of raw bitcode. Its symbols are needed, its code is not, and so is not optimised."""
    module = read_bitcode(data, label, guard, llvm.create_context())
    try:
        if any(function.name.startswith(_COROUTINES) for function in module.functions):
            passes.optimise(module, 0)  # -flto=thin leaves coroutines whole: no code generation knows them
        return passes.emit_object(module, pic=True, optimisation=0)
    except passes.LLVMError as error:
        raise EnzymeError.of("EZ0112", f"{label} cannot be compiled", reason=str(error)) from None
