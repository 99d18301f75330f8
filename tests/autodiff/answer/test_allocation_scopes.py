"""Scopes of the memory that a derivative allocates, and what LLVM makes of them where null is kept."""

from __future__ import annotations

import re

import pytest

from enzyme_cc.autodiff.answer.allocation_scopes import with_allocation_scopes
from enzyme_cc.ir import llvm_passes

_START = """
declare noalias ptr @malloc(i64) "alloc-family"="malloc"
declare void @keep(ptr)
declare void @use(ptr captures(none))
define internal double @__ez_tangent.f(ptr %given, i64 %n) {
  %none = icmp eq i64 %n, 0
  br i1 %none, label %join, label %some
some:
  %new1 = call noalias ptr @malloc(i64 %n)
  %new2 = call noalias ptr @malloc(i64 %n)
  br label %join
join:
  %one = phi ptr [ null, %0 ], [ %new1, %some ]
  %two = phi ptr [ null, %0 ], [ %new2, %some ]
"""
_END = """}
define double @caller(ptr %p, i64 %n) {
  %r = call double @__ez_tangent.f(ptr %p, i64 %n)
  ret double %r
}
"""


def _loads(body: str) -> int:
    """Returns how many loads LLVM leaves in the derivative."""
    module = llvm_passes.parse(with_allocation_scopes(_START + body + _END, fewest=2))
    llvm_passes.verify(module)
    llvm_passes.keep_null(module)
    llvm_passes.optimise(module, 2)
    return len(re.findall(r" = load double", str(module)))


def _kept_over(other: str, before: str = "") -> int:
    """Returns whether LLVM loads what was stored, because a store through another pointer may have changed it."""
    return _loads(f"""{before}
  call void @use(ptr %one)
  call void @use(ptr %two)
  store double 1.0, ptr %one
  store double 2.0, ptr {other}
  %r = load double, ptr %one
  ret double %r
""")


@pytest.mark.parametrize("other", ["%two", "%given"])
def test_accesses_of_a_block_do_not_meet_others(other: str) -> None:
    assert _kept_over(other) == 0


def test_an_element_of_the_same_block_is_another_matter() -> None:
    assert _kept_over("%at", "  %at = getelementptr double, ptr %one, i64 %n") == 1


def test_either_block_may_be_one_of_them() -> None:
    either = "  %c = icmp sgt i64 %n, 9\n  %either = select i1 %c, ptr %one, ptr %two"
    assert _kept_over("%either", either) == 1


def test_a_pointer_in_memory_meets_blocks_that_are_kept_somewhere() -> None:
    loaded = "  %loaded = load ptr, ptr %given"
    assert _kept_over("%loaded", loaded) == 0
    assert _kept_over("%loaded", f"  call void @keep(ptr %one)\n{loaded}") == 1
    assert _kept_over("%loaded", f"  store ptr %one, ptr %given\n  call void @use(ptr %given)\n{loaded}") == 1


def test_each_call_has_blocks_of_its_own_once_it_is_inlined() -> None:
    """What one call returns, the next is given: the first block of one is the argument of the other."""
    text = """
declare noalias ptr @malloc(i64)
define internal ptr @__ez_tangent.f(ptr %given, i64 %n) alwaysinline {
  %new = call noalias ptr @malloc(i64 16)
  store double 1.0, ptr %new
  %i = getelementptr double, ptr %given, i64 %n
  store double 2.0, ptr %i
  ret ptr %new
}
define double @caller(ptr %p, i64 %n) {
  %a = call ptr @__ez_tangent.f(ptr %p, i64 0)
  %b = call ptr @__ez_tangent.f(ptr %a, i64 %n)
  %r = load double, ptr %a
  ret double %r
}
"""
    module = llvm_passes.parse(with_allocation_scopes(text, fewest=1))
    llvm_passes.optimise(module, 2)
    caller = str(module).split("@caller")[1]
    assert " = load double" in caller


def test_the_program_s_own_functions_have_no_scopes() -> None:
    own = _START.replace("__ez_tangent.f", "f") + "  %r = load double, ptr %one\n  ret double %r\n}\n"
    derivative = own.replace("@f", "@__ez_tangent.f")
    assert with_allocation_scopes(own, fewest=2) == own
    assert with_allocation_scopes(derivative, fewest=2) != derivative
    assert with_allocation_scopes(derivative, fewest=3) == derivative
