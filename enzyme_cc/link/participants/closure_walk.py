"""Finds the units that take part in differentiation: those with requests, and those that requests reach.

The walk goes from function to function, not from unit to unit. It follows every reference of a function's body and of
a global's initialiser, into the unit whose definition prevails. It starts at

- the values in functions with requests: above all the functions to differentiate;
- the entries of registrations;
- the values in callers of such a function, in any unit, if its request names no function: then the function to
  differentiate is a parameter.

A call through a pointer may reach every function of its type in a library, and all code behind them: a class library
is one strongly connected component. So the code that such calls add has a budget. First comes what is reached without
them, then the candidates of the calls found so far, and of those found meanwhile: those with the least code behind them
first, so that no large function takes the place of many small ones. What exceeds the budget is left out, unless its
unit has requests: differentiated code that calls it ends the program.

If direct calls alone reach more than the budget, functions that hardly ever touch numbers are left out, too; if they
reach several times the budget, those that hardly compute (`plumbing.py`).
A table of all that a library can do is another reason: it may name ten times the budget, and little is reached
otherwise. Then functions that only initialisers name (of variables, not vtables) are reached by calls through pointers,
within the budget.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate

from enzyme_cc.ir.graphs import reachable
from enzyme_cc.ir.vtables import is_binding_table, is_vtable
from enzyme_cc.link.inputs.module_text import Entity, ModuleText
from enzyme_cc.link.inputs.units import REQUEST, Definition, Unit
from enzyme_cc.link.participants.closure import Closure, ClosureQuestion
from enzyme_cc.link.participants.components import Components
from enzyme_cc.link.participants.declarations import is_declaration
from enzyme_cc.link.participants.plumbing import HARDLY_ANY, LITTLE, is_plain, plumbing
from enzyme_cc.link.participants.pointers.pointer_targets import Want, is_local
from enzyme_cc.link.participants.set_up_units import SetUps, SetUpSearch

# Functions that add no more text than this are taken first, in bytes.
_SMALL = 4096
# Direct calls may reach this many times the budget: what they reach is certain to be needed, and a link can do it.
_DIRECT = 3
# If direct references reach this many times the budget, tables of functions may be the reason.
_HUGE = 10
# Functions with so much text behind them may be left out if they only set something up, in bytes.
_LARGE = 100_000
# More calls through pointers than these make no difference.
_FARTHEST = 8


class ClosureWalk:
    """The walk over the functions that requests reach: it collects what `run` returns."""

    def __init__(self, question: ClosureQuestion) -> None:
        self.linked, self.text_of, self.facts = question.linked, question.text_of, question.facts
        self.has_rule, self.unlinked = question.has_rule, question.unlinked
        self.budget, self.is_whole, self.sets_up = question.budget, question.is_whole, question.sets_up
        self.all_or_none = question.all_or_none
        self.compiled_again, self.called_later = question.compiled_again, question.called_later
        self.chosen = question.chosen
        self.participants: dict[Unit, None] = {}
        self.asking: set[Unit] = set()
        self.whole: set[Unit] = set()
        self.reached: set[Definition] = set()
        self.pointed: dict[Definition, None] = {}
        self.left_out: dict[Definition, None] = {}
        self.uncalled: dict[Definition, None] = {}
        self.native_functions: frozenset[Definition] = frozenset()
        self.tabled: set[Definition] = set()
        self.direct = 0
        self._wanted: set[tuple[Want, frozenset[Definition] | None]] = set()
        self._calls: list[tuple[Want, frozenset[Definition] | None]] = []
        self._known: dict[Definition, tuple[int, tuple[Definition, ...]]] = {}
        self._components: Components | None = None
        self._follows_tables = True
        self._spent = 0
        self._declarations: list[Definition] = []
        self._work: list[Definition] = []

    def run(self) -> Closure:
        """Walks, and returns what was found."""
        for unit in self.linked.units:
            is_own = self.is_whole and unit.carrier is None
            if unit.raw is not None or (unit.modules and (unit.requests or is_own)):
                self._join(unit)
                self.asking.add(unit)
                self.whole.update({unit} if self.is_whole or unit.raw is not None else ())
        generic = {start for unit in list(self.participants) for start in self._start_requests(unit)}
        self.whole.update(unit for unit, _ in generic)
        self._start_callers(generic)
        set_ups = self._leave_out_set_up()
        self._leave_out_plumbing()
        self._walk()
        requested = frozenset(self.reached)
        while self._declarations:
            self._push(*self._declarations.pop())
            self._walk()
        for others in (self.left_out, self.uncalled):
            for candidate in [c for c in others if self._place(*c) in self.reached]:
                del others[candidate]
                self.pointed[candidate] = None
        self.tabled -= self.reached
        self._forget()  # what lies behind components is large
        return self._found(requested, set_ups)

    def _found(self, requested: frozenset[Definition], set_ups: SetUps) -> Closure:
        late = [unit for unit in self.participants if unit not in self.linked.units]
        set_up = self.native_functions & set_ups.functions
        used = set_ups.used_by(self.reached) | set_ups.sharing_variables(self.reached) if set_up else frozenset()
        return Closure(
            facts=self.facts,
            participants=(*(unit for unit in self.linked.units if unit in self.participants), *late),
            requested=requested,
            asking=frozenset(self.asking),
            whole=frozenset(self.whole),
            reached=frozenset(self.reached),
            pointed=tuple(self.pointed),
            left_out=tuple(self.left_out),
            uncalled=tuple(self.uncalled),
            native_functions=self.native_functions,
            set_ups=set_ups.functions,
            set_up=self.native_functions & set_ups.made_by,
            torn_down=self.native_functions & set_ups.freed_by,
            set_up_later=frozenset(used),
            tabled=frozenset(self.tabled),
            enough=max(self._spent, self.direct),
        )

    def _leave_out_set_up(self) -> SetUps:
        """Leaves out functions with much code that only set something up before any number carries a derivative."""

        def may_stay_native(place: Definition) -> bool:
            return place not in self.called_later and self._may_stay_native(place)

        search = SetUpSearch(
            linked=self.linked,
            asking=frozenset(self.asking),
            text_of=self.text_of,
            text=self._text,
            definition=self._definition,
            behind=lambda place: self._behind(*place)[1],
            may_stay_native=may_stay_native,
            is_large=lambda place: self._cost(place) > _LARGE,
        )
        set_ups = search.find(self._work) if self.budget else SetUps(search)
        if set_ups.functions and (self.sets_up or self._exceeds_budget()):
            self.native_functions |= set_ups.functions
            self._forget()
        return set_ups

    def _exceeds_budget(self) -> bool:
        """True if direct references alone bring more text than the budget."""
        sizes = (self._behind(*place)[0] for place in reachable(self._work, lambda place: self._behind(*place)[1]))
        return any(total > self.budget for total in accumulate(sizes))

    def _leave_out_plumbing(self) -> None:
        """Leaves out functions that direct calls reach, if these bring too much code. Without a budget, none.

        If tables of functions bring most of it, their functions are reached by calls through pointers only.
        """

        def successors(place: Definition) -> Sequence[Definition]:
            return self._behind(*place)[1]

        def size() -> int:
            return sum(self._behind(*place)[0] for place in reachable(self._work, successors))

        reached = size()
        if 0 < _HUGE * self.budget < reached:
            self._follow_tables(False)
            rest = size()
            if rest <= self.budget:
                return
            self._follow_tables(True)
        self.direct = reached
        if 0 < self.budget < reached:
            little = LITTLE if _DIRECT * self.budget < reached else HARDLY_ANY
            found = plumbing(self._work, successors, self._text, self.budget, self._may_stay_native, little)
            self.native_functions |= frozenset(found)
            self._forget()

    def _follow_tables(self, follows: bool) -> None:
        """Says whether the walk follows the functions that initialisers of variables name."""
        self._follows_tables = follows
        self._forget()

    def _forget(self) -> None:
        """Forgets what definitions refer to."""
        self._known.clear()
        self._components = None

    def _text(self, place: Definition) -> str:
        module = self.text_of(place[0])
        entity = module.entities.get(place[1])
        return "" if entity is None else module.of(entity)

    def _may_stay_native(self, place: Definition) -> bool:
        """True if the program keeps the native code of a function, and nothing is declared about its derivative."""
        unit, name = place
        if self._is_meant(place) or not self._has_native_code(unit):
            return False
        module = self.text_of(unit)
        declares = any(map(is_declaration, module.entities))
        entity = module.entities[name]
        return entity.is_function and not declares and is_plain(module, entity)

    def _walk(self) -> None:
        """Follows all references, then the calls through pointers: those first that bring least, and are nearest."""
        self._follow_all()
        waiting, most = dict.fromkeys(self._candidates(), 0), _SMALL
        while waiting and not (self.all_or_none and self.left_out):
            for candidate in (found := self._with_little_behind(waiting, most)):
                self._take(candidate)
                self._follow_all()
                for new in self._candidates():
                    waiting[new] = min(waiting.get(new, _FARTHEST), waiting[candidate] + 1)
            waiting = {c: calls for c, calls in waiting.items() if c not in self.pointed and c not in self.left_out}
            if not found:
                most *= 2

    def _follow_all(self) -> None:
        while self._work:
            self._follow(*self._work.pop())

    def _candidates(self) -> Iterator[Definition]:
        """Yields the functions that the calls through pointers found since the last time may reach."""
        calls, self._calls = self._calls, []
        for want, among in calls:
            for candidate in self.facts.targets.of(want, among):
                if self.chosen.excludes(self.text_of(candidate[0]), candidate[1]):
                    self.uncalled[candidate] = None
                else:
                    yield candidate

    def _follow(self, unit: Unit, name: str) -> None:
        """Reaches what a definition refers to, and notes its calls through pointers."""
        module = self.text_of(unit)
        entity = module.entities.get(name)
        if entity is None:
            return
        if self._is_table(entity):
            self.tabled.update(filter(self._may_be_tabled, self._places(unit, entity)))
        for definer, reference in self._behind(unit, name)[1]:
            self._join(definer)
            self._push(definer, reference)
        for call in self.facts.wanted(unit, entity) if entity.is_function else ():
            if call not in self._wanted:
                self._wanted.add(call)
                self._calls.append(call)

    def _with_little_behind(self, waiting: Mapping[Definition, int], most: int) -> list[Definition]:
        """Returns the functions that add at most that much text, the least first, and those that must take part.

        `waiting`: how many other calls through pointers lead to each. Each of them halves what it may add.
        """
        if self.all_or_none:
            return list(waiting)
        costs = {c: -1 if self._is_meant(c) else self._cost(c) << n for c, n in waiting.items()}
        return sorted((c for c in costs if costs[c] <= most), key=lambda c: (costs[c], c[1], c[0].label))

    def _take(self, candidate: Definition) -> None:
        """Reaches a function that calls through pointers may reach, if the budget is enough for it."""
        cost = self._cost(candidate)
        is_native = self._definition(*candidate) in self.native_functions
        if is_native or (cost > self.budget - self._spent and not self._is_meant(candidate)):
            self.left_out[candidate] = None
            return
        self._spent += 0 if self._is_chosen(candidate) else cost
        self._reach(*candidate)
        self.pointed[candidate] = None

    def _is_meant(self, function: Definition) -> bool:
        """True if a function must take part: its unit has requests, or the user chooses it."""
        return function[0] in self.asking or self._is_chosen(function)

    def _is_chosen(self, function: Definition) -> bool:
        return self.chosen.called is not None or self.chosen.names(self.text_of(function[0]), function[1])

    def _cost(self, start: Definition) -> int:
        """Returns the size of the text that would be reached, beyond what is reached."""
        place = self._place(*start)
        if place is None or place in self.reached:
            return 0
        if self._components is None:
            self._components = Components(self._behind, self.reached)
        return self._components.cost(place)

    def _behind(self, unit: Unit, name: str) -> tuple[int, tuple[Definition, ...]]:
        """Returns the size of a definition's text, and the definitions that it refers to."""
        if (unit, name) not in self._known:
            entity = self.text_of(unit).entities.get(name)
            places = () if entity is None else tuple(self._places(unit, entity))
            if entity is not None and self._is_table(entity):
                places = tuple(place for place in places if not self._may_be_tabled(place))
            self._known[unit, name] = (0 if entity is None else entity.end - entity.start, places)
        return self._known[unit, name]

    def _places(self, unit: Unit, entity: Entity) -> Iterator[Definition]:
        """Yields the definitions that a definition's text refers to."""
        for reference in self.text_of(unit).references(entity):
            if (place := self._place(unit, reference)) is not None:
                yield place

    def _is_table(self, entity: Entity) -> bool:
        """True for a variable whose functions are not followed. Calls of type-bound procedures tell which they want."""
        if is_binding_table(entity.name):
            return True
        return not (self._follows_tables or entity.is_function or is_vtable(entity.name))

    def _may_be_tabled(self, place: Definition) -> bool:
        """True if a variable's initialiser names a function that may keep its native code."""
        unit, name = place
        entity = self.text_of(unit).entities.get(name)
        is_function = entity is not None and entity.is_function
        return is_function and unit not in self.asking and self._has_native_code(unit)

    def _has_native_code(self, unit: Unit) -> bool:
        return unit in self.linked.units and unit not in self.compiled_again and unit.raw is None

    def _join(self, unit: Unit) -> None:
        if unit not in self.participants:
            self.participants[unit] = None
            for entity in self.text_of(unit).entities.values():
                if entity.is_definition and is_declaration(entity.name):
                    self._declarations.append((unit, entity.name))
                    self.asking.add(unit)

    def _definer(self, name: str) -> Unit | None:
        unit = self.linked.definers.get(name)
        if unit is not None or name.startswith("llvm.") or REQUEST in name or self.linked.provenance(name):
            return unit
        return self.unlinked(name)

    def _push(self, unit: Unit, name: str) -> None:
        if (unit, name) not in self.reached:
            self.reached.add((unit, name))
            self._work.append((unit, name))
            if self._components is not None:
                self._components.reach((unit, name))

    def _reach(self, unit: Unit, name: str) -> None:
        """Follows a reference from a unit to the definition of the symbol."""
        place = self._place(unit, name)
        if place is not None:
            self._join(place[0])
            self._push(*place)

    def _place(self, unit: Unit, name: str) -> Definition | None:
        """Returns the definition that a reference from a unit means. None if it takes no part."""
        found = self._definition(unit, name)
        return None if found in self.native_functions else found

    def _definition(self, unit: Unit, name: str) -> Definition | None:
        """Returns the definition that a reference from a unit means. None if it has no bitcode or needs none."""
        entity = self.text_of(unit).entities.get(name)
        is_own = entity is not None and entity.is_definition
        target = name if is_own else self.linked.target(name)
        definer = self._definer(target)
        if definer is None or not definer.modules or definer is unit:
            return (unit, target) if is_own else None
        if entity is not None and is_own and is_local(self.text_of(unit).of(entity)):
            return unit, target
        if target.startswith("llvm.") or REQUEST in target or self.has_rule(target):
            return None
        return definer, target

    def _start_requests(self, unit: Unit) -> Iterator[Definition]:
        """Reaches the values in the unit's functions with requests. Yields those whose requests name no function."""
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
        """Reaches the values that a function names. True if a function is among them."""
        module = self.text_of(unit)
        values = module.values(entity)
        for name in values:
            self._reach(unit, name)
        return any(name in module.entities and module.entities[name].is_function for name in values)

    @staticmethod
    def _names_function(module: ModuleText, arguments: str) -> bool:
        first = arguments.split(", ")[:2]
        tokens = [part.rpartition("@")[2].rstrip(")") for part in first if "@" in part]
        return any(token in module.entities and module.entities[token].is_function for token in tokens)

    def _start_callers(self, generic: set[Definition]) -> None:
        """Reaches the values that callers of the `generic` functions name; of a caller without values, its callers'."""
        starts = sorted(generic, key=lambda start: (start[0].label, start[1]))
        for _ in reachable(starts, self._callers_without_values):
            pass

    def _callers_without_values(self, callee: Definition) -> Iterator[Definition]:
        """Reaches the values that callers of a function name. Yields the callers that name no function."""
        for unit in self._units_that_mention(*callee):
            module = self.text_of(unit)
            for entity in list(module.entities.values()):
                if entity.is_definition and callee[1] in module.references(entity):
                    self._join(unit)
                    self.asking.add(unit)
                    self.whole.add(unit)
                    if entity.is_function and not self._reach_values(unit, entity):
                        yield unit, entity.name

    def _units_that_mention(self, callee_unit: Unit, callee: str) -> Iterator[Unit]:
        yield callee_unit
        for unit in self.linked.units:
            if unit is not callee_unit and unit.modules and any(symbol.name == callee for symbol in unit.symbols):
                yield unit


def _mentions_request(module: ModuleText, entity: Entity) -> bool:
    return any(REQUEST in name for name in module.references(entity))
