"""Which functions the user says that calls through pointers reach: by options, by lists of names, by profiles of calls.

A list has a name on each line. Lines that begin with `#` are comments. A profile is a list that a program of
--enzyme-profile-calls has written. In it, a function that is local to a unit has the name of its source file before its
own: `file.c:name`. A function without bitcode has its object behind its name: `sin of libm.so.6`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from msgspec import Struct

from enzyme_cc.link.command.command import Settings
from enzyme_cc.link.command.unknown_candidates import unknown_candidates
from enzyme_cc.link.inputs.module_text import ModuleText
from enzyme_cc.link.inputs.units import Linked, Unit, read_file
from enzyme_cc.link.participants.linkage import LOCAL, linkage
from enzyme_cc.report import Diagnostic, EnzymeError, warn
from enzyme_cc.report.spelling import OBJECT, did_you_mean, line_of_local

_AGAIN = "make the profile again by a program that is linked with --enzyme-profile-calls"


class ChosenFunctions(Struct, frozen=True):
    """The functions that take part for the user's sake.

    `named`: these take part beside the budget: names of functions or of source files. `called`: the lines of a profile;
    calls through pointers reach these functions only. None if there is no profile. `in_bitcode`: those of them that
    have bitcode.
    """

    named: frozenset[str] = frozenset()
    called: frozenset[str] | None = None
    in_bitcode: frozenset[str] = frozenset()

    @staticmethod
    def of(settings: Settings) -> ChosenFunctions:
        """Returns what the options say. Raises `EnzymeError` (EZ0104) for a file that cannot be read."""
        named = frozenset([*settings.candidates, *_lines(settings.candidate_files)])
        lines = frozenset(_lines(settings.call_files))
        own = frozenset(line for line in lines if OBJECT not in line)
        called = frozenset(line.partition(OBJECT)[0] for line in lines) if settings.call_files else None
        return ChosenFunctions(named, called, own)

    def names(self, module: ModuleText, function: str) -> bool:
        """True if a function takes part beside the budget, by its name or by its source file's."""
        return bool(self.named) and (function in self.named or module.source_file in self.named)

    def excludes(self, module: ModuleText, function: str) -> bool:
        """True if a profile says that no call through a pointer reaches a function."""
        if self.called is None:
            return False
        return function not in self.called and line_of_local(function, module.source_file) not in self.called

    def check(self, linked: Linked, text_of: Callable[[Unit], ModuleText]) -> None:
        """Warns of unknown candidates. Raises `EnzymeError` (EZ0111) for lines of a profile that no function has."""
        if not (self.named or self.in_bitcode):
            return
        modules = [text_of(unit) for unit in linked.units if unit.modules]
        functions = {
            e.name for module in modules for e in module.entities.values() if e.is_function and e.is_definition
        }
        files = {module.source_file for module in modules} - {""}
        warn(unknown_candidates(self.named, functions | files))
        faults = _unknown(self.in_bitcode - functions, modules, functions) if self.in_bitcode else []
        if faults:
            raise EnzymeError(faults)


def _lines(paths: Iterable[str]) -> Iterator[str]:
    for path in paths:
        text = bytes(read_file(path)).decode(errors="surrogateescape")
        yield from (line for line in map(str.strip, text.splitlines()) if line and not line.startswith("#"))


def _unknown(lines: Iterable[str], modules: list[ModuleText], functions: set[str]) -> list[Diagnostic]:
    """Returns an error for each line that no function has."""
    local = {
        line_of_local(entity.name, module.source_file)
        for module in modules
        for entity in module.entities.values()
        if entity.is_function and entity.is_definition and linkage(module.of(entity).partition("\n")[0]) in LOCAL
    }
    return [
        Diagnostic(
            "EZ0111",
            f"--enzyme-use-calls: no function with bitcode in this link is {line}",
            remedy=f"{did_you_mean(line, local | functions)}{_AGAIN}",
        )
        for line in sorted(lines)
        if line not in local
    ]
