"""Pointers in globals that a request reads as it finds them."""

from __future__ import annotations

import pytest

from enzyme_cc.autodiff.core.pointers import GlobalPointer
from enzyme_cc.autodiff.globals.live_pointers import LivePointers

from ..rounds import POINTER, prepared

WORD = GlobalPointer("@work", 0)
PROGRAM = """
@work = internal global ptr null
declare ptr @malloc(i64)
define void @store(ptr %block) {{
  store ptr %block, ptr @work{pointer}
  ret void
}}
define ptr @f(ptr %block, i1 %c) {{
  {before}
  %p = load ptr, ptr @work{pointer}
  ret ptr %p
}}
"""


def live(before: str) -> bool:
    text = PROGRAM.format(before=before.replace("!P", POINTER), pointer=POINTER)
    return LivePointers(prepared(text), [WORD]).of(["@f"]) == {WORD}


def test_a_pointer_that_is_loaded_first_is_live() -> None:
    assert live("")


@pytest.mark.parametrize("store", ["store ptr %block, ptr @work!P", "call void @store(ptr %block)"])
def test_a_pointer_that_is_stored_first_is_not(store: str) -> None:
    assert not live(store)


def test_a_pointer_that_is_stored_on_one_way_only_is_live() -> None:
    assert live("br i1 %c, label %a, label %b\na:\n  store ptr %block, ptr @work!P\n  br label %b\nb:")


def test_a_pointer_in_another_place_of_the_global_stays_live() -> None:
    assert live("store i32 1, ptr @work")
