"""Makes one native object of the participants: merge, optimise, differentiate, optimise again, emit."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import partial
from typing import TYPE_CHECKING, TypeVar

import llvmlite.binding as llvm
from msgspec import Struct, field
from msgspec.structs import replace

from enzyme_cc.autodiff.core.pass_table import Pass, run
from enzyme_cc.autodiff.optimise.gathered_functions import TOGETHER
from enzyme_cc.ir import llvm_passes
from enzyme_cc.ir.back_ends import BackEnd, is_huge
from enzyme_cc.ir.target import ARCHITECTURES, architecture_name
from enzyme_cc.ir.text.masked_vectors import has_choices
from enzyme_cc.ir.text.vector_roots import has_roots
from enzyme_cc.link.command.command import Settings
from enzyme_cc.link.command.settings import DIFFERENCES
from enzyme_cc.link.inputs.module_text import Entity, quoted
from enzyme_cc.link.inputs.units import Carrier, Linked, Unit
from enzyme_cc.link.merged_module.borrow import Loans
from enzyme_cc.link.merged_module.follows import NOTHING, Follows, follows_of
from enzyme_cc.link.merged_module.kept_objects import Asked, KeptObjects
from enzyme_cc.link.merged_module.libraries.shipped_derivatives import (
    DerivativeLibrary,
)
from enzyme_cc.link.merged_module.libraries.stand_ins import (
    BYTES_FUNCTIONS,
    FILE_FUNCTIONS,
    TEXT_FUNCTIONS,
    has_stand_in,
    with_helpers,
)
from enzyme_cc.link.merged_module.libraries.string_bodies import (
    TEXT_TYPE,
    takes_text,
)
from enzyme_cc.link.merged_module.link_passes import (
    CLEANED_MODULE,
    CLOSED_MODULE,
    EMITTED,
    OPENED_MODULE,
    PREOPTIMISED_MODULE,
    MergedCode,
)
from enzyme_cc.link.merged_module.merge import BitcodeReader, Guard, Merged, merge, read_bitcode, value_type
from enzyme_cc.link.merged_module.parts.made_parts import PartCompiler
from enzyme_cc.link.merged_module.threads.parallel_regions import Regions
from enzyme_cc.link.merged_module.threads.waiting_threads import NeedsFibers
from enzyme_cc.link.participants.borrowed import Borrowed, PointedFunction
from enzyme_cc.link.participants.linkage import has_assembly
from enzyme_cc.link.process.failure import InvalidCode
from enzyme_cc.link.process.scratch import guarded, write_file
from enzyme_cc.report import warning_options
from enzyme_cc.report.diagnostics import PROGRAM, Diagnostic, EnzymeError, NotOnFibers, NotOnTeams
from enzyme_cc.report.presentation import warn
from enzyme_cc.report.remarks import Remark, RemarkKind, records

if TYPE_CHECKING:
    from enzyme_cc.autodiff.differentiate import DerivedModule

T = TypeVar("T")
Stage = Callable[[str], AbstractContextManager[None]]

#: LLVM text, in bytes: a larger module is not compiled again only for what the program may never call
_SECOND_ATTEMPT = 10_000_000
_STOPS = "these functions are called under conditions: the program ends if it calls their derivatives"
_COROUTINES = "llvm.coro."


class _Curable(Exception):
    """Some derivatives end the program if it calls them, and need not if the link follows more.

    `faults`: all such derivatives, as messages. `finish` makes the object with them.
    """

    def __init__(self, follows: Follows, faults: frozenset[str], finish: Callable[[], bytes]) -> None:
        super().__init__()
        self.follows, self.faults, self.finish = follows, faults, finish


class TakingPart(Struct, frozen=True):
    """What of the link takes part in differentiation, beside the participants that are merged as a whole.

    - `borrowed`: the participants that stay in the link.
    - `pointed`: functions that calls through pointers may reach, also those whose address only native code takes.
      `left_out`: there are more, which do not take part.
    - `native_functions`: symbols of functions that do not take part though they are called directly. `set_up`: those of
      them that only set something up before anything carries a derivative; `tear_down`: those that free it.
    """

    borrowed: Mapping[Unit, Borrowed] = field(default_factory=dict)
    pointed: tuple[PointedFunction, ...] = ()
    left_out: bool = False
    native_functions: frozenset[str] = frozenset()
    set_up: frozenset[str] = frozenset()
    tear_down: frozenset[str] = frozenset()


class Compiler(Struct, frozen=True, kw_only=True):
    """Makes the object of one link.

    `stage(name)` surrounds a stage and measures its time. `is_kept(symbol, is_hidden)` is true for symbols that stay
    visible. `module_file` holds the module that LLVM works on: a crash leaves it for the report. `derivatives` are
    those that the project brings for functions without bitcode, `mpi` gives what belongs to the program's MPI. `count`
    is told how many derivatives are made, of those known so far. `why_serial`: why parallel regions run in teams of
    one, if that turned out when derivatives were made. `fibers`: whether threads that are made are fibers, if that
    turned out. `alone`: the functions for which that holds of single regions, and why. `faults`: if this is a second
    attempt that should have fewer, the derivatives that end the program, as messages. `kept` are objects that were made
    before. `parts` makes objects of large modules.
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
    parts: PartCompiler
    taking_part: TakingPart
    derivatives: tuple[DerivativeLibrary, ...] = ()
    mpi: Callable[[], bytes] = bytes
    count: Callable[[int, int], None] = lambda done, known: None
    follows: Follows = NOTHING
    why_serial: str = ""
    fibers: bool | None = None
    alone: Mapping[str, str] = field(default_factory=dict)
    faults: frozenset[str] | None = None
    kept: KeptObjects | None = None

    def compile(self, participants: Sequence[Unit]) -> bytes:
        """Returns the native object that takes the place of the participants. Raises `EnzymeError`."""
        try:
            return self._compiled(participants)
        except NotOnFibers:
            return replace(self, fibers=False).compile(participants)
        except NeedsFibers:
            return replace(self, fibers=True).compile(participants)
        except NotOnTeams as obstacle:
            if self.why_serial:  # threads of the program share shadows: there is no other way to run them
                reason = f"threads share shadows (enzyme_shared), and add to them at the same time: {obstacle}"
                raise EnzymeError.of("EZ0304", "shadows that threads share", reason=reason) from None
            if obstacle.functions.keys() - self.alone.keys():
                return replace(self, alone={**obstacle.functions, **self.alone}).compile(participants)
            return replace(self, why_serial=str(obstacle)).compile(participants)
        except _Curable as first:
            try:
                return replace(self, follows=first.follows, faults=first.faults)._compiled(participants)
            except (EnzymeError, NotOnTeams, NotOnFibers, NeedsFibers):
                return first.finish()
        except EnzymeError as error:
            more = follows_of(error.diagnostics) | self.follows
            if more == self.follows:
                raise
            try:  # only a program that needs it pays for it
                return replace(self, follows=more).compile(participants)
            except EnzymeError:
                raise error from None

    def _compiled(self, participants: Sequence[Unit]) -> bytes:
        with self.stage("merge"):
            borrowed, profiles = self.taking_part.borrowed, self.settings.profile_calls
            merged = merge(participants, borrowed, self.linked, self.reader, self.settings.verify, profiles)
            _check_target(merged.module.triple)
            code = run(OPENED_MODULE, self._code(merged, participants), self._save_after)
        asked = Asked(code.is_kept, self.linked.provenance)
        if self.kept is None or self.settings.explain:
            return self._made(code, asked)
        return self.kept.made(code, self._given, asked, lambda code: self._made(code, asked))

    @property
    def _given(self) -> list[object]:
        """What a merged module does not say of itself, and its derivatives depend on."""
        part = self.taking_part
        recovering = sorted(self.back_end.recovering)
        return [
            part.left_out,
            recovering,
            *(sorted(names) for names in (part.native_functions, part.set_up, part.tear_down)),
        ]

    def _made(self, code: MergedCode, asked: Asked) -> bytes:
        """Returns the object of the opened module."""
        from enzyme_cc.autodiff import unwinding

        with self.stage("optimise"):
            code = replace(code, lower=partial(self._without_exceptions, opaque=frozenset(code.linkages)))
            code = self._run(PREOPTIMISED_MODULE if self.settings.preoptimise else CLEANED_MODULE, code)
        with self.stage("differentiate"):
            self._keep(code.text)
            derived = self._differentiated(code, asked)
            faults = [d for error in derived.warnings for d in unwinding.in_source_terms(error).diagnostics]
        finish = partial(self._finished, code, derived, faults)
        self._check_faults(faults, len(code.text), finish)
        return finish()

    def _check_faults(self, faults: Sequence[Diagnostic], size: int, finish: Callable[[], bytes]) -> None:
        """Raises _Curable if a second attempt may have fewer faults, EnzymeError if this one has not fewer."""
        said = frozenset(fault.render() for fault in faults)
        if self.faults is not None and not said < self.faults:
            raise EnzymeError(faults)
        more = follows_of(faults) | self.follows
        if self.faults is None and more != self.follows and size <= _SECOND_ATTEMPT:
            raise _Curable(more, said, finish)

    def _finished(self, code: MergedCode, derived: DerivedModule, faults: list[Diagnostic]) -> bytes:
        """Returns the object of a module with derivatives. Tells what there is to tell about these."""
        from enzyme_cc.autodiff import unwinding

        self._save("diff.ll", derived.text)
        if derived.mistakes:
            mistakes = unwinding.in_source_terms(EnzymeError(derived.mistakes))
            warning_options.tell(mistakes.diagnostics, self.settings.warnings)
        _warn_of_faults(faults)
        self._tell_remarks([*_of_threads(code.regions), *derived.remarks])
        with self.stage("finish"):
            code = self._run(CLOSED_MODULE, replace(code, text=derived.text))
        with self.stage("emit"):
            huge = is_huge(code.text)
            is_saved = self.settings.save_temps is not None
            is_apart = huge or code.is_checked or is_saved or has_roots(code.text) or has_choices(code.text)
            code = replace(code, is_huge=huge, is_apart=is_apart)
            self._keep(code.text)
            if code.is_checked:
                return self._object(code, code.text, None)
            given = (huge, is_apart, code.is_pic)
            return self.parts.made(code.text, given, partial(self._object, code))

    def _object(self, code: MergedCode, text: str, number: int | None) -> bytes:
        """Returns the object of the finished module's text, or of one of its parts, which has a number."""
        done = partial(self._save_after, number=number)
        return _checked(lambda: run(EMITTED, replace(code, text=text), done)).object

    def _run(self, table: tuple[Pass, ...], code: MergedCode) -> MergedCode:
        """Runs passes of LLVM and others on the module's text, which a crash of LLVM leaves for the report."""
        self._keep(code.text)
        return _checked(lambda: run(table, code, self._save_after))

    def _save_after(self, row: Pass, code: MergedCode, number: int | None = None) -> None:
        """Saves the code after a pass. `number`: that of the part that it is."""
        if row.file:
            base, end = os.path.splitext(row.file)
            self._save(row.file if number is None else f"{base}.{number}{end}", code.text)

    def _code(self, merged: Merged, participants: Sequence[Unit]) -> MergedCode:
        """Returns the merged module, with all that its passes are given."""
        library = {p.symbol: p.type for p in self.taking_part.pointed if p.type}
        shipped = DerivativeLibrary.shipped(architecture_name(merged.module.triple))

        def type_of(entity: Entity) -> str:
            if takes_text(entity.name):
                return TEXT_TYPE
            return library.get(entity.name) or value_type(merged.module, entity)

        return MergedCode(
            verify=self.settings.verify,
            text="",
            back_end=self.back_end,
            module=merged.module,
            context=self.reader.context,
            guard=self.guard,
            linked=self.linked,
            text_of=self.reader.text,
            is_kept=merged.loans.kept(self.is_kept),
            loans=merged.loans,
            pointed=self._pointed(merged.loans),
            markers=merged.markers,
            has_assembly=any(has_assembly(self.reader.text(unit)) for unit in participants),
            type_of=type_of,
            has_rule=has_rule,
            left=self._left,
            libraries=[*self.derivatives, shipped],
            carriers=self._carriers,
            mpi=self.mpi,
            is_pic=self.pic or bool(self._carriers),
            follows=self.follows,
            has_serial_regions=self._has_serial_regions,
            fibers=False if self._rewrites else self.fibers,
            runs_apart=bool(self.alone),
            is_checked=bool(self.settings.check),
            profiles=self.settings.profile_calls,
            uses_profile=bool(self.settings.call_files),
        )

    @property
    def _rewrites(self) -> bool:
        """True if derivatives are made of functions that are rewritten: calls of threads are not followed there."""
        return bool(self.settings.truncation or self.settings.precision_report)

    @property
    def _has_serial_regions(self) -> bool:
        return bool(self.settings.serial_regions or self.why_serial or self._rewrites)

    @property
    def _left(self) -> frozenset[str]:
        """Functions that have stand-ins, and that are called themselves."""
        left = frozenset() if self.settings.follow_text else TEXT_FUNCTIONS
        left |= frozenset() if Follows.FILES in self.follows else FILE_FUNCTIONS
        return left | (frozenset() if Follows.BYTES in self.follows else BYTES_FUNCTIONS)

    def _pointed(self, loans: Loans) -> list[PointedFunction]:
        """Returns the functions whose address code outside of the merged module may take."""
        return [
            p for p in self.taking_part.pointed if p.type or p.symbol in loans.symbols or self.is_kept(p.symbol, False)
        ]

    def _without_exceptions(self, text: str, opaque: frozenset[str]) -> str:
        """Returns the text in which exceptions in differentiated code are control flow."""
        from enzyme_cc.autodiff import unwinding

        lowered = unwinding.lower_exceptions(
            text, opaque, self._native_names, self.taking_part.left_out, self.settings.verify
        )
        if lowered is None:
            return text
        return with_helpers(lowered, unwinding.PREFIX, self.reader.context, self.guard)

    def _differentiated(self, code: MergedCode, asked: Asked) -> DerivedModule:
        from enzyme_cc.autodiff import DerivedModule, Options, answered_plainly, differentiate, unwinding

        options = Options(
            explain=self.settings.explain,
            remarks=self.settings.remarks is not None,
            precision_report=self.settings.precision_report,
            tape_report=self.settings.tape_report,
            strict_math=self.settings.strict_math,
            check=bool(self.settings.check),
            differences=self.settings.check == DIFFERENCES,
            truncation=self.settings.truncation,
            left_out=self.taking_part.left_out,
            native_functions=self._native_names,
            set_up=_symbols(self.taking_part.set_up),
            tear_down=_symbols(self.taking_part.tear_down),
            why_serial=self.why_serial or code.regions.why_not,
            alone=self.alone,
            verify=self.settings.verify,
            back_end=self.back_end,
        )
        try:
            if self.settings.profile_calls:
                return DerivedModule(answered_plainly(code.text, options, asked.defined_in))
            return differentiate(code.text, options, asked.defined_in, self.count)
        except NotOnTeams as obstacle:
            raise _due_to_one(obstacle, code.text) from None
        except EnzymeError as error:
            if code.has_fibers:
                raise NotOnFibers(error.diagnostics[0].summary) from error
            if code.regions.on_teams:
                raise _due_to_one(NotOnTeams(error.diagnostics[0].summary), code.text) from error
            raise unwinding.in_source_terms(error) from None

    @property
    def _carriers(self) -> tuple[Carrier, ...]:
        """The shared libraries whose units take part."""
        return tuple(unit.carrier for unit in self.taking_part.borrowed if unit.carrier is not None)

    @property
    def _native_names(self) -> frozenset[str]:
        return _symbols(self.taking_part.native_functions)

    def _tell_remarks(self, found: Iterable[Remark]) -> None:
        """Writes the remarks to the file that takes them, or prints them."""
        once, path = list(dict.fromkeys(found)), self.settings.remarks
        if path:
            guarded(lambda: write_file(path, records(once).encode()), path)
        for remark in [] if path else once:
            print(remark.render(), file=sys.stderr)

    def _keep(self, text: str) -> None:
        """Writes the module that LLVM works on next, for a report if LLVM fails."""
        guarded(lambda: write_file(self.module_file, text.encode()), self.module_file)

    def _save(self, name: str, text: str) -> None:
        directory = self.settings.save_temps
        if directory is not None:
            path = os.path.join(directory, name)
            guarded(lambda: os.makedirs(directory, exist_ok=True), directory)
            guarded(lambda: write_file(path, text.encode()), path)


