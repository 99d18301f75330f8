"""Memory that holds numbers at one time and pointers at another: the run decides what a copy moves."""

import pytest

from enzyme_cc.autodiff.core.signature import Form
from tests.autodiff.jit import Compiled
from tests.autodiff.sweeps import derivative

#: a word of memory is set to x, or to a pointer to x; it is copied, and the copy is read as what it is
TEXT = """
declare double @__enzyme_autodiff(...)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

define double @f(double %x, i64 %which) noinline {
entry:
  %own = alloca double
  %word = alloca [8 x i8], align 8
  %copy = alloca [8 x i8], align 8
  store double %x, ptr %own
  %is_number = icmp eq i64 %which, 0
  br i1 %is_number, label %number, label %pointer
number:
  %twice = fmul double %x, 2.0
  store double %twice, ptr %word
  br label %move
pointer:
  store ptr %own, ptr %word
  br label %move
move:
  call void @llvm.memcpy.p0.p0.i64(ptr %copy, ptr %word, i64 8, i1 false)
  br i1 %is_number, label %read, label %follow
read:
  %direct = load double, ptr %copy
  br label %end
follow:
  %found = load ptr, ptr %copy
  %behind = load double, ptr %found
  br label %end
end:
  %result = phi double [ %direct, %read ], [ %behind, %follow ]
  ret double %result
}

define double @gradient(double %x, i64 %which) {
  %d = call double (...) @__enzyme_autodiff(ptr @f, double %x, i64 %which)
  ret double %d
}
"""


def test_the_primal_sweep_keeps_what_it_copies_and_the_reverse_sweep_reads_it() -> None:
    calls = [line for line in derivative(TEXT, "out const") if "@__ez_mixed" in line]
    names = [call.split("@__ez_mixed_")[1].split("(")[0] for call in calls]
    assert names == ["keep", "copy", "adjoint"]


def test_forward_mode_copies_the_shadow_whatever_it_holds() -> None:
    lines = derivative(TEXT, "out const", Form.TANGENT)
    assert len([line for line in lines if "memcpy" in line]) == 2
    assert not any("@__ez_mixed" in line for line in lines)


@pytest.mark.parametrize(("which", "expected"), [(0, 2.0), (1, 1.0)])
def test_the_gradient_of_a_number_and_of_what_a_pointer_leads_to(which: int, expected: float) -> None:
    assert Compiled(TEXT).call("gradient", 3.0, which) == expected
