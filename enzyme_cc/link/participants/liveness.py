"""Finds the native units that the final link needs, among those that the trial link took.

The trial links whole objects. A function of `lu.o` that nobody calls pulls `invtri.o`, which names more symbols. Each
symbol that a native unit names must stay in the merged module. But the merged module holds functions, not objects, and
drops functions that nothing reaches. So fewer native units may be needed in the final link.

This walk goes from symbol to symbol through both kinds of units, and finds the native archive members that are still
reached. Only symbols that these name must stay. Only members with bitcode are ever left out: they are the program's
own libraries, and code that an optimiser adds cannot refer to them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable

from msgspec import Struct, field

from enzyme_cc.link.inputs.module_text import ModuleText
from enzyme_cc.link.inputs.units import Definition, Linked, Unit
from enzyme_cc.link.participants.declarations import is_registration

_ROOTS = frozenset(
    {"llvm.compiler.used", "llvm.global.annotations", "llvm.global_ctors", "llvm.global_dtors", "llvm.used"}
)


class Liveness(Struct):
    """The walk. `text_of` gives the module text of a participant; `whole` are the archives linked as a whole."""

    linked: Linked
    participants: Collection[Unit]
    text_of: Callable[[Unit], ModuleText]
    whole: Collection[str]
    _needed: set[Unit] = field(default_factory=set)
    _seen: set[Definition] = field(default_factory=set)
    _work: list[Definition] = field(default_factory=list)

    def run(self, kept: Callable[[str], bool]) -> frozenset[Unit]:
        """Returns the native units that are needed. `kept` is true for a symbol that something besides units names."""
        for unit in self.linked.units:
            if unit not in self.participants and not self._is_optional(unit):
                self._need(unit)
        for unit in self.linked.native_parts:
            self._need(unit)
        for unit in self.participants:
            self._start(unit, kept)
        while self._work:
            unit, name = self._work.pop()
            module = self.text_of(unit)
            self._follow(unit, module.references(module.entities[name]))
        return frozenset(self._needed)

    def _is_optional(self, unit: Unit) -> bool:
        return unit.index is not None and unit.path not in self.whole and bool(unit.modules)

    def _need(self, unit: Unit) -> None:
        if unit not in self._needed:
            self._needed.add(unit)
            for symbol in unit.symbols:
                self._reach(symbol.name if symbol.is_defined else self.linked.target(symbol.name))

    def _start(self, unit: Unit, kept: Callable[[str], bool]) -> None:
        for entity in self.text_of(unit).entities.values():
            if entity.is_definition and (entity.name in _ROOTS or is_registration(entity.name) or kept(entity.name)):
                self._push(unit, entity.name)

    def _follow(self, unit: Unit, names: Iterable[str]) -> None:
        entities = self.text_of(unit).entities
        for name in names:
            if name in entities and entities[name].is_definition:
                self._push(unit, name)
                self._reach(name)
            else:
                self._reach(self.linked.target(name))

    def _reach(self, name: str) -> None:
        unit = self.linked.definers.get(name)
        if unit is None:
            return
        if unit not in self.participants:
            self._need(unit)
        elif name in self.text_of(unit).entities:
            self._push(unit, name)

    def _push(self, unit: Unit, name: str) -> None:
        if (unit, name) not in self._seen:
            self._seen.add((unit, name))
            self._work.append((unit, name))
