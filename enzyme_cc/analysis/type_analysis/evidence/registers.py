"""What an integer in a register holds: its parts are numbers, pointers and integers."""

from __future__ import annotations

from ..kinds import FLOATS, Kind, Tag
from .collected_evidence import Collected
from .layout import Undecided, make_layout
from .places import Evidence


def without_wide_arithmetic(found: Collected) -> Collected:
    """Removes arithmetic on whole registers that pack a number: it concerns another field of the register."""
    numbers = [i for i in found.items if isinstance(i.tag, Tag) and i.tag.kind in FLOATS]

    def is_wide(item: Evidence) -> bool:
        tag = item.tag
        return (
            isinstance(tag, Tag)
            and tag.kind is Kind.INTEGER
            and any(
                item.offset <= n.offset and n.offset + n.tag.size <= item.offset + tag.size and n.tag.size < tag.size
                for n in numbers
            )
        )

    return Collected.of((i for i in found.items if not is_wide(i)), found.external, found.complete)


def integer_parts(found: Collected, bits: int) -> list[tuple[int, int, Kind]]:
    """Splits an integer into halves until each part is of one kind."""
    work = [(0, bits // 8)]
    out: list[tuple[int, int, Kind]] = []
    while work:
        at, size = work.pop()
        kind = _kind_of_bytes(found, at, size)
        if kind is Kind.CONFLICT and size >= 4 and size % 2 == 0:
            halves = [(at, size // 2), (at + size // 2, size // 2)]
            kinds = [_kind_of_bytes(found, a, s) for a, s in halves]
            if kinds != [Kind.CONFLICT, Kind.CONFLICT] or size > 8:
                work.extend(reversed(halves))
                continue
        out.append((8 * at, 8 * size, kind))
    return out


def _kind_of_bytes(found: Collected, at: int, size: int) -> Kind:
    moved = Collected.of((i._replace(offset=i.offset - at) for i in found.items), False, found.complete)
    try:
        segments = make_layout(moved, size).segments
    except Undecided:
        return Kind.CONFLICT
    kinds = {s.kind for s in segments}
    if kinds == {Kind.INTEGER, Kind.ANYTHING}:
        return Kind.INTEGER
    if len(kinds) != 1:
        return Kind.CONFLICT
    kind = kinds.pop()
    if kind in FLOATS and not any(
        isinstance(i.tag, Tag) and i.tag.kind is kind and i.tag.size == size for i in found.items
    ):
        return Kind.CONFLICT
    if kind is Kind.ANYTHING:
        return Kind.UNKNOWN if found.external else Kind.INTEGER
    return kind
