"""Refuses declarations about a function if the compiler of its unit has inlined calls of it.

Bitcode that clang embeds before it optimises has all calls. Bitcode of flang, of rustc and of clang -flto is written
after inlining. What a program registers about an inlined function would be ignored there without a message.
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

# No front end writes this attribute at a definition, but LLVM infers it for nearly every function that it simplifies.
_INFERRED = "nosync"
_OPTIMISED_TBAA = "!tbaa "
_METADATA = re.compile(r"!\d+")


def refuse_inlined(units: Iterable[Unit], requested: Reached, text_of: Callable[[Unit], ModuleText]) -> None:
    """Raises `EnzymeError` (EZ0212) if a declared function is, or may be, inlined into one that requests reach."""
    units = tuple(units)
    declarations = [declared(text_of(unit)) for unit in units]
    subjects = set().union(*(names for names, _ in declarations))
    requested -= {(unit, name) for _, opaque in declarations for name in opaque for unit in units}
    found = [
        diagnostic
        for unit in map(_UnitModule, units, map(text_of, units))
        for subject in sorted(subjects & unit.module.entities.keys())
        if (diagnostic := _inlined(unit, subject, requested)) is not None
    ]
    if found:
        raise EnzymeError(found)


@dataclass(frozen=True)
class _UnitModule:
    unit: Unit
    module: ModuleText

    @cached_property
    def parsed(self) -> Module:
        return Module.parse(self.module.text)

    def attributes(self, line: str) -> list[str]:
        """Returns the attributes on the first line of a definition or on the line of a call."""
        return group_words(self.parsed, line)

    @cached_property
    def is_optimised(self) -> bool:
        return _OPTIMISED_TBAA in self.module.text or any(
            _INFERRED in self.attributes(self.head(e)) for e in self.module.entities.values() if e.is_definition
        )

    def head(self, entity: Entity) -> str:
        return self.module.of(entity).partition("\n")[0]

    def calls_of(self, name: str) -> Iterator[str]:
        """Yields the rest of each line that calls the function."""
        for entity in self.module.entities.values():
            if entity.is_function and entity.is_definition:
                yield from (rest for callee, rest in self.module.calls(entity, name) if callee == name)


def _inlined(unit: _UnitModule, name: str, requested: Reached) -> Diagnostic | None:
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
        f"the program declares something about {name}, but its calls in {unit.unit.label} may have been inlined",
        function=others[0].name,
        reason="the bitcode was written after inlining; only debug information (-g) would tell which calls are inlined",
    )


def _copied(unit: _UnitModule, name: str, subprogram: str, others: list[Entity]) -> Diagnostic | None:
    """Returns a refusal if debug information has an inlined call of the function in one of the others."""
    for other in others:
        nodes = dict.fromkeys(_METADATA.findall(unit.module.of(other)))
        place = next(filter(None, (unit.parsed.inlined_call(node, subprogram) for node in nodes)), None)
        if place is not None:
            return Diagnostic(
                "EZ0212",
                f"the program declares something about {name}, but this call of it has been inlined",
                location=place,
                function=other.name,
                reason=f"the bitcode in {unit.unit.label} was written after inlining",
            )
    return None
