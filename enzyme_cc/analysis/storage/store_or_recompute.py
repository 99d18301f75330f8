"""Decides between storing and recomputing: the primal sweep stores a minimum cut of the graph of recipes.

The nodes are needs. An edge goes from each input of a recipe to its result. The weight of a node is the cost of storing
it: its bytes times the estimated number of executions. Values and logs of writes are weighed alike.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping

from msgspec import Struct, field

from ...ir.cfg import Loop
from ...ir.graphs import reachable, reverse_postorder_from
from ...ir.types import alloc_size
from ...ir.values import Instruction
from .mincut import minimum_vertex_cut
from .needs import Need, NeedKind, Recipes, need_type
from .store_log import Point

#: the cost of a need that must not be stored
_NEVER = 1 << 56

#: each need, with the points at which the reverse sweep uses it
Wanted = Mapping[Need, Iterable[Point]]


class Plan(Struct):
    """What is stored and what is recomputed.

    - `stored`: the needs that the primal sweep stores; `by_scope`: the same by loop, None for the function;
    - `computed`: the needs that the reverse sweep recomputes;
    - `reread`: the recomputed values that are read from memory, each with the store that put it there;
    - `held`: the same by store.
    """

    stored: dict[Need, None] = field(default_factory=dict)
    computed: dict[Need, None] = field(default_factory=dict)
    by_scope: dict[Loop | None, list[Need]] = field(default_factory=dict)
    reread: dict[Instruction, Instruction] = field(default_factory=dict)
    held: dict[Instruction, list[Need]] = field(default_factory=dict)

    def is_stored(self, need: Need) -> bool:
        return need in self.stored

    def uses(self, values: Container[object]) -> bool:
        """True if one of the values is stored or recomputed."""
        return any(need.of in values for need in (*self.stored, *self.computed))

    def is_refill(self, copy: Instruction) -> bool:
        return Need(NeedKind.REFILL, copy) in self.computed

    def refills(self) -> list[Instruction]:
        """Returns the copies from which the reverse sweep fills their sources again."""
        return [need.of for need in self.computed if need.kind is NeedKind.REFILL and isinstance(need.of, Instruction)]

    def logged(self) -> list[Instruction]:
        """Returns the writes that are undone."""
        return [need.of for need in self.stored if need.kind is NeedKind.LOG and isinstance(need.of, Instruction)]

    def is_logged(self, write: Instruction) -> bool:
        return Need(NeedKind.LOG, write) in self.stored

    def add(self, need: Need, scope: Loop | None) -> None:
        if need not in self.stored:
            self.stored[need] = None
            self.by_scope.setdefault(scope, []).append(need)


def make_plan(recipes: Recipes, wanted: Wanted) -> Plan:
    """Returns what to store. A loop that stores anything gets a record, whose address the scope around it stores."""
    graph = _Graph(recipes, wanted)
    cut = graph.cut()
    plan = Plan()
    for need in graph.inputs:
        if need in cut:
            plan.add(need, recipes.scope(need))
    for loop in reversed(recipes.reversal.loops):
        if plan.by_scope.get(loop):
            plan.add(Need(NeedKind.RECORD, loop), loop.parent)
    plan.computed = graph.used(cut)
    for need in plan.computed:
        store = graph.holders.get(need)
        if store is not None and isinstance(need.of, Instruction):
            plan.reread[need.of] = store
            plan.held.setdefault(store, []).append(need)
    return plan


class _Graph:
    """The graph of recipes. `inputs`: the needs that each is computed from; None if it can only be stored."""

    def __init__(self, recipes: Recipes, wanted: Wanted) -> None:
        self.recipes = recipes
        self.inputs: dict[Need, list[Need] | None] = {}
        self.holders: dict[Need, Instruction] = {}
        self._numbers: dict[Point, int] = {}
        self._asked: dict[Need, int] = {}  # bit masks of the points where a need is asked for
        self._accesses: dict[Need, Instruction] = {}
        self._to_undo: dict[Need, list[Need]] = {}
        self.wanted = [n for n in dict.fromkeys(wanted) if not recipes.is_free(n)]
        for need in self.wanted:
            self._ask(need, wanted[need])
        self._extend(self.wanted)
        if self._accesses:
            self._check_points()

    # -- the graph

    def _extend(self, needs: Iterable[Need]) -> None:
        work = list(reversed(list(needs)))
        while work:  # needs of earlier calls are in `inputs` too
            need = work.pop()
            if need in self.inputs:
                continue
            given = self.recipes.inputs(need)
            self.inputs[need] = None if given is None else [n for n in given if not self.recipes.is_free(n)]
            if need.kind is NeedKind.LOG:
                work.extend(self._needed_to_undo(need))
            if need.kind is NeedKind.REFILL:
                self._ask_for_refill(need)
            self._note_access(need)
            work.extend(reversed(self.inputs[need] or ()))

    def _note_access(self, need: Need) -> None:
        """Notes the access, if the recipe reads memory that is overwritten later."""
        recipes, value = self.recipes, need.of
        if need.kind is not NeedKind.PRIMAL or not isinstance(value, Instruction) or self.inputs[need] is None:
            return
        if not recipes.is_computed_again(value):
            access = recipes.reread_from(value)
            assert access is not None
            self._accesses[need] = access
            if access is not value:
                self.holders[need] = access

    def _needed_to_undo(self, log: Need) -> list[Need]:
        assert isinstance(log.of, Instruction)
        needed = []
        for value, points in self.recipes.log.needed_to_undo(log.of):
            need = Need(NeedKind.PRIMAL, value)
            if not self.recipes.is_free(need):
                self._ask(need, points)
                needed.append(need)
        self._to_undo[log] = needed
        return needed

    def _ask_for_refill(self, refill: Need) -> None:
        assert isinstance(refill.of, Instruction)
        for value, points in self.recipes.log.needed_to_refill(refill.of):
            self._ask(Need(NeedKind.PRIMAL, value), points)

    # -- the points that use needs

    def _ask(self, need: Need, points: Iterable[Point]) -> None:
        for point in points:
            self._asked[need] = self._asked.get(need, 0) | 1 << self._numbers.setdefault(point, len(self._numbers))

    def _check_points(self) -> None:
        """Drops the recipes that read memory, if a point that uses the value does not see what was there."""
        asked = self._asked_in_all()
        points = list(self._numbers)
        for need, access in self._accesses.items():
            writes = self.recipes.log.overwriting(access) or ()
            at = [points[k] for k in _bits(asked.get(need, 0))]
            if access.opcode == "store":  # a use before the store is read at the store
                behind = self.recipes.log.behind(access)
                at = [p for p in at if p.block is not behind.block or p.done >= behind.done]
            if not self.recipes.log.is_seen_at(access, writes, at):
                self.inputs[need] = None
                self.holders.pop(need, None)

    def _asked_in_all(self) -> dict[Need, int]:
        """Returns the points at which each need is used, directly or to compute others."""
        asked = dict(self._asked)
        for need in self._dependents_first():
            if need.kind is NeedKind.REFILL:  # the refill happens at the copy, whoever uses it
                continue
            for given in self.inputs[need] or ():
                asked[given] = asked.get(given, 0) | asked.get(need, 0)
        return asked

    def _dependents_first(self) -> list[Need]:
        def given(need: Need | None) -> Iterable[Need]:
            return self.inputs if need is None else self.inputs[need] or ()

        # None stands for a root above all needs
        return [need for need in reverse_postorder_from(None, given) if need is not None]

    # -- the cut

    def cut(self) -> set[Need]:
        cost = {need: self._cost(need) for need in self.inputs}
        wanted = list(self.wanted)
        while True:
            cut = minimum_vertex_cut(self.inputs, cost, wanted)
            logs = [need for need in self.inputs if need.kind is NeedKind.LOG and need in cut]
            more = [n for n in dict.fromkeys(n for log in logs for n in self._to_undo[log]) if n not in wanted]
            if not more:
                return cut
            wanted += more

    def used(self, cut: set[Need]) -> dict[Need, None]:
        """Returns the needs that are recomputed."""
        logs = (need for need in self.inputs if need.kind is NeedKind.LOG and need in cut)
        starts = [*self.wanted, *(n for log in logs for n in self._to_undo[log])]
        starts = [need for need in starts if need not in cut]
        following = reachable(starts, lambda need: [n for n in self.inputs[need] or () if n not in cut])
        return dict.fromkeys(following)

    def _cost(self, need: Need) -> int:
        if need.kind is NeedKind.REFILL or self.recipes.is_never_stored(need):
            return _NEVER
        if need.kind is NeedKind.LOG:
            assert isinstance(need.of, Instruction)
            return self.recipes.log.cost(need.of, _depth)
        size = 1 if need.kind is NeedKind.SOURCE else alloc_size(need_type(need))
        return max(1, size) << 4 * _depth(self.recipes.scope(need))


def _depth(scope: Loop | None) -> int:
    return min(scope.depth, 10) if scope is not None else 0


def _bits(mask: int) -> Iterable[int]:
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low
