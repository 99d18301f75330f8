"""What is refused where ranks of MPI share memory, and what is not without it."""

from __future__ import annotations

import pytest

from enzyme_cc.analysis.shared_memory import shares_memory, watched_memory
from enzyme_cc.autodiff.analyses.shared_windows import shared_memory_problems
from enzyme_cc.autodiff.differentiate import differentiate
from enzyme_cc.report.diagnostics import EnzymeError

from ..rounds import complete
from ..sweeps import analysed

SHARED = "declare ptr @__ez_native_mpi_shared_memory(i64, i64, i64)\n"
WATCHING = """
@g = global i32 0
define void @wait(ptr %p) {{
  %flag = {}
  ret void
}}
define double @f(double %x, ptr %p) {{
  %own = alloca i32
  call void @wait(ptr %p)
  %y = fmul double %x, %x
  ret double %y
}}
declare double @__enzyme_autodiff(...)
define double @df(double %x, ptr %p) {{
  %r = call double (...) @__enzyme_autodiff(ptr @f, double %x, ptr %p, ptr %p)
  ret double %r
}}
"""


@pytest.mark.parametrize(
    "line, is_watched",
    [
        ("load volatile i32, ptr %p", True),
        ("load atomic i32, ptr %p acquire, align 4", True),
        ("atomicrmw add ptr %p, i32 1 monotonic", True),
        ("load volatile i32, ptr @g", False),
        ("load i32, ptr %p", False),
    ],
)
def test_only_what_may_wait_for_memory_behind_a_pointer_is_watched(line: str, is_watched: bool) -> None:
    module = complete(SHARED + WATCHING.format(line)).source
    assert shares_memory(module)
    assert [f.name for f, _ in watched_memory(module, ["@f"])] == ["@wait"] * is_watched


def test_waiting_is_refused_only_where_ranks_share_memory() -> None:
    text = WATCHING.format("load volatile i32, ptr %p")
    differentiate(text)
    with pytest.raises(EnzymeError, match="may wait for another rank"):
        differentiate(SHARED + text)


CUSTOM = """
@__enzyme_register_gradient_g = global [3 x ptr] [ptr @g, ptr @augmented, ptr @reverse]
declare double @g(double)
declare double @augmented(double)
declare double @reverse(double, double)
define double @f(double %x) {
  %y = call double @g(double %x)
  ret double %y
}
"""


@pytest.mark.parametrize("shared, found", [("", 0), (SHARED, 1)])
def test_registered_derivatives_do_not_know_of_other_ranks(shared: str, found: int) -> None:
    assert len(list(shared_memory_problems(analysed(shared + CUSTOM, "out")))) == found


@pytest.mark.parametrize("shared", ["", SHARED])
def test_additions_to_memory_behind_pointers_are_atomic_with_it(shared: str) -> None:
    text = """
define double @f(ptr %p) {
  %y = load double, ptr %p
  %z = fmul double %y, %y
  ret double %z
}
declare void @__enzyme_autodiff(...)
define void @df(ptr %p, ptr %d) {
  call void (...) @__enzyme_autodiff(ptr @f, ptr %p, ptr %d)
  ret void
}
"""
    assert ("atomicrmw fadd" in differentiate(shared + text).text) == bool(shared)
