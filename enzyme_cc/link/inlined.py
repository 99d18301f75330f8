"""Refuses declarations about a function whose body its unit's compiler has put in the place of calls.

Bitcode that is embedded unoptimised has all calls. flang's, rustc's and that of -flto is written after inlining: what
a program registers about a function that was inlined there would have no effect, without a word.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from enzyme_cc.link.closure import declared
from enzyme_cc.link.scan import Entity, ModuleText
from enzyme_cc.link.units import Unit
from enzyme_cc.report import Diagnostic, EnzymeError

Reached = frozenset[tuple[Unit, str]]

_GROUP = re.compile(r"^attributes #(\d+) = \{([^\n]*)\}$", re.M)
_GROUP_OF_CALL = re.compile(r"\)(?: [^\n#]*)? #(\d+)")
# What no front end writes at a definition, but LLVM concludes of nearly every function that it has simplified.
_CONCLUDED = "nosync"
_OPTIMISED_TBAA = "!tbaa "

_LOCATION = re.compile(
    r"^!(\d+) = (?:distinct )?!DILocation\(line: (\d+),[^\n]*?scope: !(\d+)(?:, inlinedAt: !(\d+))?", re.M
)
_SCOPE = re.compile(r"^!(\d+) = (?:distinct )?!DILexicalBlock(?:File)?\(scope: !(\d+)", re.M)
_SUBPROGRAM_FILE = re.compile(r"^!(\d+) = (?:distinct )?!DISubprogram\([^\n]*?\bfile: !(\d+)", re.M)
_FILE = re.compile(r'^!(\d+) = !DIFile\(filename: "([^"\n]*)"', re.M)
_SUBPROGRAM = re.compile(r" !dbg !(\d+)")
_METADATA = re.compile(r"!(\d+)")


def refuse_inlined(units: Iterable[Unit], requested: Reached, text_of: Callable[[Unit], ModuleText]) -> None:
    """Raise `EnzymeError` (EZ0212) where a function about which something is declared is, or may be, inlined into a
    function that requests reach."""
    units = tuple(units)
    declarations = [declared(text_of(unit)) for unit in units]
    subjects = set().union(*(names for names, _ in declarations))
    requested -= {(unit, name) for _, opaque in declarations for name in opaque for unit in units}
    found = [
        diagnostic
        for unit in units
        for subject in sorted(subjects & text_of(unit).entities.keys())
        if (diagnostic := _inlined(_Unit(unit, text_of(unit)), subject, requested)) is not None
    ]
    if found:
        raise EnzymeError(found)


@dataclass(frozen=True)
class _Unit:
    unit: Unit
    module: ModuleText

    @cached_property
    def groups(self) -> dict[str, str]:
        """The attributes of each group."""
        return dict(_GROUP.findall(self.module.text))

    def attributes(self, line: str) -> str:
        """The attributes of the first line of a definition, or of a call."""
        found = _GROUP_OF_CALL.search(line)
        return self.groups.get(found[1], "") if found is not None else ""

    @cached_property
    def is_optimised(self) -> bool:
        return _OPTIMISED_TBAA in self.module.text or any(
            _CONCLUDED in self.attributes(self.head(e)) for e in self.module.entities.values() if e.is_definition
        )

    def head(self, entity: Entity) -> str:
        return self.module.of(entity).partition("\n")[0]

    def calls_of(self, name: str) -> Iterator[str]:
        """The rest of each line that calls the function."""
        for entity in self.module.entities.values():
            if entity.is_function and entity.is_definition:
                yield from (rest for callee, rest in self.module.calls(entity, name) if callee == name)

    @cached_property
    def debug(self) -> _DebugInformation:
        return _DebugInformation(self.module.text)


def _inlined(unit: _Unit, name: str, requested: Reached) -> Diagnostic | None:
    entity = unit.module.entities[name]
    if not (entity.is_function and entity.is_definition) or unit.unit.is_unoptimised or not unit.is_optimised:
        return None
    others = [e for e in unit.module.entities.values() if e.is_function and e.is_definition and e.name != name]
    others = [e for e in others if (unit.unit, e.name) in requested]
    subprogram = _SUBPROGRAM.search(unit.head(entity))
    if not others or "noinline" in unit.attributes(unit.head(entity)):
        return None
    if subprogram is not None:
        return _copied(unit, name, subprogram[1], others)
    calls = [unit.attributes("(" + rest) for rest in unit.calls_of(name)]
    if calls and all("noinline" in attributes for attributes in calls):
        return None
    return Diagnostic(
        "EZ0212",
        f"something is declared about {name}, but its calls in {unit.unit.label} may have been inlined",
        function=others[0].name,
        reason="the bitcode was written after inlining, and without debug information (-g) nothing shows of what",
    )


def _copied(unit: _Unit, name: str, subprogram: str, others: list[Entity]) -> Diagnostic | None:
    """What debug information says for certain."""
    for other in others:
        place = unit.debug.copy_in(unit.module.of(other), subprogram)
        if place is not None:
            return Diagnostic(
                "EZ0212",
                f"something is declared about {name}, but this call of it has been inlined",
                location=place,
                function=other.name,
                reason=f"the bitcode in {unit.unit.label} was written after inlining",
            )
    return None


class _DebugInformation:
    """Lines of a module's metadata, as far as they tell what was inlined where."""

    def __init__(self, text: str) -> None:
        self.locations = {found[1]: found for found in _LOCATION.finditer(text)}
        self.scopes = dict(_SCOPE.findall(text))
        self.subprogram_files = dict(_SUBPROGRAM_FILE.findall(text))
        self.files = dict(_FILE.findall(text))

    def copy_in(self, text: str, subprogram: str) -> str | None:
        """Return "file:line" of the first call in a function's text that its compiler has replaced by the body."""
        for number in dict.fromkeys(_METADATA.findall(text)):
            chain = list(self._chain(number))
            if any(self._subprogram(location[3]) == subprogram for location in chain[:-1]):
                return self._place(chain[-1])
        return None

    def _chain(self, number: str | None) -> Iterator[re.Match[str]]:
        """The location, that of the call which it was inlined for, that one's, and so on."""
        while number is not None and number in self.locations:
            yield self.locations[number]
            number = self.locations[number][4]

    def _subprogram(self, scope: str) -> str:
        while scope in self.scopes:
            scope = self.scopes[scope]
        return scope

    def _place(self, location: re.Match[str]) -> str:
        file = self.files.get(self.subprogram_files.get(self._subprogram(location[3]), ""), "")
        return f"{file}:{location[2]}"
