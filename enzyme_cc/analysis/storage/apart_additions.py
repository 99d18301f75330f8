"""Finds adjoints that threads of a team add to different memory: these additions need not be atomic."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from ...ir.cfg import ControlFlow
from ...ir.constants import Constant
from ...ir.instructions import MODULAR
from ...ir.types import store_size
from ...ir.values import Argument, Instruction, Value
from .work_loops import Divided, WorkPlace

#: tells whether two accesses may touch the same memory
MayAlias = Callable[[Value, int | None, Value, int | None], bool]
#: an addition that depends on more is atomic
_MOST_DISTANCES = 12
#: how many operations are followed
_DEEP = 12


class Distance(NamedTuple):
    """The additions at two places are apart if the shadows of the bases are so many bytes apart, or `offset` bytes.

    These are `factor` times the number of iterations, which is `upper` - `lower` + 1 or less.
    """

    base: Value
    other: Value
    offset: int
    factor: int
    lower: Value
    upper: Value


def is_known_early(value: Value, depth: int = _DEEP) -> bool:
    """True if a value can be computed at the entry of a region's function: of its captures, and what these point at."""
    if isinstance(value, Argument | Constant):
        return True
    if not isinstance(value, Instruction) or not depth:
        return False
    if value.opcode == "load":
        return isinstance(value.operands[0], Argument)
    return value.opcode in MODULAR and all(is_known_early(o, depth - 1) for o in value.operands)


class ApartAdditions:
    """Tells which loads of a region's function have adjoints that no other thread adds to the same memory.

    `adders`: the instructions whose adjoints add to shadows, each with the pointer behind which it adds. None stands
    for any memory.
    """

    def __init__(
        self, flow: ControlFlow, adders: Iterable[tuple[Instruction, Value | None]], may_alias: MayAlias
    ) -> None:
        self._divided = Divided(flow)
        self._adders = list(adders)
        self._order: list[Value | None] = []  # of bases, as they are met
        self._may_alias = may_alias
        self._places: dict[Instruction, WorkPlace | None] = {}
        self._found: dict[Instruction, list[Distance] | None] = {}

    def distances(self, load: Instruction) -> tuple[Distance, ...] | None:
        """Returns the conditions under which the adjoint of a load can be added without regard to other threads.

        None if it cannot. All loads of a loop that are alike have the same conditions: one test then decides for all.
        """
        place = self._place(load)
        if place is None or self._own(load) is None:
            return None
        places = ((other, self._place(other)) for other, _ in self._adders)
        alike = [self._own(other) or [] for other, at in places if at is not None and at.is_alike(place)]
        return tuple(dict.fromkeys(d for own in alike for d in own))

    def _own(self, load: Instruction) -> list[Distance] | None:
        if load not in self._found:
            place = self._place(load)
            self._found[load] = None if place is None else self._conditions(place, self._rivals(load))
        return self._found[load]

    def _conditions(self, place: WorkPlace, rivals: Iterable[WorkPlace | None]) -> list[Distance] | None:
        near, conditions = [place], list[Distance]()
        for rival in rivals:
            if rival is None or not rival.is_alike(place):
                return None
            if rival.base is place.base:
                near.append(rival)
                continue
            bounds = self._divided.bounds(place.call)
            if bounds is None or place.base is None or rival.base is None or len(conditions) == _MOST_DISTANCES:
                return None
            first, second = sorted((place, rival), key=lambda p: self._order.index(p.base))
            assert first.base is not None and second.base is not None
            distance = Distance(first.base, second.base, second.offset - first.offset, abs(place.factor), *bounds)
            conditions += [] if distance in conditions else [distance]
        extent = max(p.offset + p.size for p in near) - min(p.offset for p in near)
        return conditions if extent <= abs(place.step) else None

    def _place(self, i: Instruction) -> WorkPlace | None:
        if i.opcode != "load":
            return None
        if i not in self._places:
            found = self._places[i] = self._divided.place(i, i.operands[0], store_size(i.type))
            self._order += [found.base] if found is not None and found.base not in self._order else []
        return self._places[i]

    def _rivals(self, load: Instruction) -> Iterator[WorkPlace | None]:
        """Yields the places of all that may add to the same memory at the same time; None for one that is not known."""
        size = store_size(load.type)
        for other, pointer in self._adders:
            if other is load or not self._divided.may_run_together(load, other):
                continue
            extent = store_size(other.type) if other.opcode == "load" else None
            if pointer is None or self._may_alias(load.operands[0], size, pointer, extent):
                yield self._place(other)
