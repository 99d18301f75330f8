"""A thread whose part of an array is known only when it runs adds plainly there, if it notes what it reaches."""

from __future__ import annotations

import pytest

from enzyme_cc.autodiff import differentiate

TEXT = """
declare double @__enzyme_autodiff(ptr, ...)
declare void @__kmpc_fork_call(ptr, i32, ptr, ...)
declare i32 @omp_get_thread_num()
define double @f(ptr %xs, ptr %sums) {{
  call void (ptr, i32, ptr, ...) @__kmpc_fork_call(ptr null, i32 2, ptr @region, ptr %xs, ptr %sums)
  %sum = load double, ptr %sums
  ret double %sum
}}
define internal void @region(ptr %thread, ptr %bound, ptr %xs, ptr %sums) {{
entry:
  %number = call i32 @omp_get_thread_num()
  %at = getelementptr ptr, ptr %xs, i32 %number
  %x = load ptr, ptr %at
  %a = load double, ptr %x
  %b = fmul double %a, %a
  %own = getelementptr double, ptr %sums, i32 %number
  {}
  ret void
}}
define void @main(ptr %x, ptr %dx, ptr %s, ptr %ds) {{
  %d = call double (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %x, ptr %dx, ptr %s, ptr %ds)
  ret void
}}
"""
STORE = "store double %b, ptr %own"


@pytest.mark.parametrize(
    ("write", "is_noted"), [(STORE, True), ("%old = atomicrmw fadd ptr %own, double %b monotonic", False)]
)
def test_reaches_are_noted(write: str, is_noted: bool) -> None:
    text = differentiate(TEXT.format(write)).text
    assert ("call void @__ez_team_reached(" in text) is is_noted
    assert ("call i64 @__ez_team_zone_size(" in text) is is_noted
