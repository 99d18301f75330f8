"""Sets of evidence as integers, of which each bit stands for a piece: unions of thousands of pieces take no time."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import partial

from ..declared.hints import Hint
from ..kinds import Kind
from .collected_evidence import CARRIED, Portion, belongs, in_each_word, is_access_to, longest_runs
from .elements import Row, row_of
from .facts_at_place import repeated
from .places import BEYOND, NARROW, Evidence, Tier, make_evidence

#: sets of more pieces are looked through for those that others make superfluous
_MANY_PIECES = 2000
#: pieces that begin at so many bytes are found together; those that begin further away than _FAR are always found
_PLACES, _FAR = 256, 1 << 15


class _Chosen:
    """The set of the pieces for which a predicate holds."""

    def __init__(self, holds: Callable[[Evidence], bool]) -> None:
        self._holds, self._bits, self._count = holds, 0, 0

    def among(self, pieces: Sequence[Evidence]) -> int:
        """Returns the set. Pieces that were there before are not looked at again."""
        if self._count < len(pieces):
            self._bits |= _set_of([k for k in range(self._count, len(pieces)) if self._holds(pieces[k])])
            self._count = len(pieces)
        return self._bits


class _ByPlace:
    """Sets of all pieces by their places: those near some bytes are found without a look at others.

    `_always`: those that may tell of any bytes, such as arrays, and exact accesses: where one of these begins, an array
    ends.
    """

    def __init__(self) -> None:
        self._count = 0
        self._always = 0
        self._single: dict[int, int] = {}
        self._declared: dict[int, int] = {}
        self._reach = self._declared_reach = 0

    def near(self, pieces: Sequence[Evidence], first: int, end: int) -> int:
        """Returns the set of the pieces that may tell what lies at these bytes, and perhaps of others."""
        if self._count < len(pieces):
            self._enter(pieces)
        found = self._always
        for places, begin, behind in (
            (self._single, first - self._reach, end),
            (self._declared, first - self._declared_reach, end + BEYOND),
        ):
            for at in range(begin // _PLACES, behind // _PLACES + 1):
                found |= places.get(at, 0)
        return found

    def _enter(self, pieces: Sequence[Evidence]) -> None:
        """Adds the pieces that were not there before."""
        always: list[int] = []
        single: dict[int, list[int]] = {}
        declared: dict[int, list[int]] = {}
        for number in range(self._count, len(pieces)):
            offset, stride, _, tag, tier = pieces[number]
            reach = _reach(tag) if isinstance(tag, Hint) else tag.size
            is_array = stride or (isinstance(tag, Hint) and tag.period is not None)
            if is_array or tier is Tier.EXACT or abs(offset) > _FAR or reach > BEYOND:
                always.append(number)
            elif isinstance(tag, Hint):
                declared.setdefault(offset // _PLACES, []).append(number)
                self._declared_reach = max(self._declared_reach, reach)
            else:
                single.setdefault(offset // _PLACES, []).append(number)
                self._reach = max(self._reach, reach)
        self._count = len(pieces)
        self._always |= _set_of(always)
        for places, new in ((self._single, single), (self._declared, declared)):
            for at, numbers in new.items():
                places[at] = places.get(at, 0) | _set_of(numbers)


class EvidenceSets:
    """Numbers each piece of evidence when it is first met. Bit n of a set stands for piece n."""

    def __init__(self) -> None:
        self._numbers: dict[Evidence, int] = {}
        self._pieces: list[Evidence] = []
        self._moved: dict[int, dict[int, int]] = {}  # by the shift
        self._repeated: dict[tuple[int, int, int], dict[int, list[int]]] = {}  # by shift, repeats and width
        self._in_rows: dict[tuple[int, int], dict[int, tuple[int, int]]] = {}  # by shift and repeats
        self._rows: list[tuple[Row, list[int]]] = []  # with the numbers of their elements
        self._row_numbers: dict[Row, int] = {}
        self._portions: dict[Portion, _Chosen] = {portion: _Chosen(partial(belongs, portion)) for portion in Portion}
        self._kinds: dict[Kind, _Chosen] = {kind: _Chosen(partial(is_access_to, kind)) for kind in Kind}
        self._longest: dict[int, int] = {}
        self._in_each_word = dict.fromkeys(CARRIED, 0)  # the pieces of a kind that are in each word
        self._by_place = _ByPlace()

    def of(self, pieces: Iterable[Evidence]) -> int:
        """Returns the set of the pieces."""
        return _set_of(self._numbers_of(pieces))

    def _numbers_of(self, pieces: Iterable[Evidence]) -> list[int]:
        found = []
        for piece in map(_canonical, pieces):
            number = self._numbers.setdefault(piece, len(self._pieces))
            if number == len(self._pieces):
                self._pieces.append(piece)
                kind = in_each_word(piece)
                if kind in self._in_each_word:
                    self._in_each_word[kind] |= 1 << number
            found.append(number)
        return found

    def in_each_word(self, bits: int) -> frozenset[Kind]:
        """Returns kinds of which pieces of the set put something in each word, from wherever they are seen."""
        return frozenset(kind for kind, pieces in self._in_each_word.items() if bits & pieces)

    def kinds(self, bits: int) -> frozenset[Kind]:
        """Returns the kinds of the accesses in the set."""
        return frozenset(kind for kind, accesses in self._kinds.items() if bits & accesses.among(self._pieces))

    def pieces(self, bits: int, shift: int = 0, repeats: int = 0, portion: Portion | None = None) -> Iterator[Evidence]:
        """Yields the pieces of a set, or a portion, in the order in which they were first met.

        They are seen from `shift` bytes before. With `repeats`, they hold at all multiples of these bytes.
        """
        # pieces get into no portion by being moved or repeated, and leave none by being moved
        for number in _numbers(bits if portion is None else bits & self._portions[portion].among(self._pieces)):
            piece = moved(self._pieces[number], shift)
            if not repeats:
                yield piece
                continue
            for item in repeated(piece, repeats):
                if portion is None or belongs(portion, item):
                    yield item

    def near(self, bits: int, shift: int, repeats: int, size: int) -> Iterable[Evidence]:
        """Returns the pieces of a set that may tell what the first `size` bytes hold, and perhaps others (`pieces`)."""
        if repeats:
            return self.pieces(bits, shift, repeats, Portion.ALL)
        return self.pieces(bits & self._by_place.near(self._pieces, -shift, size - shift), shift, 0, Portion.ALL)

    def longest(self, bits: int) -> int:
        """Returns the set without arrays that others tell all of (`longest_runs`), if there may be many."""
        if bits.bit_count() < _MANY_PIECES:
            return bits
        found = self._longest.get(bits)
        if found is None:
            kept = longest_runs(self._pieces[number] for number in _numbers(bits))
            found = self._longest[bits] = _set_of(self._numbers_of(kept))
        return found

    def seen_before(self, bits: int, shift: int, repeats: int, width: int) -> int:
        """Returns the set, seen from a field of some width that begins `shift` bytes before.

        With `repeats`, it holds at all multiples of these bytes.
        """
        if not repeats:
            return self._seen_from(bits, shift)
        if width <= NARROW:
            return self._elements_seen_before(bits, shift, repeats, width)
        found: set[int] = set()
        known = self._repeated.setdefault((shift, repeats, width), {})
        for number in _numbers(bits):
            seen = known.get(number)
            if seen is None:
                piece = moved(self._pieces[number], shift)
                seen = known[number] = self._numbers_of(_within(piece, repeats, width))
            found.update(seen)
        return _set_of(found)

    def _elements_seen_before(self, bits: int, shift: int, repeats: int, width: int) -> int:
        """Returns the same of few bytes. Of the elements of a row only the first counts: it stands for the others."""
        known = self._in_rows.setdefault((shift, repeats), {})
        first: dict[int, int] = {}
        for number in _numbers(bits):
            place = known.get(number)
            if place is None:
                place = known[number] = self._in_row(number, shift, repeats)
            row, at = place
            if at < first.get(row, width):
                first[row] = at
        return _set_of({number for row, at in first.items() for number in self._elements(row, at, width)})

    def _in_row(self, number: int, shift: int, repeats: int) -> tuple[int, int]:
        row, at = row_of(self._pieces[number], shift, repeats)
        known = self._row_numbers.setdefault(row, len(self._rows))
        if known == len(self._rows):
            self._rows.append((row, []))
        return known, at

    def _elements(self, row: int, first: int, width: int) -> list[int]:
        elements, numbers = self._rows[row]
        count = elements.ending_in(width)
        if len(numbers) < count:
            numbers += self._numbers_of(map(elements.element, range(len(numbers), count)))
        return numbers[first:count]

    def _seen_from(self, bits: int, shift: int) -> int:
        known = self._moved.setdefault(shift, {})
        found = []
        for number in _numbers(bits):
            seen = known.get(number)
            if seen is None:
                (seen,) = self._numbers_of([moved(self._pieces[number], shift)])
                known[number] = seen
            found.append(seen)
        return _set_of(found)

    def repeating(self, bits: int, repeats: Collection[int], width: int) -> int:
        """Returns the set with what holds at other elements, if it repeats after several numbers of bytes."""
        new = bits if repeats else 0
        while new:
            before = bits
            for step in repeats:
                bits |= self.seen_before(new, 0, step, width)
            new = bits & ~before
        return bits


def _reach(declared: Hint) -> int:
    """Returns how many bytes from its place on one element of a declaration tells of."""
    return max((offset + length for offset, length, _ in declared.regions), default=0)


def _numbers(bits: int) -> Iterator[int]:
    """Yields the numbers in a set. A set may have a few of 100,000: no step takes the time of all."""
    digits = bin(bits)[:1:-1]
    number = digits.find("1")
    while number >= 0:
        yield number
        number = digits.find("1", number + 1)


def _set_of(numbers: Collection[int]) -> int:
    data = bytearray((max(numbers, default=0) >> 3) + 1)
    for number in numbers:
        data[number >> 3] |= 1 << (number & 7)
    return int.from_bytes(data, "little")


def _canonical(item: Evidence) -> Evidence:
    """Returns one piece for all declarations that say the same at all multiples of a stride."""
    if item.tier is not Tier.HINT or 0 <= item.offset < item.stride or not item.stride:
        return item
    return item._replace(offset=item.offset % item.stride)


def moved(item: Evidence, shift: int) -> Evidence:
    """Returns the evidence, seen from a place `shift` bytes before."""
    if not shift:
        return item
    offset, stride, end, tag, tier = item
    return make_evidence((offset + shift, stride, None if end is None else end + shift, tag, tier))


def _within(item: Evidence, repeats: int, width: int) -> dict[Evidence, None]:
    """Returns the evidence as it holds in a field of some width that is an array of elements."""
    if repeats < width:
        return {
            Evidence(offset, stride, width if stride else None, tag, tier): None
            for offset, stride, _, tag, tier in repeated(item, repeats)
        }
    if item.tier is not Tier.EXACT:
        return {item: None}
    return {Evidence(item.offset, repeats, width, item.tag, Tier.STRIDED): None}
