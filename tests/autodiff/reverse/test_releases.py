"""Memory that the primal frees lives on until the reverse sweep is done."""

from enzyme_cc.autodiff.core.signature import Form
from tests.autodiff.sweeps import derivative

TEXT = """
declare ptr @malloc(i64)
declare void @free(ptr)

define double @f(double %x) {
  %p = call ptr @malloc(i64 8)
  store double %x, ptr %p
  %v = load double, ptr %p
  %w = fmul double %v, %v
  call void @free(ptr %p)
  ret double %w
}
"""


def test_reverse_mode_defers_the_release_of_memory_and_of_its_shadow() -> None:
    calls = [line for line in derivative(TEXT, "out") if "call" in line]
    assert not any("@free(" in line for line in calls)
    assert len([line for line in calls if "@__ez_defer_free(" in line]) == 2


def test_forward_mode_releases_both_at_once() -> None:
    calls = [line for line in derivative(TEXT, "dup", Form.TANGENT) if "@free(" in line]
    assert len(calls) == 2
