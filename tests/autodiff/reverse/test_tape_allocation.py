"""Values that the reverse sweep needs: on the tape of a split gradient, in variables of a combined one."""

from __future__ import annotations

from enzyme_cc.autodiff.core.signature import Form
from tests.autodiff.sweeps import derivative

#: the reverse sweep needs what @native returned
TEXT = """
@__enzyme_inactivefn_native = constant [1 x ptr] [ptr @native]
declare double @native()
define double @f(double %x) {
  %k = call double @native()
  %y = fmul double %x, %k
  ret double %y
}
"""


def test_a_split_gradient_allocates_its_tape_once() -> None:
    lines = [line for line in derivative(TEXT, "out", Form.AUGMENTED) if "call" in line]
    assert sum("@__ez_alloc(" in line for line in lines) == 1


def test_a_split_gradient_that_needs_nothing_has_no_tape() -> None:
    plain = TEXT.replace("%x, %k", "%x, 2.0")
    lines = derivative(plain, "out", Form.AUGMENTED)
    assert not any("@__ez_alloc(" in line for line in lines)


def test_a_combined_gradient_keeps_single_values_in_variables() -> None:
    lines = derivative(TEXT, "out", Form.COMBINED)
    assert not any("@__ez_alloc(" in line for line in lines)
