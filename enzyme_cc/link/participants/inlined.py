"""Refuses declarations about a function or variable that the compiler of a unit has optimised away.

Bitcode that clang embeds before it optimises has all calls. Bitcode of flang, of rustc and of clang -flto is written
after inlining. What a program registers about an inlined function would be ignored there without a message. The same
holds for calls whose result LLVM knows, and for loads of an inactive variable, which give way to what was stored.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property

from msgspec import Struct

from enzyme_cc.ir.attributes import group_words
from enzyme_cc.ir.module import Module
from enzyme_cc.link.inputs.module_text import Entity, ModuleText
from enzyme_cc.link.inputs.units import Definition, Unit
from enzyme_cc.link.participants.declarations import PRESERVED, annotated, declared
from enzyme_cc.link.participants.inactive_variables import STORE, inactive_variables, lines_with_variable
from enzyme_cc.report import Diagnostic, EnzymeError

Reached = frozenset[Definition]

# No front end writes this attribute at a definition, but LLVM infers it for nearly every function that it simplifies.
_INFERRED = "nosync"
_OPTIMISED_TBAA = "!tbaa "
_METADATA = re.compile(r"!\d+")
#: a parameter that is also the result: LLVM uses the argument in place of the call's result
_RETURNED = re.compile(r"\b(?:half|bfloat|float|double|x86_fp80|fp128|x (?:float|double)>)[^,()]* returned\b")


def refuse_inlined(units: Iterable[Unit], requested: Reached, text_of: Callable[[Unit], ModuleText]) -> None:
    """Raises `EnzymeError` (EZ0212) for what is declared, if functions that requests reach have lost it, or may have.

    These are calls of functions, and loads of variables.
    """
    units = tuple(units)
    modules = [text_of(unit) for unit in units]
    declarations = [declared(module) for module in modules]
    subjects = set().union(*(names for names, _ in declarations), *(annotated(m, PRESERVED) for m in modules))
    variables = set().union(*map(inactive_variables, modules))
    registered = {name for module in modules for name in _registered(module)}
    requested -= {(unit, name) for _, opaque in declarations for name in opaque for unit in units}
    found = []
    for unit in map(_UnitModule, units, modules):
        names = (subjects | variables) & unit.module.entities.keys()
        if names and not unit.unit.is_unoptimised and unit.is_optimised:
            others = [e for e in unit.definitions if (unit.unit, e.name) in requested]
            found += [d for other in others for d in _forwarded(unit, other, variables)]
            for name in sorted(subjects & names):
                callers = [e for e in others if e.name != name]
                found += _inlined(unit, name, callers, name in registered) if callers else ()
    if found:
        raise EnzymeError(found)


class _UnitModule(Struct, frozen=True, dict=True):
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

    @property
    def definitions(self) -> list[Entity]:
        """The functions with a body."""
        return [e for e in self.module.entities.values() if e.is_function and e.is_definition]

    def head(self, entity: Entity) -> str:
        return self.module.of(entity).partition("\n")[0]

    def calls_of(self, name: str) -> Iterator[str]:
        """Yields the rest of each line that calls the function."""
        for entity in self.definitions:
            yield from (rest for callee, rest in self.module.calls(entity, name) if callee == name)


def _registered(module: ModuleText) -> Iterator[str]:
    """Yields the functions with a derivative of their own."""
    for entity in module.entities.values():
        if "__enzyme_register_" in entity.name:
            yield from module.ordered_references(entity)[:1]


def _inlined(unit: _UnitModule, name: str, callers: list[Entity], is_registered: bool) -> list[Diagnostic]:
    entity = unit.module.entities[name]
    if not (entity.is_function and entity.is_definition):
        return []
    head = unit.head(entity)
    attributes = unit.attributes(head)
    if _RETURNED.search(head) or (is_registered and " void @" in head and _writes_nothing(attributes)):
        return [
            Diagnostic(
                "EZ0212",
                f"the program declares something about {name}, but LLVM can do without its calls in {unit.unit.label}",
                function=callers[0].name,
                reason="the bitcode was written after optimisation; the function returns an argument, or does nothing",
            )
        ]
    if "noinline" in attributes:
        return []
    subprogram = unit.parsed.locations.subprogram_of(head)
    if subprogram is not None:
        return _copied(unit, name, subprogram, callers)
    calls = [unit.attributes(rest) for rest in unit.calls_of(name)]
    if calls and all("noinline" in attributes for attributes in calls):
        return []
    return [
        Diagnostic(
            "EZ0212",
            f"the program declares something about {name}, but its calls in {unit.unit.label} may have been inlined",
            function=callers[0].name,
            reason="the bitcode was written after inlining; only debug information (-g) would tell which calls are "
            "inlined",
        )
    ]


def _writes_nothing(attributes: list[str]) -> bool:
    return any(word.startswith("memory(") and "write" not in word for word in attributes)


def _forwarded(unit: _UnitModule, function: Entity, variables: set[str]) -> Iterator[Diagnostic]:
    """Yields a refusal for each inactive variable in which a function stores numbers."""
    lines = lines_with_variable(unit.module, function, variables) if variables else ()
    for name in dict.fromkeys(variable for line, variable in lines if variable and STORE.match(line)):
        yield Diagnostic(
            "EZ0212",
            f"the program declares that {name} is inactive, but numbers stored there may not be loaded from there",
            function=function.name,
            reason=f"the bitcode in {unit.unit.label} was written after optimisation, which uses what was stored",
        )


def _copied(unit: _UnitModule, name: str, subprogram: str, callers: list[Entity]) -> list[Diagnostic]:
    """Returns a refusal if debug information has an inlined call of the function in one of its callers."""
    for other in callers:
        nodes = dict.fromkeys(_METADATA.findall(unit.module.of(other)))
        place = next(filter(None, (unit.parsed.locations.inlined_call(node, subprogram) for node in nodes)), None)
        if place is not None:
            return [
                Diagnostic(
                    "EZ0212",
                    f"the program declares something about {name}, but this call of it has been inlined",
                    location=place,
                    function=other.name,
                    reason=f"the bitcode in {unit.unit.label} was written after inlining",
                )
            ]
    return []
