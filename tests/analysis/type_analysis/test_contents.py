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


@pytest.mark.parametrize("align, is_packed", [(8, False), (4, True), (1, True)])
def test_pointers_that_are_accessed_at_their_alignment_make_no_memory_packed(align: int, is_packed: bool) -> None:
    """One pointer may lead to a member at byte 12, or to a pointer. What is read by it as a pointer lies elsewhere."""
    analysed = Analysed(f"""
define ptr @f(i1 %c, double %x) {{
  %record = alloca [2 x double], align 8
  %other = alloca ptr, align 8
  store double %x, ptr %record, align 8
  %member = getelementptr i8, ptr %record, i64 12
  %either = select i1 %c, ptr %member, ptr %other
  %p = load ptr, ptr %either, align {align}
  ret ptr %p
}}""")
    record = next(analysed.function("f").instructions())
    assert analysed.types.contents(record, 8).is_packed == is_packed


def test_a_comparator_is_given_elements_of_the_array_and_one_context() -> None:
    analysed = Analysed("""
declare void @__ez_order_r(ptr, i64, i64, ptr, ptr, ptr)
define i32 @compare(ptr %a, ptr %b, ptr %context) {
  %numbers = load ptr, ptr %context, align 8
  %place = getelementptr i8, ptr %context, i64 8
  %scale = load double, ptr %place, align 8
  %k = load i32, ptr %a, align 4
  %n = mul i32 %k, 3
  ret i32 %n
}
define void @f(ptr %indices, ptr %order, i64 %n) {
  %context = alloca { ptr, double }, align 8
  call void @__ez_order_r(ptr %indices, i64 %n, i64 4, ptr @compare, ptr %context, ptr %order)
  ret void
}""")
    context = next(analysed.function("f").instructions())
    assert analysed.types.contents(context, 16).words() == [frozenset([Kind.POINTER]), frozenset([Kind.DOUBLE])]
    indices = analysed.function("f").arguments[0]
    assert show(analysed.types.contents(indices, 8).layout) == "-: 0+8 integer"
