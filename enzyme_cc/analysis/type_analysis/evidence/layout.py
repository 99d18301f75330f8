"""Weighs the evidence about some bytes and makes their layout.

Evidence counts by how sure it is (`Tier`). An array inside a struct appears as a run of equal elements at a stride
(`array_runs.py`). If two kinds are found for one byte, and nothing tells which is right, they are in conflict.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..declared.hints import ELEMENT_SIZES, Hint
from ..kinds import FLOATS, Kind, Layout, Segment, Tag, natural_alignment
from .array_runs import Begins, paint_runs
from .collected_evidence import CARRIED, Collected, Portion, period_of
from .declared_regions import DeclaredRegions, hint_regions
from .painted_bytes import Byte, cover, paint_at, paint_item
from .places import WIDEST, Evidence, Tier

_LARGE = 1 << 16


class Undecided(Exception):
    """The layout cannot be told; the message says why."""


def make_layout(found: Collected, size: int | None) -> Layout:
    """Returns the layout of `size` bytes (None: of any number). Raises Undecided if some bytes have no kind."""
    if not found.complete:
        raise Undecided("too many pointers may point there")
    if size == 0:
        return Layout(None, ())
    if size is not None and is_disputed(found, size):
        raise Undecided("some of its bytes are used as different kinds")
    if size is None or size > _LARGE:
        return _repeating(found, period_of(found.items, size is None), size)
    near = found.near(size)
    bytes_, period = _paint(found, near.pieces, size), near.period
    if period is not None and size > 4 * period:
        whole = size - size % period
        first = bytes_[:period]
        if _folds(bytes_[:whole], period) and all(first):
            return Layout(period, _segments(found, first))
    return Layout(None, _segments(found, bytes_))


def is_disputed(found: Collected, size: int | None) -> bool:
    """Returns whether exact accesses exclude each other at one of `size` bytes: no further evidence decides that."""
    if size is None:
        size = max((i.offset + i.tag.size for i in found.portion(Portion.EXACT)), default=0)
    return _has_conflict(_exact(found, min(max(size, 0), _LARGE)))


def _exact(found: Collected, size: int) -> list[Byte]:
    """Returns what exact accesses alone say."""
    layer = _elements(found.portion(Portion.EXACT), size)
    _check_behind(found.portion(Portion.BEHIND), layer)
    return layer


def is_cut(found: Collected, layout: Layout, size: int) -> bool:
    """Returns whether elements of an array of numbers would lie where the layout has something else.

    In one object, the array ends there. If pointers may point at several objects, these may have been different ones.
    """
    kinds = [segment.kind for segment in layout.segments for _ in range(segment.length)]
    numbers = ((i, i.tag) for i in found.portion(Portion.NUMBERS) if _is_array(i))
    arrays = {(tag.kind, i.offset, i.stride) for i, tag in numbers if isinstance(tag, Tag)}
    for kind, offset, stride in arrays:
        first = offset if offset >= 0 else offset % stride
        if any(kinds[at % len(kinds)] is not kind for at in range(first, size, stride)):
            return True
    return False


def _is_array(item: Evidence) -> bool:
    return bool(item.stride) and item.tier is Tier.STRIDED


def may_begin_later(found: Collected, size: int) -> bool:
    """Returns whether an array seems to cover the bytes, but declarations say that something else is there."""
    runs = [i for i in found.items if isinstance(i.tag, Tag) and i.tier is Tier.STRIDED and i.offset < size]
    hints = [i for i in found.items if isinstance(i.tag, Hint)] if runs else []
    declared = DeclaredRegions(list(dict.fromkeys(hint_regions(hints, size))))
    return any(isinstance(i.tag, Tag) and declared.is_otherwise(i.offset, i.tag.kind) for i in runs)


def _repeating(found: Collected, period: int | None, size: int | None) -> Layout:
    if period is None:
        period = _only_size(found.items)
    # an array that begins behind all exact accesses must be seen beside them, and whole elements if the period is short
    begins = [i.offset + max(i.stride, i.tag.size) for i in found.items if i.offset >= 0 and i.tier is Tier.STRIDED]
    ends = [i.offset + i.tag.size for i in found.items if i.offset >= 0 and i.tier is Tier.EXACT]
    window = max(4 * period, 4 * WIDEST, min(_LARGE, max((*ends, *begins), default=0)))
    window = -(-window // period) * period
    window = min(window, size) if size is not None else window
    # no other evidence hides that exact accesses disagree, and painting all of it takes long
    _fold(_exact(found, window), period)
    folded = _fold(_paint(found, found.items, window, is_whole=True), period)
    _check_beyond((i for i in found.items if i.offset >= window), folded)
    return Layout(period, _segments(found, folded))


def _check_beyond(items: Iterable[Evidence], period: list[Byte]) -> None:
    """Raises Undecided if accesses behind the bytes that were painted find numbers or pointers that no period has."""
    for tag, at in ((i.tag, i.offset % len(period)) for i in items if i.tier in (Tier.STRIDED, Tier.EXACT)):
        byte = period[at]
        known = Kind.ANYTHING if byte is None else byte[0]
        if isinstance(tag, Tag) and known is not tag.kind and not CARRIED.isdisjoint((known, tag.kind)):
            raise Undecided(f"it holds {known.value} and {tag.kind.value} at different multiples of its period")


def _only_size(items: Iterable[Evidence]) -> int:
    """Returns the size of the elements if all accesses are of one kind. Raises Undecided."""
    tags = {i.tag for i in items if isinstance(i.tag, Tag) and not i.tag.weak}
    tags = tags or {i.tag for i in items if isinstance(i.tag, Tag)}
    if len({t.kind for t in tags}) != 1:
        kinds = ", ".join(sorted({t.kind.value for t in tags}))
        reason = f"some of its bytes are known ({kinds}), but not how they repeat" if tags else "nothing accesses it"
        raise Undecided(reason)
    return max(natural_alignment(t) if t.kind is Kind.X86_FP80 else t.size for t in tags)


def _folds(bytes_: list[Byte], period: int) -> bool:
    try:
        _fold(bytes_, period)
    except Undecided:
        return False
    return True


def _fold(bytes_: list[Byte], period: int) -> list[Byte]:
    """Returns one period that all periods agree with. Raises Undecided."""
    out: list[Byte] = [None] * period
    for at, byte in enumerate(bytes_):
        if byte is None:
            continue
        kind, start = byte
        folded = (kind, start % period)
        known = out[at % period]
        if known is None:
            out[at % period] = folded
        elif known != folded:
            if Kind.ANYTHING in (known[0], kind):
                out[at % period] = known if kind is Kind.ANYTHING else folded
                continue
            raise Undecided(f"it holds {known[0].value} and {kind.value} at different multiples of {period} bytes")
    return out


# -- painting


def _paint(found: Collected, pieces: Iterable[Evidence], size: int, *, is_whole: bool = False) -> list[Byte]:
    """Returns each byte's kind. Surer evidence is painted over less sure evidence. `pieces`: those near the bytes.

    Raises Undecided if an exact access hides a number. `is_whole`: also for any other conflict that nothing surer
    hides: to paint the rest takes long.
    """
    pieces = list(pieces)
    items = [i for i in pieces if isinstance(i.tag, Tag)]
    hints = [i for i in pieces if isinstance(i.tag, Hint)]
    regions = list(dict.fromkeys(hint_regions(hints, size)))
    declared = DeclaredRegions(regions)
    weak = [i for i in items if isinstance(i.tag, Tag) and i.tag.weak]
    sure = [i for i in items if isinstance(i.tag, Tag) and not i.tag.weak]
    exact = Begins(i for i in sure if i.tier is Tier.EXACT)
    numbers = paint_runs([i for i in sure if i.tier is Tier.STRIDED and _is_number(i)], exact, declared, size)
    top = _exact(found, size)
    _check_punning(numbers, top)  # an exact access must not hide a number in a conflict of runs
    if _has_conflict(top):
        raise Undecided("some of its bytes are used as different kinds")
    sure_runs = paint_runs([i for i in sure if i.tier is Tier.STRIDED], exact, declared, size)
    if is_whole and _has_conflict([run for run, byte in zip(sure_runs, top, strict=True) if byte is None]):
        raise Undecided("some of its bytes are used as different kinds")
    bytes_ = _somewhere(items, size, alike=len(found.kinds) == 1)
    cover(bytes_, _declared(regions, size))
    below = _elements((i for i in weak if i.tier is Tier.EXACT), size)
    weak_runs = paint_runs([i for i in weak if i.tier is Tier.STRIDED], exact, declared, size)
    for tiers, runs, layer in ((weak, weak_runs, below), (sure, sure_runs, top)):
        around: list[Byte] = [None] * size
        elsewhere = [i for i in tiers if i.tier in (Tier.ELSEWHERE, Tier.BEHIND)]
        for item in {(i.offset * (not i.stride), i.stride, i.tag): i for i in elsewhere}.values():
            paint_item(around, item, 0)
        # an integer that is only compared, in what may be another element, hides no number
        cover(bytes_, [None if tiers is weak and _is_open_byte(b) else a for a, b in zip(around, bytes_, strict=True)])
        cover(bytes_, runs)
        _check_punning(bytes_, layer)
        _check_behind(found.portion(Portion.BEHIND), layer)
        cover(bytes_, layer)
    return bytes_


def _has_conflict(bytes_: list[Byte]) -> bool:
    return any(byte is not None and byte[0] is Kind.CONFLICT for byte in bytes_)


def _is_open_byte(byte: Byte) -> bool:
    return byte is not None and byte[0] in FLOATS | {Kind.CONFLICT}


def _declared(regions: Iterable[tuple[int, int, Kind]], size: int) -> list[Byte]:
    """Returns what declarations say. Bytes on which they disagree are not declared."""
    layer: list[Byte] = [None] * size
    disagreed: set[Byte] = set()  # elements, not bytes: the rest of such an element is not declared either
    for offset, length, kind in regions:
        if kind is Kind.UNKNOWN:
            continue
        step = ELEMENT_SIZES.get(kind, 1)
        for at in range(max(offset, 0), min(offset + length, size)):
            mine, known = (kind, offset + (at - offset) // step * step), layer[at]
            if known is None or known[0] is Kind.ANYTHING:
                layer[at] = mine
            elif known != mine and kind is not Kind.ANYTHING:
                disagreed |= {known, mine}
    return [None if byte in disagreed else byte for byte in layer]


def _elements(items: Iterable[Evidence], size: int) -> list[Byte]:
    """Returns a layer of single accesses."""
    layer: list[Byte] = [None] * size
    for item in items:
        assert isinstance(item.tag, Tag)
        paint_at(layer, item.offset, item.tag)
    return layer


def _somewhere(items: list[Evidence], size: int, alike: bool) -> list[Byte]:
    """Returns guesses from other elements of the array. If all are `alike`, runs also extend before their begin."""
    layer: list[Byte] = [None] * size
    everywhere = [i for i in items if i.tier is Tier.FOLDED or (alike and i.tier is Tier.STRIDED)]
    for item in {_folded(i): i for i in everywhere}.values():
        paint_item(layer, item, _folded(item)[0])
    return layer


def _folded(item: Evidence) -> tuple[int, int, Tag | Hint]:
    return item.offset % item.stride if item.stride else item.offset, item.stride, item.tag


def _is_number(item: Evidence) -> bool:
    return isinstance(item.tag, Tag) and item.tag.kind in FLOATS


def _check_punning(below: list[Byte], exact: list[Byte]) -> None:
    """Marks accesses of another kind inside an array of numbers as conflicts: they read the bits of the numbers."""
    for at, byte in enumerate(exact):
        known = below[at]
        if byte is None or known is None or known[0] not in FLOATS or byte[0] is known[0]:
            continue
        exact[at] = Kind.CONFLICT, at


def _check_behind(items: Iterable[Evidence], exact: list[Byte]) -> None:
    """Marks accesses as conflicts where an array of numbers may go on: they may be to another object."""
    for item in items:
        if item.tier is Tier.BEHIND and isinstance(item.tag, Tag):
            for at in range(max(item.offset, 0), min(item.offset + item.tag.size, len(exact))):
                byte = exact[at]
                if byte is not None and byte[0] is not item.tag.kind and byte[0] is not Kind.INTEGER:
                    exact[at] = Kind.CONFLICT, item.offset


# -- segments


def _segments(found: Collected, bytes_: list[Byte]) -> tuple[Segment, ...]:
    """Joins neighbours of one kind. Raises Undecided for conflicts, numbers cut in parts, and unexplained gaps."""
    out: list[Segment] = []
    at, size = 0, len(bytes_)
    if not any(bytes_) and found.external:
        raise Undecided("nothing that was analysed accesses it")
    while at < size:
        byte = bytes_[at]
        end = at + 1
        while end < size and _same_kind(byte, bytes_[end]):
            end += 1
        if byte is None:
            kind = _gap(found, bytes_, at, end)
        else:
            kind = byte[0]
            _check_whole(byte, at, end, bytes_)
        if kind in (Kind.CONFLICT, Kind.UNKNOWN):
            what = "is used as different kinds" if kind is Kind.CONFLICT else "is never accessed by analysed code"
            raise Undecided(f"the part at byte {at} {what}")
        if out and out[-1].kind is kind and kind not in (Kind.X86_FP80,):
            out[-1] = Segment(out[-1].offset, out[-1].length + end - at, kind)
        else:
            out.append(Segment(at, end - at, kind))
        at = end
    return tuple(out)


def _same_kind(a: Byte, b: Byte) -> bool:
    if a is None or b is None:
        return a is b
    return a[0] is b[0]


def _check_whole(byte: tuple[Kind, int], at: int, end: int, bytes_: list[Byte]) -> None:
    kind = byte[0]
    if kind not in FLOATS:
        return
    size = 10 if kind is Kind.X86_FP80 else ELEMENT_SIZES[kind]
    last = bytes_[end - 1]
    assert last is not None
    if byte[1] != at or last[1] + size != end:
        raise Undecided(f"the part at byte {at} is cut out of a number of kind {kind.value}")


def _gap(found: Collected, bytes_: list[Byte], at: int, end: int) -> Kind:
    """Returns the kind of bytes that no analysed code accesses.

    They hold nothing if no other code can access them. Otherwise only a gap that can be padding holds nothing: one
    that follows something else and is too small for the alignment of what comes next.
    """
    if not found.external or (at and end - at < 4):
        return Kind.ANYTHING
    before = bytes_[at - 1] if at else None
    if before is not None and before[0] is Kind.X86_FP80:
        return Kind.ANYTHING
    if at and end - at < 8 and (end - _first_word(found)) % 8 == 0:
        return Kind.ANYTHING
    return Kind.UNKNOWN


def _first_word(found: Collected) -> int:
    """Returns where words of 8 bytes begin: the bytes of the query may begin inside of one."""
    tags = ((i.offset, i.tag) for i in found.items if i.tier is Tier.EXACT and isinstance(i.tag, Tag))
    begins = {offset % 8 for offset, tag in tags if natural_alignment(tag) == 8}
    return begins.pop() if len(begins) == 1 else 0
