"""Places where threads of a team add adjoints, in groups by base: which tests a derivative makes when it begins.

A group's additions need not be atomic in three cases, of which the run finds out:

- *apart*: what an iteration of the divided loop reaches is not larger than what the next one is away.
- *inside*: iterations that are far enough from both ends of the thread's part reach what no other thread reaches.
- *copied*: the thread adds to a copy of its own, which is added to the shadow at barriers, and at the end. A store that
  may write the same memory, at a place that is not known, takes its adjoint from the copy, too: it looks into it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import NamedTuple

from msgspec import Struct, field

from ...ir.cfg import ControlFlow
from ...ir.constants import ConstantInt
from ...ir.types import DOUBLE, FLOAT, Type, is_pointer, store_size
from ...ir.values import Instruction, Value
from .apart_additions import ApartAdditions, MayAlias
from .linear_places import Counter, LinearAddress, LinearPlaces
from .place_digits import Digit, DigitSum, Quotient, WholeNumber
from .polynomials import Polynomial, derivative
from .work_loops import Divided, WorkLoop

#: an instruction that adds to shadows, and the pointer behind which it does; None is any memory
Adder = tuple[Instruction, Value | None]
#: an instruction that takes from shadows, the pointer behind which it does, and how many bytes, if that is known
Taker = tuple[Instruction, Value | None, Value | None]
#: how many other groups a group is compared with
_MOST = 8
#: how many places of stores a copy ends before, and how many stores look into one
_MOST_TAKEN, _MOST_LOOKING = 32, 64


class TakenBytes(NamedTuple):
    """Where so many bytes are stored."""

    address: LinearAddress
    size: Polynomial

    def is_same(self, other: TakenBytes) -> bool:
        a, b = self.address, other.address
        return (a.base, a.offset, a.fits, self.size) == (b.base, b.offset, b.fits, other.size)


class TeamGroup(Struct, eq=False):
    """Loads of numbers of one type behind one base, in one divided loop, or in none.

    `addresses`: of the members; None if one is not known.
    """

    base: Value
    work: WorkLoop | None
    type: Type
    members: list[Instruction] = field(default_factory=list)
    addresses: list[LinearAddress] | None = field(default_factory=list)

    @property
    def size(self) -> int:
        return store_size(self.type)

    @property
    def is_aligned(self) -> bool:
        """True if all numbers are at multiples of their size."""
        return all((load.memory.align or self.size) >= self.size for load in self.members)


class Slope(Struct, frozen=True):
    """How an address depends on the divided loop: the strides of the digits of its variable, and the rest."""

    strides: tuple[tuple[Digit, Polynomial], ...]
    rest: DigitSum


class Apart(Struct, frozen=True):
    """When additions of a group are apart: the slopes of its members, and the groups that must be elsewhere."""

    slopes: tuple[Slope, ...]
    others: tuple[TeamGroup, ...]


class TeamPlaces:
    """The groups of a region's function. `is_shared`: other threads may add where a load reads."""

    def __init__(
        self,
        flow: ControlFlow,
        apart: ApartAdditions,
        adders: Iterable[Adder],
        takers: Iterable[Taker],
        may_alias: MayAlias,
        is_shared: Callable[[Instruction], bool],
        *,
        has_tickets: bool,
    ) -> None:
        self._divided = Divided(flow)
        self.places = LinearPlaces(flow, self._divided)
        self._apart = apart
        self._adders, self._takers = list(adders), list(takers)
        self._may_alias = may_alias
        self._is_shared = is_shared
        self._has_tickets = has_tickets
        self._better: dict[TeamGroup, bool] = {}
        self._windows: dict[TeamGroup, bool] = {}
        self._digits: dict[Instruction, Digit] = {}
        self._taken: dict[TeamGroup, tuple[list[TakenBytes], list[Instruction]] | None] = {}

    @cached_property
    def groups(self) -> dict[tuple[Value, Instruction | None, Type], TeamGroup]:
        """All groups, by base, divided loop, and type."""
        found: dict[tuple[Value, Instruction | None, Type], TeamGroup] = {}
        for load, _ in self._adders:
            if load.opcode != "load" or not self._is_shared(load) or self._apart.distances(load) is not None:
                continue
            base = self.places.base(load.operands[0]) if load.type in (DOUBLE, FLOAT) else None
            address = self.places.address(load.operands[0]) if base is not None else None
            base = address.base if address is not None else base
            if base is None or not is_pointer(base.type):
                continue
            work = self._divided.work_around(load)
            group = found.setdefault((base, work and work.call, load.type), TeamGroup(base, work, load.type))
            group.members.append(load)
            if group.addresses is not None:
                group.addresses = None if address is None else [*group.addresses, address]
        return found

    @cached_property
    def _of(self) -> dict[Instruction, TeamGroup]:
        return {load: group for group in self.groups.values() for load in group.members}

    def group(self, load: Instruction) -> TeamGroup | None:
        """Returns the group of a load; None if its additions are atomic."""
        return self._of.get(load)

    def is_better(self, group: TeamGroup) -> bool:
        """True if additions of a group may be other than atomic."""
        if group not in self._better:
            self._better[group] = self.has_copy(group) or self.apart(group) is not None
        return self._better[group]

    def has_window(self, group: TeamGroup) -> bool:
        """True if it is not known what a group reaches, and the thread may add to a copy of what is behind the base."""
        if group not in self._windows:
            self._windows[group] = group.addresses is None and self.taken(group) is not None
        return self._windows[group]

    def is_only_window(self, group: TeamGroup) -> bool:
        """True if all that threads add to the memory of a window, before the next barrier, they add by such windows.

        All threads then have the same window: it does not end before what one of them takes.
        """
        return self._divided.is_same_for_all(group.base) and self._is_only(group)

    def is_only_copy(self, group: TeamGroup) -> bool:
        """True if the same holds of copies of what a group reaches, wherever all threads have one."""
        return self._is_uniform(group) and self._is_only(group)

    def _is_only(self, group: TeamGroup) -> bool:
        if self.taken(group) != []:
            return False
        others = [(other, pointer) for other, pointer in self._adders if other not in group.members]
        return not any(self._meets(group, other, pointer, _extent(other)) for other, pointer in others)

    def has_copy(self, group: TeamGroup) -> bool:
        """True if the thread may add to a copy of what a group reaches."""
        return group.addresses is not None and _is_array(group) and self.taken(group) is not None

    # -- apart

    def apart(self, group: TeamGroup) -> Apart | None:
        """Returns when the group's additions are apart, or are so inside of a thread's part; None if unknown."""
        if group.addresses is None or group.work is None or not self._divided.begins_once(group.work):
            return None
        if not self._divided.is_same_for_all(group.base):
            return None
        slopes = [self._slope(address.offset, group.work) for address in group.addresses]
        others = self._rivals(group)
        if others is None or len(others) > _MOST:
            return None
        known = tuple(slope for slope in slopes if slope is not None)
        is_alike = len(known) == len(slopes) and all(slope.strides == known[0].strides for slope in known)
        return Apart(known, tuple(others)) if is_alike else None

    def _rivals(self, group: TeamGroup) -> list[TeamGroup] | None:
        """Returns the other groups that may add to the same memory at the same time; None if others may."""
        found: dict[TeamGroup, None] = {}
        for other, pointer in self._adders:
            if other in group.members or not self._meets(group, other, pointer, _extent(other)):
                continue
            rival = self.group(other)
            if rival is None and other.opcode == "load" and self._apart.distances(other) is not None:
                continue  # it is apart from all that it may meet
            if rival is None or rival.addresses is None or not self._is_uniform(rival):
                return None
            found[rival] = None
        return list(found) if self._is_uniform(group) else None

    def _meets(self, group: TeamGroup, other: Instruction, pointer: Value | None, extent: int | None) -> bool:
        """True if an instruction may access the memory of a group, and no barrier comes between."""
        for load in group.members:
            if not self._divided.may_run_together(load, other):
                continue
            if pointer is None or self._may_alias(load.operands[0], group.size, pointer, extent):
                return True
        return False

    def _is_uniform(self, group: TeamGroup) -> bool:
        """True if all threads find the same bounds of what the whole loop reaches."""
        polynomials = [a.offset for a in group.addresses or ()]
        return self._divided.is_same_for_all(group.base) and all(map(self._is_same, polynomials))

    def _is_same(self, polynomial: Polynomial) -> bool:
        return all(self._is_same_symbol(symbol) for monomial in polynomial for symbol in monomial)

    def _is_same_symbol(self, symbol: Value) -> bool:
        places = self.places
        variable = places.whole.get(symbol) or places.variables.get(symbol)
        if symbol in places.variables and symbol in self._work_variables and symbol not in places.whole:
            return False
        match variable:
            case Counter(start, _, bound, _):
                return self._is_same(start) and self._is_same(bound)
            case Quotient(number, divisor):
                return self._is_same(number) and self._divided.is_same_for_all(divisor)
        return self._divided.is_same_for_all(symbol)

    @cached_property
    def _work_variables(self) -> frozenset[Value]:
        return frozenset(work.variable.phi for work in self._divided.loops.values())

    def _slope(self, offset: Polynomial, work: WorkLoop) -> Slope | None:
        """Returns how the offset depends on the variable of a divided loop; None if that is not linear."""
        phi, digits = work.variable.phi, self.places.digits
        found = digits.split(offset)
        own: dict[Digit, Polynomial]
        if phi in digits.sums and any(digit in found.strides for digit in digits.sums[phi].strides):
            own = {digit: found.strides.get(digit, {}) for digit in digits.sums[phi].strides}
            strides, rest = {d: s for d, s in found.strides.items() if d not in own}, found.rest
        else:
            own = {self._whole(phi): derivative(found.rest, phi)}
            strides, rest = dict(found.strides), {m: f for m, f in found.rest.items() if phi not in m}
        variables = self.places.variables
        if any(v in variables for stride in own.values() for m in stride for v in m):
            return None
        others = [rest, *strides.values(), *(digits.roots[digit] for digit in strides)]
        if any(v is phi or self._is_quotient_of(v, phi) for polynomial in others for m in polynomial for v in m):
            return None
        return Slope(tuple(own.items()), DigitSum(strides, rest))

    def _whole(self, phi: Instruction) -> Digit:
        """Returns a variable as one digit."""
        if phi not in self._digits:
            self._digits[phi] = Digit(WholeNumber({(phi,): 1}))
        return self._digits[phi]

    def _depends(self, symbol: Value, phi: Value) -> bool:
        """True if a variable, or its bounds, change with the variable of the divided loop."""
        match self.places.variables.get(symbol):
            case Counter(start, _, bound, _) if symbol is not phi:
                used = [*start, *bound]
            case Quotient(number, _):
                used = list(number)
            case _:
                return False
        return any(v is phi or self._depends(v, phi) for m in used for v in m)

    def _is_quotient_of(self, symbol: Value, phi: Value) -> bool:
        return isinstance(self.places.variables.get(symbol), Quotient) and self._depends(symbol, phi)

    # -- copies

    def taken(self, group: TeamGroup) -> list[TakenBytes] | None:
        """Returns where this thread takes numbers that may be those of the group; None if a copy is not possible."""
        found = self._takers_of(group)
        return None if found is None else found[0]

    @cached_property
    def looks_into(self) -> Mapping[Instruction, list[TeamGroup]]:
        """The stores that look into windows, and into which."""
        found: dict[Instruction, list[TeamGroup]] = {}
        for group in self.groups.values():
            takers = self._takers_of(group) if self.has_window(group) else None
            for store in takers[1] if takers is not None else ():
                found.setdefault(store, []).append(group)
        return found

    def _takers_of(self, group: TeamGroup) -> tuple[list[TakenBytes], list[Instruction]] | None:
        """Returns what `taken` returns, and the stores that look into the group's window."""
        if group not in self._taken:
            self._taken[group] = None if self._has_tickets else self._found_takers(group)
        return self._taken[group]

    def _found_takers(self, group: TeamGroup) -> tuple[list[TakenBytes], list[Instruction]] | None:
        found: list[TakenBytes] = []
        looking: list[Instruction] = []
        for taker, pointer, size in self._takers:
            if not self._meets(group, taker, pointer, size.value if isinstance(size, ConstantInt) else None):
                continue
            taken = self._taken_bytes(pointer, size) if pointer is not None and size is not None else None
            if taken is not None and len(found) < _MOST_TAKEN and taken.address.base is not group.base:
                found += [] if any(map(taken.is_same, found)) else [taken]
            elif _may_look(group, taker) and len(looking) < _MOST_LOOKING:
                looking.append(taker)
            else:
                return None
        return found, looking

    def _taken_bytes(self, pointer: Value, size: Value) -> TakenBytes | None:
        address, length = self.places.address(pointer), self.places.polynomial(size)
        if address is None or length is None:
            return None
        fits = address.fits | self.places.conditions_of(size)
        return TakenBytes(LinearAddress(address.base, address.offset, fits), length)


def _may_look(group: TeamGroup, taker: Instruction) -> bool:
    """True for a store of a number that is one of the group's window, or none of it."""
    if group.addresses is not None or taker.opcode != "store" or taker.operands[0].type != group.type:
        return False
    return group.is_aligned and (taker.memory.align or group.size) >= group.size


def _extent(adder: Instruction) -> int | None:
    return store_size(adder.type) if adder.opcode == "load" else None


def _is_array(group: TeamGroup) -> bool:
    """True if the numbers of a group are elements of an array: multiples of their size apart from one another."""
    offsets = [address.offset for address in group.addresses or ()]
    phases = {offset.get((), 0) % group.size for offset in offsets}
    return len(phases) == 1 and not any(f % group.size for offset in offsets for m, f in offset.items() if m)
