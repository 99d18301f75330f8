"""Pointers behind arguments that the primal replaces: the shadow gets its own back when the derivative ends."""

from __future__ import annotations

import re

from tests.autodiff.rounds import DOUBLE, POINTER, TBAA
from tests.autodiff.sweeps import derivative

#: %v points at a member that points at numbers
TEXT = """
declare ptr @malloc(i64)
declare void @free(ptr)
define double @f(ptr %v, ptr %w, double %x) {{
  {body}
}}
"""
SWAPPED = """%a = load ptr, ptr %v!P
  %b = load ptr, ptr %w!P
  store ptr %b, ptr %v!P
  store ptr %a, ptr %w!P
  store double %x, ptr %a!D
  %y = load double, ptr %b!D
  ret double %y"""
LOCAL = """%own = alloca ptr
  store ptr %w, ptr %own!P
  store ptr %v, ptr %own!P
  %b = load ptr, ptr %own!P
  store double %x, ptr %b!D
  %y = load double, ptr %b!D
  ret double %y"""
ALLOCATED = """%m = call ptr @malloc(i64 8)
  %a = load ptr, ptr %v!P
  store ptr %m, ptr %v!P
  store double %x, ptr %m!D
  %y = load double, ptr %m!D
  {end}ret double %y"""


def calls(body: str) -> list[str]:
    body = body.replace("!D", DOUBLE).replace("!P", POINTER)
    return re.findall(r"call void @__ez_(\w+)\(", "\n".join(derivative(TEXT.format(body=body) + TBAA, "dup dup out")))


def test_each_replaced_pointer_of_an_argument_is_kept() -> None:
    assert calls(SWAPPED).count("pointers_replaced") == 2


def test_pointers_in_memory_of_the_function_are_not() -> None:
    assert "pointers_replaced" not in calls(LOCAL)


def test_a_shadow_that_is_left_behind_an_argument_is_the_derivatives_own() -> None:
    assert "shadow_made" in calls(ALLOCATED.format(end=""))
    assert "shadow_made" not in calls(LOCAL)


def test_a_block_that_the_caller_may_have_made_is_freed_by_the_runtime() -> None:
    assert "shadow_freed" in calls(ALLOCATED.format(end="call void @free(ptr %a)\n  "))
    assert "shadow_freed" not in calls(ALLOCATED.format(end=""))
