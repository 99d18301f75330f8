"""What bytes of memory hold: one immutable answer to all questions."""

from __future__ import annotations

import pytest

from enzyme_cc.analysis.type_analysis.contents import Contents
from enzyme_cc.analysis.type_analysis.kinds import Kind
from tests.analysis.support import Analysed, show

TEXT = """
define double @f(ptr %p, i1 %c, double %x, ptr %q) {{
entry:
  {entry}
  br i1 %c, label %some, label %others
some:
  {some}
  br label %end
others:
  {others}
  br label %end
end:
  ret double %x
}}
"""
NUMBER, POINTER = "store double %x, ptr %p", "store ptr %q, ptr %p"
FLOAT = "%s = fptrunc double %x to float\n  store float %s, ptr %p"
INTEGER = "%n = load i32, ptr %p\n  %m = sdiv i32 %n, 3\n  store i32 %m, ptr %p"


def contents(some: str = "", others: str = "", entry: str = "", size: int | None = 8) -> Contents:
    analysed = Analysed(TEXT.format(entry=entry, some=some, others=others))
    return analysed.types.contents(analysed.function("f").arguments[0], size)


@pytest.mark.parametrize("stored, kind", [(NUMBER, "double"), (POINTER, "pointer")])
def test_what_is_stored_on_all_paths_is_there(stored: str, kind: str) -> None:
    found = contents(stored)
    assert show(found.layout) == f"-: 0+8 {kind}"
    assert not found.is_mixed


def test_a_number_at_one_time_and_a_pointer_at_another_is_mixed() -> None:
    found = contents(NUMBER, POINTER)
    assert found.is_mixed
    assert found.words() == [frozenset([Kind.DOUBLE, Kind.POINTER])]


def test_two_types_of_numbers_in_one_word_are_several() -> None:
    assert contents(NUMBER, FLOAT).has_several_numbers
    assert not contents(NUMBER, NUMBER).has_several_numbers


def test_an_integer_is_no_number() -> None:
    assert not contents(INTEGER, size=4).holds_number
    assert contents(NUMBER).holds_number


def test_nothing_is_told_of_bytes_that_nobody_accesses() -> None:
    found = contents()
    assert found.layout is None
    assert found.why_unknown
    assert found.may_be_numbers


def test_pointers_lead_on_to_what_lies_behind_them() -> None:
    behind = "%o = load ptr, ptr %p\n  store double %x, ptr %o"
    assert contents(behind).points_at_numbers
    assert not contents(POINTER).points_at_numbers


def test_reads_change_no_answer() -> None:
    analysed = Analysed(TEXT.format(entry="", some=NUMBER, others=""))
    pointer = analysed.function("f").arguments[0]
    first, _, again = (analysed.types.contents(pointer, size) for size in (8, None, 8))
    assert show(first.layout) == show(again.layout)
