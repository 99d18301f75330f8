"""Memory that two functions stand for: accesses become calls of them."""

from __future__ import annotations

import pytest

from enzyme_cc.autodiff.answer.dense_memory import has_dense_memory, resolve_dense_memory
from enzyme_cc.report.diagnostics import EnzymeError

from ..normalise.rewriting import body

TEXT = """
declare ptr @__enzyme_todense(ptr, ptr)
define double @load(i64 %at) {{
  ret double 1.0
}}
define void @store(double %v, i64 %at) {{
  ret void
}}
declare void @unknown(ptr)
define double @f(double %x) {{
  %p = call ptr @__enzyme_todense(ptr @load, ptr {store})
  %q = getelementptr double, ptr %p, i64 2
  {body}
  ret double %x
}}
"""


def resolved(code: str, store: str = "@store") -> list[str]:
    return body(resolve_dense_memory(TEXT.format(body=code, store=store)))


def test_a_module_that_asks_for_none_has_none() -> None:
    assert has_dense_memory(TEXT)
    assert not has_dense_memory("define void @f() { ret void }")


def test_a_load_is_a_call_with_the_distance_in_bytes() -> None:
    found = resolved("%v = load double, ptr %q")
    assert sum("call double @load(i64" in line for line in found) == 1


def test_a_store_is_a_call_with_the_number() -> None:
    found = resolved("store double %x, ptr %q")
    assert sum("call void @store(double %x, i64" in line for line in found) == 1


def test_a_comparison_with_other_memory_is_known() -> None:
    assert "%c = icmp eq ptr %q, null" not in resolved("%c = icmp eq ptr %q, null")


def test_other_uses_are_refused() -> None:
    with pytest.raises(EnzymeError, match="EZ0216"):
        resolved("call void @unknown(ptr %q)")


def test_functions_of_other_types_are_refused() -> None:
    with pytest.raises(EnzymeError, match="EZ0203"):
        resolved("store double %x, ptr %q", store="null")
