"""Reverse mode of calls of our own runtime: a derivative that is differentiated again makes them."""

from __future__ import annotations

import re

from tests.autodiff.sweeps import derivative

TEXT = """
declare ptr @__ez_alloc(ptr, i64)
declare void @__ez_clear_f64(ptr, i64, i64, i64, i64)
declare void @__ez_clear(ptr, i64, i64, i64, i64)
declare void @__ez_copy(ptr, ptr, i64, i64, i64, i64)
define double @f(double %x, ptr %arena, ptr %p) {{
  {body}
  ret double %y
}}
"""


def calls(body: str, arguments: str = "out const dup") -> list[str]:
    return re.findall(r"call \w+ @__ez_(\w+)\(", "\n".join(derivative(TEXT.format(body=body), arguments)))


def test_memory_of_an_inner_tape_and_its_shadow_come_from_the_arena_of_this_sweep() -> None:
    inner = "%m = call ptr @__ez_alloc(ptr %arena, i64 8)\n  store double {}, ptr %m\n  %k = load double, ptr %m\n  "
    assert calls(inner.format("%x") + "%y = fmul double %k, %x").count("alloc") == 2
    assert calls(inner.format("1.0") + "%y = fmul double %k, %x").count("alloc") == 1


def test_cleared_memory_passes_no_adjoint_on() -> None:
    cleared = "store double %x, ptr %p\n  call void @__ez_clear(ptr %p, i64 8, i64 8, i64 0, i64 8)\n  "
    assert "uncopy" in calls(cleared + "%y = load double, ptr %p")
    assert "uncopy" not in calls("store double %x, ptr %p\n  %y = load double, ptr %p")
