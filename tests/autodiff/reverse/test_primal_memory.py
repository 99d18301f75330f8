"""Memory that the primal sweep allocates has a shadow of zeros if it may hold numbers with derivatives."""

from __future__ import annotations

from tests.autodiff.sweeps import derivative

TEXT = """
declare ptr @malloc(i64)
define double @f(double %x) {
  %p = call ptr @malloc(i64 8)
  store double %x, ptr %p
  %v = load double, ptr %p
  ret double %v
}
"""


def allocations(arguments: str) -> list[str]:
    return [line for line in derivative(TEXT, arguments) if "@malloc(" in line or "@llvm.memset" in line]


def test_an_allocation_of_active_memory_is_made_twice_and_the_shadow_cleared() -> None:
    primal, shadow, cleared = allocations("out")
    assert primal.endswith("call ptr @malloc(i64 8)")
    assert shadow.endswith("call ptr @malloc(i64 8)")
    assert cleared == "call void @llvm.memset.p0.i64(ptr %7, i8 0, i64 8, i1 false)"


def test_an_allocation_of_constant_memory_is_made_once() -> None:
    assert len(allocations("const")) == 1