def _due_to_one(obstacle: NotOnTeams, text: str) -> NotOnTeams:
    """Returns the obstacle as that of the region for threads of several functions, without which others may run."""
    together, why = f"@{TOGETHER}", str(obstacle)
    is_due = f"{together}(" in text and (not obstacle.functions or together in obstacle.functions)
    return NotOnTeams(why, {together: why}) if is_due else obstacle


def _of_threads(regions: Regions) -> Iterator[Remark]:
    """Yields the remark that threads of differentiated code take turns, and why."""
    if regions.in_turns is not None:
        maker, why = regions.in_turns
        said = (
            ("String", "threads that this function makes run in one thread, one after the other: "),
            ("Reason", why),
        )
        yield Remark(RemarkKind.MISSED, "InTurns", maker, None, said)


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


def has_rule(name: str) -> bool:
    """True if a rule differentiates calls of this function: its body is not needed, and LLVM must not inline it."""
    from enzyme_cc.rules.library_functions import known

    return known(name) is not None


def needs_no_body(name: str) -> bool:
    """True if a rule moves derivatives through calls of this function: the link does not look for a body.

    The program may define a function of its own that is called like an inactive one of the library, such as `stat`.
    """
    from enzyme_cc.rules.knowledge import CalleeKind
    from enzyme_cc.rules.library_functions import known

    row = known(name)
    return row is not None and row.kind is not CalleeKind.INACTIVE


def is_library(name: str) -> bool:
    """True if calls of this function can be differentiated without a body: by a rule or a stand-in."""
    from enzyme_cc.rules.table import lookup

    return has_rule(name) or lookup(name) is not None or has_stand_in(name)


def _checked(action: Callable[[], T]) -> T:
    """Runs an action of LLVM that fails only on code that enzyme-cc made wrong. Raises `InvalidCode`."""
    try:
        return action()
    except llvm_passes.LLVMError as error:
        raise InvalidCode(str(error)) from error


def lower(data: bytes, label: str, guard: Guard) -> bytes:
    """Returns a native object of raw bitcode. Its symbols are needed, its code is not, and so is not optimised."""
    module = read_bitcode(data, label, guard, llvm.create_context())
    try:
        if any(function.name.startswith(_COROUTINES) for function in module.functions):
            llvm_passes.optimise(module, 0)  # -flto=thin leaves coroutines whole: no code generation knows them
        return llvm_passes.emit_object(module, pic=True, optimisation=0)
    except llvm_passes.LLVMError as error:
        raise EnzymeError.of("EZ0112", f"{label} cannot be compiled", reason=str(error)) from None
