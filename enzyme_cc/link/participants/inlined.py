"""Refuses declarations about a function whose body its unit's compiler has put in the place of calls.

Bitcode that is embedded unoptimised has all calls. flang's, rustc's and that of -flto is written after inlining: what
a program registers about a function that was inlined there would have no effect, without a word.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from enzyme_cc.ir.attributes import group_words
from enzyme_cc.ir.module import Module
from enzyme_cc.link.inputs.module_text import Entity, ModuleText
from enzyme_cc.link.inputs.units import Unit
from enzyme_cc.link.participants.closure import declared
from enzyme_cc.report import Diagnostic, EnzymeError

Reached = frozenset[tuple[Unit, str]]

# What no front end writes at a definition, but LLVM concludes of nearly every function that it has simplified.
_CONCLUDED = "nosync"
_OPTIMISED_TBAA = "!tbaa "
_METADATA = re.compile(r"!\d+")


def refuse_inlined(units: Iterable[Unit], requested: Reached, text_of: Callable[[Unit], ModuleText]) -> None:
    """Raise `EnzymeError` (EZ0212) where a function about which something is declared is, or may be, inlined into a
    function that requests reach."""
    units = tuple(units)
    declarations = [declared(text_of(unit)) for unit in units]
    subjects = set().union(*(names for names, _ in declarations))
    requested -= {(unit, name) for _, opaque in declarations for name in opaque for unit in units}
    found = [
        diagnostic
        for unit in map(_Unit, units, map(text_of, units))
        for subject in sorted(subjects & unit.module.entities.keys())
        if (diagnostic := _inlined(unit, subject, requested)) is not None
    ]
    if found:
        raise EnzymeError(found)


@dataclass(frozen=True)
class _Unit:
    unit: Unit
    module: ModuleText

    @cached_property
    def parsed(self) -> Module:
        return Module.parse(self.module.text)

    def attributes(self, line: str) -> list[str]:
        """The attributes of the first line of a definition, or of a call."""
        return group_words(self.parsed, line)

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


def _inlined(unit: _Unit, name: str, requested: Reached) -> Diagnostic | None:
    entity = unit.module.entities[name]
    if not (entity.is_function and entity.is_definition) or unit.unit.is_unoptimised or not unit.is_optimised:
        return None
    others = [e for e in unit.module.entities.values() if e.is_function and e.is_definition and e.name != name]
    others = [e for e in others if (unit.unit, e.name) in requested]
    if not others or "noinline" in unit.attributes(unit.head(entity)):
        return None
    subprogram = unit.parsed.subprogram_of(unit.head(entity))
    if subprogram is not None:
        return _copied(unit, name, subprogram, others)
    calls = [unit.attributes(rest) for rest in unit.calls_of(name)]
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
        nodes = dict.fromkeys(_METADATA.findall(unit.module.of(other)))
        place = next(filter(None, (unit.parsed.inlined_call(node, subprogram) for node in nodes)), None)
        if place is not None:
            return Diagnostic(
                "EZ0212",
                f"something is declared about {name}, but this call of it has been inlined",
                location=place,
                function=other.name,
                reason=f"the bitcode in {unit.unit.label} was written after inlining",
            )
    return None
