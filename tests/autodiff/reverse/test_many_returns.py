"""More returns than a byte can number, as dispatchers have: the reverse sweep begins at the one that was taken."""

from __future__ import annotations

import pytest

from tests.autodiff.jit import Compiled

COUNT = 300
_CASES = "\n".join(f"  i64 {k}, label %b{k}" for k in range(1, COUNT))
_RETURNS = "\n".join(
    f"b{k}:\n  %n{k} = fmul double %x, {float(k)}\n  %r{k} = fmul double %n{k}, %n{k}\n  ret double %r{k}"
    for k in range(COUNT)
)
#: the result is used, so the reverse sweep of `chosen` runs later than its primal sweep
TEXT = f"""
declare double @__enzyme_autodiff(...)

define double @chosen(double %x, i64 %which) noinline {{
  switch i64 %which, label %b0 [
{_CASES}
  ]
{_RETURNS}
}}

define double @f(double %x, i64 %which) {{
  %y = call double @chosen(double %x, i64 %which)
  %z = fmul double %y, %y
  ret double %z
}}

define double @gradient(double %x, i64 %which) {{
  %d = call double (...) @__enzyme_autodiff(ptr @f, double %x, i64 %which)
  ret double %d
}}
"""


def test_each_return_has_its_own_derivative() -> None:
    compiled = Compiled(TEXT)
    for which in (1, 44, 255, 256, 257, COUNT - 1):
        assert compiled.call("gradient", 0.5, which) == pytest.approx(4 * which**4 * 0.5**3)
