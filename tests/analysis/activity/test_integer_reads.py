"""Parameters through which a function only reads integers, and those that it does more with."""

from __future__ import annotations

import pytest

from enzyme_cc.ir.values import Argument

from .inputs import Input

TEXT = """
@kept = global ptr null
declare void @unknown(ptr)
declare void @free(ptr)

define i32 @read(ptr captures(none) %q) {{
  %k = load i32, ptr %q
  ret i32 %k
}}
define void @write(ptr captures(none) %q) {{
  store i32 0, ptr %q
  ret void
}}
define double @f(ptr {1} %p, ptr captures(none) %x, i64 %n) {{
entry:
  {0}
  %y = load double, ptr %x
  ret double %y
}}
"""
READ = (
    "%k = load i32, ptr %p",
    "%q = getelementptr i32, ptr %p, i64 %n\n %k = load i32, ptr %q",
    "%k = call i32 @read(ptr %p)",
    "%c = icmp eq ptr %p, null\n %q = select i1 %c, ptr %p, ptr %p\n %k = load i8, ptr %q",
)
USED = (
    "%v = load double, ptr %p",
    "%v = load ptr, ptr %p",
    "store i32 1, ptr %p",
    "call void @write(ptr %p)",
    "call void @unknown(ptr %p)",
    "call void @free(ptr %p)",
    "store ptr %p, ptr @kept",
    "%w = ptrtoint ptr %p to i64",
    "%k = load i8, ptr %p\n store i8 %k, ptr %x",  # a byte of a number
    "%k = load i64, ptr %p\n store i64 %k, ptr %x",
)


def are_all_reads(code: str, attributes: str = "captures(none)") -> bool:
    f = Input(TEXT.format(code, attributes), "dup dup const")
    parameter = f.value("p")
    assert isinstance(parameter, Argument)
    return f.carriers.integer_reads.are_all(parameter)


@pytest.mark.parametrize("code", READ)
def test_integers_are_read(code: str) -> None:
    assert are_all_reads(code)


@pytest.mark.parametrize("code", USED)
def test_more_is_done(code: str) -> None:
    assert not are_all_reads(code)


def test_a_pointer_that_may_be_kept() -> None:
    assert not are_all_reads(READ[0], "")
