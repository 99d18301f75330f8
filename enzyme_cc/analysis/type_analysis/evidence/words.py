"""Finds what each 8-byte word may hold at some time, all evidence counted: for memory whose use changes over time.

Words need not begin at the pointer: LLVM copies the tail of a struct, whose first bytes are a part of a word.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..declared.hints import Hint
from ..kinds import FLOATS, Kind, Tag
from .collected_evidence import Collected, Portion, period_of
from .declared_regions import hint_regions
from .places import WORD, Evidence, Tier

#: memory of more bytes has words of one period
MANY_BYTES = 4096
#: what has a word of its own, or two
_WHOLE = frozenset([Kind.DOUBLE, Kind.POINTER, Kind.X86_FP80])
_NO_KINDS = frozenset([Kind.UNKNOWN, Kind.ANYTHING, Kind.CONFLICT])


def word_begins(found: Collected, size: int | None) -> set[int]:
    """Returns how many of `size` bytes lie before the first whole word. The evidence may tell several numbers."""
    begins: set[int] = set()
    for i in found.portion(Portion.CARRIED):
        if not isinstance(i.tag, Tag) or i.tag.size < WORD or i.tag.kind not in _WHOLE or i.tier <= Tier.ELSEWHERE:
            continue
        if i.stride or (i.offset + i.tag.size > 0 and (size is None or i.offset < size)):
            begins |= {i.offset % WORD, (i.offset + i.stride) % WORD}
    return begins


def word_count(size: int | None, first: int) -> int:
    """Returns the number of words in `size` bytes; 1 if they repeat. `first` bytes lie before the first whole word."""
    if size is None or size > MANY_BYTES:
        return 1
    return -(-(size + WORD - first if first else size) // WORD)


def words(
    found: Collected, size: int | None, integers: bool = False, cut: bool = False, first: int = 0
) -> list[frozenset[Kind]]:
    """Returns the floating-point kinds, and POINTER, of each word of `size` bytes, or of one period if they repeat.

    `integers`: INTEGER counts, too, and where nothing is accessed, what is declared. `cut`: arrays
    may go on behind what seems to end them. `first`: so many bytes lie before the first whole word; if there are any,
    they are the end of the first word of the result.
    """
    if first:
        found, size = _moved(found, WORD - first), None if size is None else size + WORD - first
    kinds = FLOATS | ({Kind.POINTER, Kind.INTEGER} if integers else {Kind.POINTER})
    accesses = found.portion(Portion.ALL if integers else Portion.CARRIED)
    items = [i for i in accesses if isinstance(i.tag, Tag) and i.tag.kind in kinds]
    if cut:
        behind = [i for i in found.portion(Portion.CUT) if isinstance(i.tag, Tag) and i.tag.kind in kinds]
        items = [i._replace(end=None) for i in items] + behind
    if size is None or size > MANY_BYTES:
        size = period_of(found.items, True) or 0
        if size == 0 or size % WORD or size > MANY_BYTES:
            return [frozenset(i.tag.kind for i in items if isinstance(i.tag, Tag))]
        return _accessed((_repeating(i, size) for i in items), size)
    accessed = _accessed(items, size)
    if not integers or all(accessed):
        return accessed
    return [a or d for a, d in zip(accessed, _declared(found, size), strict=True)]


def has_mixed_word(found: Collected, size: int | None) -> bool:
    """Returns whether a word is known to hold numbers at one time and pointers at another, whatever else is found.

    If the size is unknown or large, only what holds in each period counts.
    """
    sure: Iterable[Evidence] = found.portion(Portion.CARRIED)
    if size is None or size > MANY_BYTES:
        size, sure = MANY_BYTES, (i for i in sure if not i.stride or i.tier is Tier.STRIDED)
    kinds = words(Collected.of(sure), size)
    return any(Kind.POINTER in word and len(word) > 1 for word in kinds)


def has_larger_number(found: Collected, size: int, *, is_sure: bool = True) -> bool:
    """Returns whether one of the first `size` bytes is a part of a number that has more bytes.

    `is_sure`: what is known of other elements alone does not count.
    """
    return any(True for _ in larger_numbers(found, size, is_sure=is_sure))


def larger_numbers(found: Collected, size: int, *, is_sure: bool = True) -> Iterator[tuple[int, int]]:
    """Yields offset and size of each such number."""
    items = found.portion(Portion.CARRIED)
    sure = ((i.offset, i.tag) for i in items if i.tier > Tier.FOLDED or not is_sure)
    numbers = ((offset, tag.size) for offset, tag in sure if isinstance(tag, Tag) and tag.kind in FLOATS)
    return ((offset, length) for offset, length in numbers if length > size and -length < offset < size)


def accesses_integer(found: Collected, size: int) -> bool:
    """Returns whether there is an exact access to an integer of `size` bytes."""
    exact = (i.tag for i in found.items if i.tier is Tier.EXACT and i.offset == 0)
    return any(isinstance(tag, Tag) and tag.kind is Kind.INTEGER and tag.size == size for tag in exact)


def begins_otherwise(found: Collected) -> bool:
    """Returns whether an exact access takes the first byte for an integer or a pointer: no layout has a number there.

    If another access takes it for a number, there is no layout.
    """
    exact = ((i.offset, i.tag) for i in found.portion(Portion.EXACT))
    others = ((at, tag) for at, tag in exact if isinstance(tag, Tag) and tag.kind not in FLOATS)
    return any(at <= 0 < at + tag.size for at, tag in others)


def is_otherwise(found: Collected, size: int) -> bool:
    """Returns whether exact accesses take all of the bytes for integers or pointers, and no number may overlap them."""
    pieces = (*found.portion(Portion.NUMBERS), *found.portion(Portion.CUT))
    numbers = ((i.offset, i.stride, i.tag) for i in pieces)
    if any(stride or -tag.size < at < size for at, stride, tag in numbers if isinstance(tag, Tag)):
        return False
    exact = ((i.offset, i.tag) for i in found.portion(Portion.EXACT))
    covered = {at for offset, tag in exact if isinstance(tag, Tag) for at in range(offset, offset + tag.size)}
    return covered.issuperset(range(size))


def _moved(found: Collected, distance: int) -> Collected:
    """Returns the evidence as it is seen from an earlier place."""

    def moved(i: Evidence) -> Evidence:
        return i._replace(offset=i.offset + distance, end=None if i.end is None else i.end + distance)

    return Collected(lambda portion: map(moved, found.portion(portion)), found.external, found.complete)


def _declared(found: Collected, size: int) -> list[frozenset[Kind]]:
    """Returns the kinds of each word that declarations say."""
    regions = list(dict.fromkeys(hint_regions([i for i in found.items if isinstance(i.tag, Hint)], size)))
    return [
        frozenset(kind for offset, length, kind in regions if offset < at + WORD and at < offset + length) - _NO_KINDS
        for at in range(0, size, WORD)
    ]


def _accessed(items: Iterable[Evidence], size: int) -> list[frozenset[Kind]]:
    """Returns the kinds of each word that accesses say. Each item takes the time of the words that it touches."""
    found: list[set[Kind]] = [set() for _ in range(0, size, WORD)]
    tags = ((i, i.tag) for i in items if isinstance(i.tag, Tag))
    runs = {(t.kind, t.size, i.offset, i.stride, i.end, i.tier is Tier.FOLDED) for i, t in tags}
    for kind, length, offset, stride, end, is_folded in runs:
        places = range(offset, min(size, offset + 1))
        if stride:
            steps = -(length + offset) // stride + 1  # to the first element that ends behind 0
            first = offset + (steps if is_folded else max(0, steps)) * stride
            places = range(first, size if end is None else min(size, end - length + 1), stride)
        for place in places:
            for at in range(max(0, place // WORD), min(len(found), -(-(place + length) // WORD))):
                found[at].add(kind)
    return list(map(frozenset, found))


def _repeating(item: Evidence, period: int) -> Evidence:
    """Returns the evidence as it holds in every period, before and after."""
    step = period if item.stride == 0 else item.stride
    return item._replace(offset=item.offset % step, stride=step, end=None, tier=Tier.FOLDED)
