"""Sparse derivatives: the runtime is given a function for the pattern and one for the values."""

from __future__ import annotations

import pytest

from enzyme_cc.report.diagnostics import EnzymeError

from .answered import DOUBLE, answered, body

TEXT = """
@enzyme_sparse = external global i32
@enzyme_const = external global i32
declare void @__enzyme_fwddiff(...)
define void @f(ptr %x, ptr %y) noinline {{
  %v = load {type}, ptr %x{tag}
  %w = {square} {type} %v, %v
  store {type} %w, ptr %y{tag}
  ret void
}}
define void @g(ptr %x, ptr %y, ptr %entries) {{
  call void (...) @__enzyme_fwddiff(ptr @f, ptr @enzyme_sparse, ptr %entries, ptr @enzyme_dup, ptr %x, i64 3,
                                    ptr @enzyme_dup, ptr %y, i64 3)
  ret void
}}
"""


def sparse(type_: str = "double", square: str = "fmul", tag: str = DOUBLE) -> str:
    return answered(TEXT.format(type=type_, square=square, tag=tag))


def test_the_pattern_is_found_by_sets_and_the_values_by_tangents() -> None:
    found = sparse()
    assert "@__ez_sparse_dependence.f" in found
    assert "@__ez_sparse_tangent.f" in found
    assert body(found).count("@__ez_sparse(") == 1


def test_vectors_of_other_elements_are_refused() -> None:
    with pytest.raises(EnzymeError, match="EZ0303"):
        sparse("i64", "mul", "")
