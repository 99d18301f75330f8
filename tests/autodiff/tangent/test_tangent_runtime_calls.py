"""Calls of our own runtime in a derivative that is differentiated again: linear maps of memory."""

from __future__ import annotations

import pytest

from enzyme_cc.autodiff.core.signature import Form
from enzyme_cc.report.diagnostics import EnzymeError
from tests.autodiff.sweeps import derivative

#: an inner derivative, which adds the numbers of one piece of memory to another
LINEAR = """
declare void @__ez_copy_adjoint_f64(ptr, ptr, i64, i64, i64, i64)
define double @f(double %x, ptr %p, ptr %q) {
  store double %x, ptr %p
  call void @__ez_copy_adjoint_f64(ptr %p, ptr %q, i64 8, i64 8, i64 0, i64 8)
  %v = load double, ptr %q
  ret double %v
}
"""


@pytest.mark.parametrize("form", [Form.TANGENT, Form.COMBINED])
def test_a_linear_map_of_memory_is_made_for_the_shadows(form: Form) -> None:
    number = "dup" if form is Form.TANGENT else "out"
    found = derivative(LINEAR, f"{number} dup dup", form)
    assert sum("call void @__ez_" in line for line in found) == 2


@pytest.mark.parametrize("form", [Form.TANGENT, Form.COMBINED])
def test_a_linear_map_into_constant_memory_is_refused(form: Form) -> None:
    number = "dup" if form is Form.TANGENT else "out"
    with pytest.raises(EnzymeError, match="EZ0304"):
        derivative(LINEAR, f"{number} dup const", form)
