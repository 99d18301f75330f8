"""Finds the units that take part in differentiation: those with requests, and those that requests reach.

The walk goes from function to function, not from unit to unit. It starts at what the requesting functions name as
values (the functions to differentiate, above all) and at the entries of registrations, and follows every reference of
a function's body and of a global's initialiser, into the unit whose definition prevails. A request whose function is
not a direct constant is a parameter of its caller: the callers' values are starts then, in any unit.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from enzyme_cc.link.inputs.module_text import NAME, Entity, ModuleText, unquoted
from enzyme_cc.link.inputs.units import REQUEST, Linked, Unit
from enzyme_cc.link.participants.pointer_targets import PointerTargets, Want, is_local, wants

_ANNOTATIONS = "llvm.global.annotations"

# Prefixes of globals that declare something: their entries are reached without being named by a request.
REGISTRATIONS = (
    "__enzyme_register_",
    "__enzyme_function_like",
    "__enzyme_inactivefn",
    "__enzyme_inactive_global",
    "__enzyme_allocation_like",
    "__enzyme_nofree",
    "__enzyme_shouldrecompute",
)


# Those without effect where calls are inlined, and how many of their first entries that is about.
_OF_CALLS = {
    "__enzyme_register_": 1,
    "__enzyme_function_like": 1,
    "__enzyme_inactivefn": None,
    "__enzyme_allocation_like": None,
}
# What is declared of such a function leaves its body to be differentiated.
_OF_STEPS = "__enzyme_register_checkpoint"
_ROW = re.compile(rf"\{{ ptr @({NAME}), ptr @({NAME}), [^}}]*\}}")


def is_registration(name: str) -> bool:
    """Say whether a global declares a custom derivative or a property (C++ may mangle its name)."""
    return any(prefix in name for prefix in REGISTRATIONS)


def annotated(module: ModuleText) -> set[str]:
    """Return the functions and globals that carry an attribute of enzyme.h."""
    annotations = module.entities.get(_ANNOTATIONS)
    rows = [] if annotations is None else _ROW.findall(module.of(annotations))
    texts = {text: module.of(module.entities[unquoted(text)]) for _, text in rows}
    return {unquoted(name) for name, text in rows if 'c"enzyme:' in texts[text]}


def declared(module: ModuleText) -> tuple[set[str], set[str]]:
    """Return the functions about whose calls a module declares something, and those whose body does not count then."""
    names, opaque = annotated(module), set[str]()
    for entity in module.entities.values():
        for prefix, count in _OF_CALLS.items():
            if prefix in entity.name:
                found = module.ordered_references(entity)[:count]
                names.update(found)
                opaque.update(found if _OF_STEPS not in entity.name else ())
    return names, opaque


@dataclass
class Closure:
    """The walk.

    `text_of` gives the module text of a unit with bitcode, read when it is first needed. `has_rule` says of which
    functions the derivative is known without a body, so that units need not take part for their sake. `unlinked` finds
    the archive member that would be linked for a symbol: optimised native code may not need what bitcode names.
    `requested` is afterwards what requests reach, without what only registrations name; `pointed` the functions that
    are reached through pointers.
    """

    linked: Linked
    text_of: Callable[[Unit], ModuleText]
    has_rule: Callable[[str], bool]
    unlinked: Callable[[str], Unit | None]
    participants: dict[Unit, None] = field(default_factory=dict)
    requested: frozenset[tuple[Unit, str]] = frozenset()
    pointed: set[str] = field(default_factory=set)
    _wanted: set[Want] = field(default_factory=set)
    _declarations: list[tuple[Unit, str]] = field(default_factory=list)
    _seen: set[tuple[Unit, str]] = field(default_factory=set)
    _work: list[tuple[Unit, str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.targets = PointerTargets(self.linked, self.text_of)

    def run(self) -> tuple[Unit, ...]:
        """Return the participants in link order."""
        for unit in self.linked.units:
            if unit.raw is not None or (unit.requests and unit.modules):
                self._join(unit)
        generic = {start for unit in list(self.participants) for start in self._start_requests(unit)}
        self._start_callers(generic)
        self._walk()
        self.requested = frozenset(self._seen)
        while self._declarations:
            self._push(*self._declarations.pop())
            self._walk()
        late = [unit for unit in self.participants if unit not in self.linked.units]
        return (*(unit for unit in self.linked.units if unit in self.participants), *late)

    def _walk(self) -> None:
        while self._work:
            unit, name = self._work.pop()
            entity = self.text_of(unit).entities.get(name)
            if entity is not None:
                for reference in self.text_of(unit).references(entity):
                    self._reach(unit, reference)
                for want in wants(self.text_of(unit).of(entity)) if entity.is_function else ():
                    self._reach_targets(want)

    def _reach_targets(self, want: Want) -> None:
        """Follow a call through a pointer to all functions that it may reach."""
        if want in self._wanted:
            return
        self._wanted.add(want)
        for unit, name in self.targets.of(want):
            if self.text_of(unit).entities[name].is_definition and self._definer(name) in (unit, None):
                self._join(unit)
            self._reach(unit, name)
            self.pointed.add(name)

    def _join(self, unit: Unit) -> None:
        if unit not in self.participants:
            self.participants[unit] = None
            for entity in self.text_of(unit).entities.values():
                if entity.is_definition and (is_registration(entity.name) or entity.name == _ANNOTATIONS):
                    self._declarations.append((unit, entity.name))

    def _definer(self, name: str) -> Unit | None:
        unit = self.linked.definers.get(name)
        if unit is not None or name.startswith("llvm.") or REQUEST in name or self.linked.provenance(name):
            return unit
        return self.unlinked(name)

    def _push(self, unit: Unit, name: str) -> None:
        if (unit, name) not in self._seen:
            self._seen.add((unit, name))
            self._work.append((unit, name))

    def _reach(self, unit: Unit, name: str) -> None:
        """Follow a reference from a unit to where the symbol is defined."""
        entity = self.text_of(unit).entities.get(name)
        if entity is None or not entity.is_definition:
            name = self.linked.target(name)
        definer = self._definer(name)
        if definer is None or not definer.modules or definer is unit:
            if entity is not None and entity.is_definition:
                self._push(unit, name)
            return
        if entity is not None and entity.is_definition and is_local(self.text_of(unit).of(entity)):
            self._push(unit, name)
            return
        if not name.startswith("llvm.") and REQUEST not in name and not self.has_rule(name):
            self._join(definer)
            self._push(definer, name)

    def _start_requests(self, unit: Unit) -> Iterator[tuple[Unit, str]]:
        """Reach what the unit's requests name; yield the functions whose requests name no function themselves."""
        module = self.text_of(unit)
        for entity in module.entities.values():
            if not (entity.is_function and entity.is_definition) or REQUEST in entity.name:
                continue
            requests = list(module.calls(entity, REQUEST))
            if requests or _mentions_request(module, entity):
                self._reach_values(unit, entity)
            if any(not self._names_function(module, arguments) for _, arguments in requests):
                yield unit, entity.name

    def _reach_values(self, unit: Unit, entity: Entity) -> bool:
        """Reach the values that a function names; say whether a function is among them."""
        module = self.text_of(unit)
        values = module.values(entity)
        for name in values:
            self._reach(unit, name)
        return any(name in module.entities and module.entities[name].is_function for name in values)

    @staticmethod
    def _names_function(module: ModuleText, arguments: str) -> bool:
        named = ModuleText(arguments).text.split(", ")[:2]
        tokens = [part.rpartition("@")[2].rstrip(")") for part in named if "@" in part]
        return any(token in module.entities and module.entities[token].is_function for token in tokens)

    def _start_callers(self, generic: set[tuple[Unit, str]]) -> None:
        """Reach the values that callers of the `generic` functions name, and callers of callers that name none."""
        done: set[tuple[Unit, str]] = set()
        work = sorted(generic, key=lambda start: (start[0].label, start[1]))
        while work:
            callee_unit, callee = start = work.pop()
            if start in done:
                continue
            done.add(start)
            for unit in self._units_that_mention(callee_unit, callee):
                module = self.text_of(unit)
                for entity in list(module.entities.values()):
                    if entity.is_definition and callee in module.references(entity):
                        self._join(unit)
                        if not (self._reach_values(unit, entity) if entity.is_function else True):
                            work.append((unit, entity.name))

    def _units_that_mention(self, callee_unit: Unit, callee: str) -> Iterator[Unit]:
        yield callee_unit
        for unit in self.linked.units:
            if unit is not callee_unit and unit.modules and any(symbol.name == callee for symbol in unit.symbols):
                yield unit


def _mentions_request(module: ModuleText, entity: Entity) -> bool:
    return any(REQUEST in name for name in module.references(entity))
