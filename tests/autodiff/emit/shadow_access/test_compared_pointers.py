"""Pointers out of memory without a shadow: they may lead to what the request knows by another name."""

from __future__ import annotations

from enzyme_cc.autodiff.core.signature import Form

from .emitted import lines, runtime_calls

#: @limit is not active, and leads to numbers; x lies in memory with a shadow
LOADED = """%own = load double, ptr %p!D
  %l = load ptr, ptr @limit!P
  %k = load double, ptr %l!D
  %y = fmul double %k, %own"""
FREED = """%m = call ptr @malloc(i64 8)
  %x = load double, ptr %p!D
  store double %x, ptr %m!D
  %y = load double, ptr %m!D
  call void @free(ptr %m)"""


def calls(body: str, form: Form = Form.COMBINED) -> list[str]:
    return runtime_calls(lines(body, form, arguments="dup", parameter="ptr %p", asks=False))


def test_memory_that_is_freed_is_known_by_no_name() -> None:
    assert calls(FREED, Form.TANGENT).count("forget_name") == 1


def test_a_pointer_by_which_numbers_are_read_is_compared_where_it_is_loaded() -> None:
    assert calls(LOADED).count("refuse_other_name") == 1


def test_a_pointer_that_is_only_followed_is_not() -> None:
    behind = LOADED.replace("%k =", "%m = load ptr, ptr %l!P\n  %k =").replace("ptr %l!D", "ptr %m!D")
    assert calls(behind).count("refuse_other_name") == 1


def test_a_pointer_in_memory_with_a_shadow_is_not() -> None:
    own = LOADED.replace("ptr @limit!P", "ptr %slot!P").replace(
        "%own =", "%slot = alloca ptr\n  store ptr %p, ptr %slot!P\n  %own ="
    )
    assert "refuse_other_name" not in calls(own)
