"""Look-ups of shadows are not inlined in modules with a thousand of them."""

from __future__ import annotations

import pytest

from enzyme_cc.ir import llvm_passes
from enzyme_cc.link.merged_module import look_ups

LOOK_UP = "  %s{0} = call ptr @__ez_foreign_number(i64 0, ptr %p, ptr %p, i64 8, i64 0, i64 0)\n"
CODE = """
declare ptr @__ez_foreign_number(i64, ptr, ptr, i64, i64, i64)
declare void @__ez_clear_words(ptr, i64)
define void @f(ptr %p) {{
  call void @__ez_clear_words(ptr %p, i64 8)
{0}  ret void
}}
"""
RUNTIME = """
define void @recently_expected(ptr %p) {
  store i64 0, ptr %p
  ret void
}
define ptr @recent_number(ptr %p) {
  %shadow = load ptr, ptr %p
  ret ptr %shadow
}
define ptr @quickly_noted(ptr %p) {
  %shadow = load ptr, ptr %p
  ret ptr %shadow
}
"""
USER = """
declare void @recently_expected(ptr)
declare ptr @recent_number(ptr)
declare ptr @quickly_noted(ptr)
define ptr @f(ptr %p) {
  %place = call ptr @recent_number(ptr %p)
  %shadow = call ptr @quickly_noted(ptr %place)
  call void @recently_expected(ptr %shadow)
  ret ptr %shadow
}
"""


def code(look_up_count: int) -> str:
    return CODE.format("".join(LOOK_UP.format(k) for k in range(look_up_count)))


@pytest.mark.parametrize(("look_up_count", "are_many"), [(0, False), (999, False), (1000, True)])
def test_a_thousand_are_many(look_up_count: int, are_many: bool) -> None:
    assert look_ups.has_many(code(look_up_count)) is are_many


def test_calls_that_go_through_words_stay_calls() -> None:
    text = look_ups.with_calls(code(1))
    assert "@__ez_clear_words(ptr %p, i64 8) noinline" in text
    llvm_passes.verify(llvm_passes.parse(text))


@pytest.mark.parametrize(("are_many", "is_called"), [(False, False), (True, True)])
def test_the_look_up_behind_the_quick_test_stays_a_call(are_many: bool, is_called: bool) -> None:
    runtime = llvm_passes.parse(RUNTIME)
    look_ups.settle(runtime, are_many)
    user = llvm_passes.parse(USER)
    user.link_in(runtime)
    llvm_passes.optimise(user, 3)
    text = str(user.get_function("f"))
    for name in ("ptr @recent_number", "ptr @quickly_noted", "void @recently_expected"):
        assert (f"call {name}(" in text) is is_called
