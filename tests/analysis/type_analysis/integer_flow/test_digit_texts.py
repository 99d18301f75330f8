"""Out of which texts numbers are put together: those whose characters become bits of numbers, several for each."""

from __future__ import annotations

import pytest

from enzyme_cc.analysis.integers.digits import depends_on
from enzyme_cc.analysis.type_analysis.integer_flow.text_writers import text_writers
from tests.analysis.support import Analysed

_LOOP = """
define double @f(ptr %text, ptr %other) {{
entry:
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi i64 [ 0, %entry ], [ %more, %loop ]
  %place = getelementptr i8, ptr %text, i64 %k
  %digit = load i8, ptr %place
  %wide = zext i8 %digit to i64
  {step}
  %next = add i64 %k, 1
  %done = icmp eq i64 %next, 16
  br i1 %done, label %end, label %loop
end:
  %y = {end} to double
  ret double %y
}}
define double @g(double %x) {{
  %text = alloca [16 x i8]
  %other = alloca [16 x i8]
  store i8 0, ptr %text
  store i8 0, ptr %other
  %y = call double @f(ptr %text, ptr %other)
  ret double %y
}}
"""
_PUT_TOGETHER = "%high = shl i64 %sum, 4\n  %more = or i64 %high, %wide"


def _feeds(text: str) -> list[bool]:
    a = Analysed(text, ["@g"])
    return [a.types.number_flow.feeds_digits(i) for i in a.all("g", "alloca")]


def test_characters_that_a_loop_puts_together_are_digits() -> None:
    assert _feeds(_LOOP.format(step=_PUT_TOGETHER, end="bitcast i64 %more")) == [True, False]


@pytest.mark.parametrize(
    ("step", "end"),
    [
        (_PUT_TOGETHER, "sitofp i64 %more"),  # the number is the integer's value, not its bits
        ("%more = add i64 %wide, 5", "bitcast i64 %more"),  # a single character
        ("%more = add i64 %sum, 5", "bitcast i64 %more"),  # none
    ],
)
def test_other_integers_are_not_put_together(step: str, end: str) -> None:
    assert _feeds(_LOOP.format(step=step, end=end)) == [False, False]


def test_an_integer_depends_on_the_index_of_a_table_and_on_what_a_call_is_given() -> None:
    a = Analysed("""
declare i32 @look_up(i32)
define i32 @f(ptr %table, i64 %index, i32 %c) {
  %place = getelementptr i8, ptr %table, i64 %index
  %x = load i8, ptr %place
  %y = call i32 @look_up(i32 %c)
  ret i32 %y
}""")
    _, index, c = a.function("f").arguments
    assert list(depends_on(a.all("f", "load")[0])) == [index]
    assert list(depends_on(a.all("f", "call")[0])) == [c]


def test_functions_that_call_writers_of_texts_write_texts() -> None:
    a = Analysed("""
define void @f(ptr %text) {
  store i8 48, ptr %text
  ret void
}
define void @g(ptr %text) {
  call void @f(ptr %text)
  ret void
}
define void @h(ptr %n) {
  store i64 48, ptr %n
  ret void
}""")
    assert text_writers(a.functions) == {"@f", "@g"}


def test_without_numbers_made_of_integers_there_are_no_texts() -> None:
    assert not _feeds("define double @g(double %x) {\n  %text = alloca i8\n  ret double %x\n}")[0]
