"""Additions to shadows that other threads of a team add to: apart, to a copy, or atomically, as the run finds out.

analysis/storage/team_places.py has the groups of such additions. What holds of a group is found out when the derivative
begins. Copies are added to the shadow before the derivative waits for other threads, and at its end
(toolchain/runtime/teams_copies.c).
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from ....analysis.storage.linear_places import Counter, LinearAddress
from ....analysis.storage.place_digits import Digit
from ....analysis.storage.polynomials import Polynomial
from ....analysis.storage.team_places import Apart, TakenBytes, TeamGroup, TeamPlaces
from ....ir.builder import Builder
from ....ir.folding import int_constant, zero
from ....ir.types import I1, I64, PTR, StructType
from ....ir.values import Instruction, Value
from ....rules import runtime_functions as runtime
from ..reach_notes import is_in_zone
from .extents_of_places import ExtentsOfPlaces, Interval, all_of, greatest, least
from .whose_shadow import WhoseShadow

#: struct copy of the runtime
COPY = StructType((PTR, PTR, I64, I64, PTR, I64, I64))
#: a part of a loop has so many times the iterations near its ends, or more, if these are told apart
_INSIDE = 4
#: the runtime makes no copies of more bytes
_MOST_COPIED = 1 << 24
#: the bytes of a window: those of indices that are not too far apart
_WINDOW = 1 << 20
#: the runtime's word for a copy if threads add to the memory by such copies only
_ONLY = 2
_NO, _YES = int_constant(0, I1), int_constant(1, I1)


class Inside(Struct, frozen=True):
    """Iterations of the thread's part that no other thread comes near to: from `first` to `last`, if it `holds`.

    `is_never`: the whole loop is so short that it holds in no part.
    """

    holds: Value
    first: Value
    last: Value
    is_never: Value


class Window(Struct, frozen=True):
    """A copy of the bytes behind a base whose extent is not known.

    `used`: where the thread keeps the greatest offset at which it added, in the copy or beyond. `number`: bytes of one.
    """

    base: Value
    size: Value
    number: int
    copy: Value
    used: Value


class GroupTarget(Struct, frozen=True):
    """Where a group adds: behind `base`, of the shadow or of a copy. `is_plain`: no addition is atomic."""

    is_plain: Value
    base: Value
    copy: Value | None
    inside: Inside | None


def _lesser(b: Builder, first: Value, second: Value) -> Value:
    return b.call("@llvm.umin.i64", I64, (first, second))


class TeamAdditions:
    """The groups of one derivative."""

    def __init__(self, access: WhoseShadow, places: TeamPlaces) -> None:
        sweep = access.sweep
        self._access = access
        self._sweep = sweep
        self._places = places
        self._extents = ExtentsOfPlaces(sweep, places.places)
        self._targets: dict[tuple[TeamGroup, int], GroupTarget] = {}
        self._windows: dict[tuple[TeamGroup, int], Window] = {}

    def place(self, i: Instruction, shadow: Value) -> tuple[Value, Value] | None:
        """Returns where the adjoint of a load is added, and the test (i64) that it is added plainly, or None."""
        group = self._places.group(i)
        if group is not None and self._places.has_window(group):
            return self._place_in_window(group, shadow)
        target = self._target(group) if group is not None else None
        if group is None or target is None:
            alone = is_in_zone(self._sweep, i, shadow)
            return None if alone is None else (shadow, alone)
        b, sweep = self._sweep.b, self._sweep
        place, is_plain = shadow, _YES if sweep.is_plain else target.is_plain
        if target.copy is not None:
            start = b.cast("ptrtoint", sweep.shadow_of(group.base), I64)
            place = b.offset(target.base, b.sub(b.cast("ptrtoint", shadow, I64), start), ())
        if target.inside is not None and not sweep.is_plain:
            is_plain = b.int_op("or", is_plain, self._is_inside(group, target.inside))
        return place, int_constant(1) if is_plain is _YES else b.cast("zext", is_plain, I64)

    def taken_from_copies(self, i: Instruction, shadow: Value, taken: Value) -> Value:
        """Takes what windows hold of the adjoint of a stored number, and adds it to what the shadow has held.

        Where a window does not reach, the shadow is read once more: it is zero now.
        """
        b = self._sweep.b
        for group in self._places.looks_into.get(i, ()):
            window, number = self._window(group), zero(taken.type)
            offset = self._offset(group, shadow)
            inside = b.icmp("ult", offset, window.size)
            place = b.select(inside, b.offset(window.base, offset, ()), shadow)
            part = b.load(taken.type, place, group.size)
            b.store(number, place, group.size)
            taken = b.fadd(taken, part)
        return taken

    def flush(self) -> None:
        """Emits the addition of all copies to shadows: other threads may read these next."""
        for group in self._places.groups.values():
            for _ in self._sweep.directions():
                if self._places.has_window(group):
                    self._window(group)
                else:
                    self._target(group)
        self._note_used()
        for copy in self._copies():
            runtime.TEAM_FLUSH.call(self._sweep.b, copy)

    def drop(self) -> None:
        """Emits the same at the end of the derivative, and the end of the copies."""
        self._note_used()
        for copy in reversed(list(self._copies())):
            runtime.TEAM_DROP.call(self._sweep.b, copy)

    def _copies(self) -> Iterator[Value]:
        made = [target.copy for target in self._targets.values()] + [w.copy for w in self._windows.values()]
        return (copy for copy in made if copy is not None)

    def all_plain(self) -> Value | None:
        """Emits whether all tests of additions hold; None if there are none."""
        flags = [target.is_plain for target in self._targets.values()]
        return all_of(self._sweep.b, flags) if flags else None

    # -- windows

    def _note_used(self) -> None:
        """Tells the runtime how much of the windows is to be added, and that nothing is from here on."""
        for window in self._windows.values():
            b = self._sweep.b
            within = _lesser(b, b.load(I64, window.used, 8), window.size)
            used = _lesser(b, b.add(within, int_constant(window.number)), window.size)
            runtime.TEAM_USED.call(b, window.copy, used)
            b.store(int_constant(0), window.used, 8)

    def _place_in_window(self, group: TeamGroup, shadow: Value) -> tuple[Value, Value]:
        b, window = self._sweep.b, self._window(group)
        offset = self._offset(group, shadow)
        is_in: Value = b.icmp("ult", offset, window.size)
        if not group.is_aligned:
            is_in = b.int_op("and", is_in, self._is_element(group, offset))
        b.store(b.call("@llvm.umax.i64", I64, (b.load(I64, window.used, 8), offset)), window.used, 8)
        return b.select(is_in, b.offset(window.base, offset, ()), shadow), b.cast("zext", is_in, I64)

    def _offset(self, group: TeamGroup, shadow: Value) -> Value:
        b = self._sweep.b
        start = b.cast("ptrtoint", self._sweep.shadow_of(group.base), I64)
        return b.sub(b.cast("ptrtoint", shadow, I64), start)

    def _window(self, group: TeamGroup) -> Window:
        key = group, self._sweep.direction
        if key not in self._windows:
            self._sweep.early(("window", key), lambda: self._make_window(key, group))
        return self._windows[key]

    def _make_window(self, key: tuple[TeamGroup, int], group: TeamGroup) -> Value:
        """Emits a copy that ends before what the thread takes adjoints from. The shadow must be an array of numbers."""
        b, shadow = self._sweep.b, self._sweep.shadow_of(group.base)
        start = b.cast("ptrtoint", shadow, I64)
        size: Value = int_constant(_WINDOW)
        for taken in self._places.taken(group) or []:
            size = least(b, size, self._free_behind(start, taken))
        same = self._access.is_unshadowed(group.base)
        wanted = self._is_element(group, start) if group.is_aligned else _YES
        wanted = wanted if same is None else b.int_op("and", wanted, b.icmp("eq", same, _NO))
        flag: Value = b.cast("zext", wanted, I64)
        if self._places.is_only_window(group):
            flag = b.mul(flag, int_constant(_ONLY))
        copy, used = b.alloca(COPY, align=8), b.alloca(I64, align=8)
        b.store(int_constant(0), used, 8)
        base = runtime.TEAM_COPY.call(b, copy, shadow, int_constant(0), size, int_constant(group.size), flag)
        size = b.select(b.icmp("eq", base, shadow), int_constant(0), size)
        self._windows[key] = Window(base, size, group.size, copy, used)
        return base

    def _is_element(self, group: TeamGroup, bytes_: Value) -> Value:
        """Emits whether so many bytes are a multiple of a number's size: copies are arrays."""
        b = self._sweep.b
        return b.icmp("eq", b.int_op("and", bytes_, int_constant(group.size - 1)), int_constant(0))

    def _free_behind(self, start: Value, taken: TakenBytes) -> Value:
        """Emits how many bytes behind an address come before what is taken; all that a window may have if none."""
        b = self._sweep.b
        low, high = self._extents.of_address(taken.address, taken.size, whole=False)
        base = b.cast("ptrtoint", self._sweep.shadow_of(taken.address.base), I64)
        is_before = b.icmp("sle", b.add(base, high), start)
        behind = greatest(b, b.sub(b.add(base, low), start), int_constant(0))
        fit = self._extents.fit([taken.address], whole=False)
        return b.select(fit, b.select(is_before, int_constant(_WINDOW), behind), int_constant(0))

    # -- what holds of a group

    def _target(self, group: TeamGroup) -> GroupTarget | None:
        key = group, self._sweep.direction
        if not self._places.is_better(group):
            return None
        if key not in self._targets:
            self._sweep.early(("team", key), lambda: self._make(key, group))
        return self._targets[key]

    def _make(self, key: tuple[TeamGroup, int], group: TeamGroup) -> Value:
        apart = self._places.apart(group)
        is_plain, inside = (_NO, None) if apart is None else self._apart(group, apart)
        shadow = self._sweep.shadow_of(group.base)
        self._targets[key] = GroupTarget(is_plain, shadow, None, inside)
        if self._places.has_copy(group):
            self._targets[key] = self._copied(group, is_plain, inside)
        return is_plain

    def _copied(self, group: TeamGroup, is_plain: Value, inside: Inside | None) -> GroupTarget:
        b, sweep = self._sweep.b, self._sweep
        taken = self._places.taken(group) or []
        extents, fit = self._reached(group, whole=False)
        elsewhere = [self._is_elsewhere(group, extents, t.address, t.size) for t in taken]
        wanted = [fit, *elsewhere, b.icmp("eq", is_plain, _NO)]
        same = self._access.is_unshadowed(group.base)
        if same is not None:
            wanted.append(b.icmp("eq", same, _NO))
        if inside is not None:
            wanted.append(b.icmp("eq", inside.holds, _NO))
        copy = b.alloca(COPY, align=8)
        flag: Value = b.cast("zext", all_of(b, wanted), I64)
        if self._places.is_only_copy(group):
            flag = b.select(self._have_all_copies(group, inside), b.mul(flag, int_constant(_ONLY)), flag)
        shadow = sweep.shadow_of(group.base)
        base = runtime.TEAM_COPY.call(b, copy, shadow, *extents, int_constant(group.size), flag)
        return GroupTarget(b.int_op("or", is_plain, b.icmp("ne", base, shadow)), base, copy, inside)

    def _have_all_copies(self, group: TeamGroup, inside: Inside | None) -> Value:
        """Emits whether all threads that add anything have a copy if one has. All threads find the same."""
        b = self._sweep.b
        (low, high), fit = self._reached(group, whole=True)
        is_small = b.icmp("sle", b.sub(high, low), int_constant(_MOST_COPIED))
        return all_of(b, [fit, is_small, *([inside.is_never] if inside is not None else [])])

    def _reached(self, group: TeamGroup, *, whole: bool) -> tuple[Interval, Value]:
        """Returns the bounds of the bytes behind the base that a group reaches, and whether they are valid."""
        addresses = group.addresses or []
        found = [self._extents.of_address(a, {(): group.size}, whole=whole) for a in addresses]
        return self._extents.union(found), self._extents.fit(addresses, whole=whole)

    def _is_elsewhere(self, group: TeamGroup, extents: Interval, other: LinearAddress, size: Polynomial) -> Value:
        """Emits whether a number that is taken is none of a group's, by the addresses of the shadows."""
        b = self._sweep.b
        reached = self._extents.of_address(other, size, whole=False)
        fit = self._extents.fit([other], whole=False)
        return b.int_op("and", fit, self._are_disjoint(group.base, extents, other.base, reached))

    def _are_disjoint(self, base: Value, extents: Interval, other: Value, reached: Interval) -> Value:
        b, sweep = self._sweep.b, self._sweep
        first, second = (b.cast("ptrtoint", sweep.shadow_of(value), I64) for value in (base, other))
        before = b.icmp("sle", b.add(first, extents[1]), b.add(second, reached[0]))
        behind = b.icmp("sle", b.add(second, reached[1]), b.add(first, extents[0]))
        return b.int_op("or", before, behind)

    # -- apart

    def _apart(self, group: TeamGroup, apart: Apart) -> tuple[Value, Inside | None]:
        """Emits whether the additions of a group are apart; also which iterations are, if that makes sense."""
        b, extents = self._sweep.b, self._extents
        low, high = extents.union(extents.of_sum(slope.rest, whole=True) for slope in apart.slopes)
        extent = b.sub(b.add(high, int_constant(group.size)), low)
        known = all_of(b, self._others_are_elsewhere(group, apart))
        digits = list(apart.slopes[0].strides)
        if len(digits) > 1:
            return b.int_op("and", known, self._are_digits_apart(digits, extent)), None
        assert group.work is not None
        step = extents.value(digits[0][1])
        distance = self._absolute(b.mul(step, int_constant(group.work.variable.step)))
        is_plain = b.int_op("and", known, b.icmp("uge", distance, extent))
        return is_plain, self._inside(group, known, extent, distance)

    def _are_digits_apart(self, digits: list[tuple[Digit, Polynomial]], extent: Value) -> Value:
        """Emits whether a step of each digit leads beyond all that the extent and digits of smaller strides reach."""
        b, extents, none = self._sweep.b, self._extents, int_constant(0)
        strides = [self._absolute(extents.value(stride)) for _, stride in digits]
        ranges = [extents.of_digit(digit.range, whole=True) for digit, _ in digits]
        steps = [greatest(b, b.sub(high, low), none) for low, high in ranges]
        tests = []
        for k, stride in enumerate(strides):
            reached = extent
            for j, other in enumerate(strides):
                if j != k:
                    is_smaller = b.icmp("ule" if j < k else "ult", other, stride)
                    reached = b.add(reached, b.select(is_smaller, b.mul(other, steps[j]), none))
            tests.append(b.int_op("or", b.icmp("eq", steps[k], none), b.icmp("uge", stride, reached)))
        return all_of(b, tests)

    def _absolute(self, value: Value) -> Value:
        return self._sweep.b.call("@llvm.abs.i64", I64, (value, _NO))

    def _others_are_elsewhere(self, group: TeamGroup, apart: Apart) -> Iterator[Value]:
        reached, fit = self._reached(group, whole=True)
        yield fit
        for other in apart.others:
            extents, valid = self._reached(other, whole=True)
            yield valid
            yield self._are_disjoint(group.base, reached, other.base, extents)

    def _inside(self, group: TeamGroup, known: Value, extent: Value, distance: Value) -> Inside | None:
        b, places = self._sweep.b, self._places.places
        assert group.work is not None
        work = group.work
        part = places.variables.get(work.variable.phi)
        if work.call not in places.parts or not isinstance(part, Counter) or part.step != 1:
            return None
        low, high = self._extents.interval({(work.variable.phi,): 1}, whole=False)
        near = b.int_op("sdiv", extent, greatest(b, distance, int_constant(1)))
        first, last = self._extents.interval({(work.variable.phi,): 1}, whole=True)
        many = b.mul(near, int_constant(_INSIDE))
        is_long, is_never = b.icmp("sgt", b.sub(high, low), many), b.icmp("sle", b.sub(last, first), many)
        is_far = b.icmp("sge", distance, int_constant(group.size))
        holds = all_of(b, [known, is_long, is_far, b.icmp("sge", near, int_constant(0))])
        return Inside(holds, b.add(low, near), b.sub(high, near), is_never)

    def _is_inside(self, group: TeamGroup, inside: Inside) -> Value:
        b, sweep = self._sweep.b, self._sweep
        assert group.work is not None
        number = b.resize_int(sweep.of(group.work.variable.phi), I64, signed=True)
        if group.work.from_zero:
            number = b.add(number, b.resize_int(sweep.of(group.work.first), I64, signed=True))
        between = b.int_op("and", b.icmp("sge", number, inside.first), b.icmp("sle", number, inside.last))
        return b.int_op("and", between, inside.holds)
