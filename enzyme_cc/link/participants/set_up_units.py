"""Finds, in the units with requests, the functions of other units that only set something up, or free that.

`set_up.py` follows the functions of one unit. Such a function has native code, and much text behind it: others are
differentiated, which knows more about them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set
from functools import cache

from msgspec import Struct, field
from msgspec.structs import replace

from enzyme_cc.ir.graphs import reachable
from enzyme_cc.link.inputs.module_text import ModuleText, quoted, unquoted
from enzyme_cc.link.inputs.units import Definition, Linked, Unit
from enzyme_cc.link.participants.plumbing import Weight
from enzyme_cc.link.participants.set_up import promoted, set_up_calls

#: a variable that may change, and one that holds neither a number nor a pointer
_VARIABLE = re.compile(r"@[^\n]* global ")
_INTEGER = re.compile(r"@[^\n]* global i(?:8|16|32) ")


class SetUps(Struct, frozen=True, eq=False):
    """The functions that only set something up, `made_by`, and those that free it, `freed_by`.

    `followed`: functions whose bodies the search has followed, and those of the functions that each calls.
    """

    search: SetUpSearch
    made_by: frozenset[Definition] = frozenset()
    freed_by: frozenset[Definition] = frozenset()
    followed: Mapping[Definition, frozenset[Definition]] = field(default_factory=dict)

    @property
    def functions(self) -> frozenset[Definition]:
        return self.made_by | self.freed_by

    def joined(self, other: SetUps) -> SetUps:
        """Returns what is found in two units."""
        followed = {**self.followed, **other.followed}
        return replace(
            self, made_by=self.made_by | other.made_by, freed_by=self.freed_by | other.freed_by, followed=followed
        )

    def without(self, functions: Set[Definition]) -> SetUps:
        """Returns all but these."""
        return replace(self, made_by=self.made_by - functions, freed_by=self.freed_by - functions)

    def used_by(self, places: Iterable[Definition]) -> frozenset[Definition]:
        """Returns those of the functions that some of the definitions may call at other times."""
        if not self.functions:
            return frozenset()
        others = (place for place in places if place not in self.functions)
        used = (r for p in others for r in self.search.references(p) if r not in self.followed.get(p, ()))
        return self.functions.intersection(used)

    def used_after(self, starts: Iterable[Definition]) -> frozenset[Definition]:
        """Returns those of the functions that some of what the definitions reach may call at other times."""
        functions = self.functions
        reached = reachable(starts, lambda place: () if place in functions else self.search.behind(place))
        return self.used_by(reached) if functions else frozenset()

    def sharing_variables(self, reached: Collection[Definition]) -> frozenset[Definition]:
        """Returns those of the functions that may change variables with numbers or pointers that `reached` code uses.

        Derivatives take such variables for what they were when the request began.
        """
        shared = self.search.shared_variables(reached)
        if not shared:
            return frozenset()
        behind = self.search.behind
        return frozenset(f for f in self.functions if any(place in shared for place in reachable([f], behind)))


class SetUpSearch(Struct, frozen=True, eq=False):
    """What the search for set-ups is given.

    - `asking` are the units with requests.
    - `text` gives the text of a definition.
    - `definition` gives the definition that a name in a unit means.
    - `behind` gives the definitions that a definition refers to.
    - `may_stay_native` is true for functions that the program keeps as native code.
    - `is_large` is true for functions with much text behind them.
    """

    linked: Linked
    asking: Collection[Unit]
    text_of: Callable[[Unit], ModuleText]
    text: Callable[[Definition], str]
    definition: Callable[[Unit, str], Definition | None]
    behind: Callable[[Definition], Sequence[Definition]]
    may_stay_native: Callable[[Definition], bool]
    is_large: Callable[[Definition], bool]

    def find(self, starts: Collection[Definition]) -> SetUps:
        """Returns the set-ups in what the functions `starts` reach in the units with requests."""
        found = SetUps(self)
        if any(map(self._uses_variables_of_others, self.asking)):
            return found
        for unit in self.asking:
            names = [place[1] for place in starts if place[0] is unit and self._is_body(place)]
            found = found.joined(self._find_in(unit, names))
        while late := found.used_after(starts):
            found = found.without(late)
        return found

    def references(self, place: Definition) -> Iterable[Definition | None]:
        """Yields what a definition's text names."""
        entity = self.text_of(place[0]).entities.get(place[1])
        names = () if entity is None else self.text_of(place[0]).references(entity)
        return (self.definition(place[0], name) for name in names)

    def shared_variables(self, reached: Collection[Definition]) -> Set[Definition]:
        """Returns the variables that `reached` code uses and that other code may change."""
        changing = {place for place in reached if self._may_change(place)}
        return changing.intersection(self._used_by_others(changing, reached))

    def _may_change(self, place: Definition) -> bool:
        """True for a variable that is not constant, and not a plain integer."""
        text = self.text(place)
        return _VARIABLE.match(text) is not None and not _INTEGER.match(text)

    def _used_by_others(
        self, variables: Collection[Definition], reached: Collection[Definition]
    ) -> Iterator[Definition | None]:
        """Yields what code of libraries, other than `reached`, refers to in units that name one of the variables."""
        definers, names = {definer for definer, _ in variables}, {name for _, name in variables}
        for unit in self.linked.units:
            if unit in self.asking or not unit.modules:
                continue
            if unit in definers or not names.isdisjoint(s.name for s in unit.symbols):
                others = {(unit, name) for name in self.text_of(unit).entities}.difference(reached)
                yield from (used for place in others for used in self.references(place))

    def _find_in(self, unit: Unit, starts: Sequence[str]) -> SetUps:
        def place_of(name: str) -> Definition | None:
            place = self.definition(unit, _symbol(name))
            return place if place is not None and self.may_stay_native(place) else None

        @cache
        def may_set_up(name: str) -> bool:
            return (place := place_of(name)) is not None and self.is_large(place)

        @cache
        def may_free(name: str) -> bool:
            return (place := place_of(name)) is not None and self._hardly_computes(place)

        def own(place: Definition) -> Sequence[Definition]:
            return self.behind(place) if place[0] is unit else ()

        called = reachable([(unit, name) for name in starts], own)
        if not any(may_set_up(_written(name)) for definer, name in called if definer is not unit):
            return SetUps(self)
        found = set_up_calls(promoted(self.text_of(unit).text), [*map(_written, starts)], may_set_up, may_free)
        made_by, freed_by = (
            frozenset(place for name in names if (place := place_of(name)) is not None)
            for names in (found.set_up, found.tear_down)
        )
        return SetUps(self, made_by, freed_by, {(unit, _symbol(name)): made_by | freed_by for name in found.bodies})

    def _hardly_computes(self, start: Definition) -> bool:
        """True if direct calls from a function reach almost no arithmetic."""
        weights = (Weight.of(self.text(place)) for place in reachable([start], self.behind))
        return sum(weights, Weight()).has_little_arithmetic()

    def _uses_variables_of_others(self, unit: Unit) -> bool:
        """True if a unit may give others what carries a derivative through variables that these define."""
        for entity in self.text_of(unit).entities.values():
            definer = None if entity.is_function or entity.is_definition else self.linked.definers.get(entity.name)
            if definer is not None and definer.modules and " constant " not in self.text((definer, entity.name)):
                return True
        return False

    def _is_body(self, place: Definition) -> bool:
        entity = self.text_of(place[0]).entities.get(place[1])
        return entity is not None and entity.is_function and entity.is_definition


def _written(symbol: str) -> str:
    """Returns the symbol as LLVM's text has it."""
    return f"@{quoted(symbol)}"


def _symbol(name: str) -> str:
    return unquoted(name.removeprefix("@"))
