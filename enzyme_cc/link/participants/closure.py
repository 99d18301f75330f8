"""What takes part in differentiation: the question, what is known beforehand, and the answer (closure_walk.py)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec import Struct

from enzyme_cc.link.inputs.module_text import Entity, ModuleText
from enzyme_cc.link.inputs.units import Definition, Linked, Unit
from enzyme_cc.link.participants.pointers.chosen_functions import ChosenFunctions
from enzyme_cc.link.participants.pointers.function_flow import FunctionFlow
from enzyme_cc.link.participants.pointers.pointer_targets import PointerTargets, Want, wants
from enzyme_cc.link.participants.pointers.static_types import StaticTypes


class PointerFacts:
    """What is known about the pointers to functions of a link: the same for each walk.

    `text_of` gives the module text of a unit with bitcode, `targets` the functions whose address is taken.
    """

    def __init__(self, linked: Linked, text_of: Callable[[Unit], ModuleText], targets: PointerTargets) -> None:
        self.targets = targets
        self.flow = FunctionFlow(linked, text_of, targets.key, lambda shape: targets.of(Want(shape)))
        self.text_of = text_of
        self._types: dict[Unit, StaticTypes] = {}

    def wanted(self, unit: Unit, function: Entity) -> Iterator[tuple[Want, frozenset[Definition] | None]]:
        """Yields what the calls through pointers in a function may reach: a want, and among which functions."""
        for want in wants(self.text_of(unit).of(function), self._types_of(unit)):
            yield want, (self.flow.of_pointer(unit, function.name, want.pointer) if want.slot is None else None)

    def _types_of(self, unit: Unit) -> StaticTypes | None:
        if not unit.is_unoptimised:
            return None
        if unit not in self._types:
            self._types[unit] = StaticTypes(self.text_of(unit))
        return self._types[unit]


class ClosureQuestion(Struct, frozen=True):
    """What a closure depends on.

    - `text_of` gives the module text of a unit with bitcode.
    - `has_rule` is true for a function whose derivative is known without a body: the walk does not follow it.
    - `facts` are those of the link.
    - `unlinked` finds the archive member that would be linked for a symbol. Bitcode may name symbols that the optimised
      native code does not need, so the trial link may not have taken it.
    - `budget` is the size of the text that calls through pointers may add.
    - `is_whole`: all units with bitcode take part, as if each had a request.
    - `compiled_again`: units whose native code the new object replaces, as is known from an earlier walk.
    - `chosen`: the functions that the user chooses.
    - `called_later`: functions that set nothing up, as is known from an earlier walk.
    - `sets_up`: functions that only set something up are left out, even if direct calls stay within the budget.
    - `all_or_none`: the walk ends as soon as a function is left out, since only that is asked. It is much faster.
    """

    linked: Linked
    text_of: Callable[[Unit], ModuleText]
    has_rule: Callable[[str], bool]
    unlinked: Callable[[str], Unit | None]
    facts: PointerFacts
    budget: int
    is_whole: bool = False
    compiled_again: frozenset[Unit] = frozenset()
    chosen: ChosenFunctions = ChosenFunctions()
    called_later: frozenset[Definition] = frozenset()
    sets_up: bool = False
    all_or_none: bool = False


class Closure(Struct, frozen=True):
    """What takes part.

    - `participants` are the units, in link order.
    - `requested` are the functions that requests reach, without those that only registrations name.
    - `asking` are the participants with requests or declarations, and those that pass a function to one.
    - `whole` are those of them that are compiled again as a whole.
    - `reached` are all functions and variables that requests and declarations reach.
    - `pointed` are the functions that calls through pointers reach, `left_out` those that exceed the budget, and
      `uncalled` those that a profile excludes.
    - `native_functions` are the functions that are left out though direct calls reach them.
    - `set_ups` are functions that only set something up, or free that. Of `native_functions`, these are `set_up` and
      `torn_down`.
    - `set_up_later` are functions left out as set-ups that are none: other code may call them, or uses what they
      change.
    - `tabled` are functions that only initialisers of variables name, and that do not take part.
    - `enough` is the budget, in bytes, with which nothing is left out, if nothing is left out with this one.
    """

    facts: PointerFacts
    participants: tuple[Unit, ...]
    requested: frozenset[Definition]
    asking: frozenset[Unit]
    whole: frozenset[Unit]
    reached: frozenset[Definition]
    pointed: tuple[Definition, ...]
    left_out: tuple[Definition, ...]
    uncalled: tuple[Definition, ...]
    native_functions: frozenset[Definition]
    set_ups: frozenset[Definition]
    set_up: frozenset[Definition]
    torn_down: frozenset[Definition]
    set_up_later: frozenset[Definition]
    tabled: frozenset[Definition]
    enough: int

    @property
    def unreached(self) -> frozenset[Definition]:
        """The functions of `native_functions` that derivatives may call."""
        return self.native_functions - self.set_ups

    @property
    def should_set_up(self) -> bool:
        """True if something was left out, and less would be if `sets_up` were set."""
        return bool(self.left_out and self.set_ups and not self.native_functions & self.set_ups)

    def pointed_slots(self) -> Iterator[tuple[Unit, str, frozenset[int] | None]]:
        """Yields the functions that calls through pointers reach, with the slots of the vtables that hold them."""
        for unit, name in self.pointed:
            yield unit, name, self.facts.targets.slots(unit, name)

    def pointed_library(self) -> Iterator[tuple[str, str]]:
        """Yields the library functions without bitcode that calls through pointers reach, with their types."""
        for place in self.pointed:
            if type_ := self.facts.targets.library_type(*place):
                yield place[1], type_
