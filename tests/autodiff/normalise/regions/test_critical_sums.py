"""Sums in critical sections: those that need no order become atomic additions."""

from __future__ import annotations

import pytest

from enzyme_cc.autodiff.normalise.threads.critical_sums import add_without_order
from enzyme_cc.ir.module import Module

TEXT = """
@lock = global i64 0
declare i64 @__ez_team_enter(ptr, ptr, i64)
declare i64 @__ez_team_leave(ptr, ptr, i64)
declare void @__kmpc_fork_call(ptr, i32, ptr, ...)
declare double @llvm.fmuladd.f64(double, double, double)
declare void @g()
define void @f(ptr %x) {{
entry:
  %a = alloca double
  {caller}
  call void (ptr, i32, ptr, ...) @__kmpc_fork_call(ptr null, i32 2, ptr @region, ptr %a, ptr %x)
  ret void
}}
define internal void @region(ptr %t, ptr %z, ptr %s, ptr %x) {{
entry:
  %y = load double, ptr %x
  %e = call i64 @__ez_team_enter(ptr null, ptr @lock, i64 {kind})
  {section}
  %l = call i64 @__ez_team_leave(ptr null, ptr @lock, i64 {kind})
  {after}
  ret void
}}
"""
READ = "%r = load double, ptr %s\n  "
WRITE = "\n  store double %n, ptr %s"
SUM = f"{READ}%n = fadd double %r, %y{WRITE}"
AGAIN = """%e2 = call i64 @__ez_team_enter(ptr null, ptr @lock, i64 0)
  store double 0.0, ptr %s
  %l2 = call i64 @__ez_team_leave(ptr null, ptr @lock, i64 0)"""


def _has_order(section: str, kind: int = 0, caller: str = "", after: str = "") -> bool:
    module = Module.parse(TEXT.format(section=section, kind=kind, caller=caller, after=after))
    region = module.body("@region")
    add_without_order(module, region)
    calls = {i.callee_name for i in region.instructions() if i.opcode == "call"}
    has_order = "@__ez_team_enter" in calls
    assert has_order is not any(i.opcode == "atomicrmw" for i in region.instructions())
    return has_order


@pytest.mark.parametrize(
    "section",
    [
        SUM,
        f"{READ}%n = fsub double %r, %y{WRITE}",
        f"{READ}%n = call double @llvm.fmuladd.f64(double %y, double 2.0, double %r){WRITE}",
        f"%v = load double, ptr %x\n  {READ}%n = fadd double %v, %r{WRITE}",
    ],
    ids=["sum", "difference", "product", "other number"],
)
def test_sums_have_no_order(section: str) -> None:
    assert not _has_order(section)


@pytest.mark.parametrize(
    "section",
    [
        f"{READ}%n = fsub double %y, %r{WRITE}",
        f"{READ}%n = fmul double %r, %y{WRITE}",
        f"{READ}%n = fadd double %r, %r{WRITE}",
        f"{READ}%n = call double @llvm.fmuladd.f64(double %r, double %y, double %r){WRITE}",
        f"{SUM}\n  store double %r, ptr %x",
        f"{SUM}\n  call void @g()",
        f"{READ}store double %y, ptr %x\n  %n = fadd double %r, %y{WRITE}",
    ],
    ids=["from", "product", "twice", "with itself", "read", "call", "write"],
)
def test_all_else_has_order(section: str) -> None:
    assert _has_order(section)


@pytest.mark.parametrize(
    ("kind", "caller", "after"),
    [(1, "", ""), (0, "store ptr %a, ptr %x", ""), (0, "", AGAIN)],
    ids=["ordered", "second name", "other section"],
)
def test_sums_have_order_beside_what_depends_on_it(kind: int, caller: str, after: str) -> None:
    section = f"%v = load double, ptr %x\n  {READ}%n = fadd double %v, %r{WRITE}"
    assert _has_order(section, kind, caller, after)
