"""Derivative functions that call what the program has registered."""

from __future__ import annotations

import pytest

from enzyme_cc.analysis.activity.activity import ResultActivity
from enzyme_cc.autodiff.core.signature import Form, Signature
from enzyme_cc.autodiff.custom.custom_derivatives import has_custom
from enzyme_cc.report.diagnostics import EnzymeError

from ..rounds import complete
from .building import built

GRADIENT = """
@__enzyme_register_gradient_f = global [3 x ptr] [ptr @f, ptr @augment, ptr @reverse]
define double @f(double %x) {
  ret double %x
}
define { double, double } @augment(double %x) {
  ret { double, double } zeroinitializer
}
define double @reverse(double %x, double %seed, double %tape) {
  ret double %seed
}
"""
TANGENT = """
@__enzyme_register_derivative_f = global [2 x ptr] [ptr @f, ptr @tangent]
define double @f(double %x) {
  ret double %x
}
define double @tangent(double %x, double %dx) {
  ret double %dx
}
"""


def has(text: str, form: Form) -> bool:
    return has_custom(complete(text), Signature("@f", (), ResultActivity.ACTIVE), form)


@pytest.mark.parametrize("form", [Form.COMBINED, Form.AUGMENTED, Form.REVERSE])
def test_a_gradient_is_used_in_reverse_mode(form: Form) -> None:
    assert has(GRADIENT, form)
    assert not has(TANGENT, form)


def test_a_derivative_is_used_in_forward_mode() -> None:
    assert has(TANGENT, Form.TANGENT)
    assert not has(GRADIENT, Form.TANGENT)


def test_a_tape_that_is_no_pointer_is_stored_in_the_arena() -> None:
    found = built(GRADIENT, Form.AUGMENTED)
    assert "@__ez_alloc(" in "\n".join(found)
    pointer = GRADIENT.replace("double %tape", "ptr %tape").replace("{ double, double }", "{ ptr, double }")
    assert "@__ez_alloc(" not in "\n".join(built(pointer, Form.AUGMENTED))


def test_the_combined_form_calls_both_halves() -> None:
    text = "\n".join(built(GRADIENT, Form.COMBINED))
    assert text.index("@__ez_augmented.f") < text.index("@__ez_reverse.f") < text.index("@__ez_finish")


def test_the_result_is_that_of_the_primal_if_the_derivative_returns_the_tangent_alone() -> None:
    text = "\n".join(built(TANGENT, Form.TANGENT))
    assert "call double @tangent(double %0, double %1)" in text
    assert "call double @f(double %0)" in text


def test_a_registered_function_without_a_body_is_refused() -> None:
    dropped = TANGENT[: TANGENT.index("define double @tangent")] + "declare double @tangent(double, double)\n"
    with pytest.raises(EnzymeError, match="is defined nowhere"):
        built(dropped, Form.TANGENT)


def test_the_pattern_of_a_registered_function_is_not_known() -> None:
    with pytest.raises(EnzymeError, match="EZ0208"):
        built(GRADIENT, Form.DEPENDENCE)
