"""Arrays inside of structs: where each begins and ends, and what becomes of bytes that two of them claim."""

from __future__ import annotations

from enzyme_cc.analysis.type_analysis.evidence.array_runs import Begins, paint_runs
from enzyme_cc.analysis.type_analysis.evidence.declared_regions import DeclaredRegions
from enzyme_cc.analysis.type_analysis.evidence.painted_bytes import Byte, cover, paint_at
from enzyme_cc.analysis.type_analysis.evidence.places import Evidence, Tier
from enzyme_cc.analysis.type_analysis.kinds import Kind, Tag

DOUBLE, POINTER = Tag(Kind.DOUBLE, 8), Tag(Kind.POINTER, 8)


def array(offset: int, tag: Tag = DOUBLE, end: int | None = None) -> Evidence:
    return Evidence(offset, 8, end, tag, Tier.STRIDED)


def element(offset: int, tag: Tag) -> Evidence:
    return Evidence(offset, 0, None, tag, Tier.EXACT)


def kinds(*runs: Evidence, exact: tuple[Evidence, ...] = ()) -> str:
    """The kind of each of four words: the first letter, or a point."""
    layer = paint_runs(list(runs), Begins(exact), DeclaredRegions([]), 32)
    return "".join("." if byte is None else byte[0].name[0] for byte in layer[::8])


def test_an_array_goes_on_to_the_end() -> None:
    assert kinds(array(8)) == ".DDD"


def test_an_array_ends_where_its_declaration_does() -> None:
    assert kinds(array(8, end=24)) == ".DD."


def test_an_array_ends_where_something_else_is_accessed() -> None:
    assert kinds(array(0), exact=(element(16, POINTER),)) == "DD.."
    assert kinds(array(0), exact=(element(16, DOUBLE),)) == "DDDD"


def test_a_later_array_takes_the_place_of_an_earlier_one() -> None:
    assert kinds(array(0), array(16, POINTER)) == "DDPP"


def test_an_array_that_begins_within_an_element_is_in_conflict() -> None:
    layer = paint_runs([array(0), array(4)], Begins(()), DeclaredRegions([]), 16)
    assert Kind.CONFLICT in {byte[0] for byte in layer if byte is not None}


def test_the_rest_of_an_element_that_is_partly_covered_is_unknown() -> None:
    below: list[Byte] = [None] * 16
    above: list[Byte] = [None] * 16
    paint_at(below, 0, DOUBLE)
    paint_at(above, 4, Tag(Kind.INTEGER, 4))
    cover(below, above)
    assert below[:4] == [None] * 4
    assert below[4] == (Kind.INTEGER, 4)
