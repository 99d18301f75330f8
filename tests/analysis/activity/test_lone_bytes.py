"""Bytes that are members of structs, and bytes that may be parts of numbers."""

from __future__ import annotations

import pytest

from enzyme_cc.analysis.activity.lone_bytes import is_lone_byte
from enzyme_cc.ir.module import Module

TEXT = """
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
define void @f(ptr %p, ptr %to, i64 %n) {{
  %place = getelementptr i8, ptr %p, i64 {offset}
  %byte = load i8, ptr %place
  {more}
  ret void
}}
"""


def is_lone(more: str = "", offset: str = "16") -> bool:
    module = Module.parse(TEXT.format(more=more, offset=offset))
    return is_lone_byte(next(i for i in module.body("@f").instructions() if i.name == "place"))


@pytest.mark.parametrize(
    "more",
    [
        "",
        "%x = load double, ptr %p",
        "%q = getelementptr double, ptr %p, i64 %n\n  %x = load double, ptr %q",
        "call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %p, i64 24, i1 false)",
    ],
)
def test_a_byte_beside_which_whole_words_are_accessed_is_a_member(more: str) -> None:
    assert is_lone(more)


@pytest.mark.parametrize(
    "more",
    [
        "%q = getelementptr i8, ptr %p, i64 17\n  %x = load i8, ptr %q",
        "%q = getelementptr i8, ptr %p, i64 %n\n  %x = load i8, ptr %q",
        "call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %p, i64 17, i1 false)",
        "call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %p, i64 %n, i1 false)",
    ],
)
def test_a_byte_beside_which_parts_of_its_word_are_accessed_is_none(more: str) -> None:
    assert not is_lone(more)


@pytest.mark.parametrize("offset", ["0", "7", "%n"])
def test_a_byte_of_the_first_word_or_at_an_unknown_place_is_none(offset: str) -> None:
    assert not is_lone(offset=offset)
