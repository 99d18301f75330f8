"""Atomic updates of integers whose results are used are sections with tickets in what regions reach."""

from __future__ import annotations

import pytest

from enzyme_cc.autodiff.normalise.threads.captured_updates import order_captured_updates
from enzyme_cc.ir.module import Module
from enzyme_cc.report.diagnostics import NotOnTeams

TEXT = """
define void @f(ptr %x) {{
  call void @region(ptr null, ptr null, ptr %x) {}
  ret void
}}
define internal void @region(ptr %t, ptr %b, ptr %x) {{
  call void @callee(ptr %x)
  ret void
}}
define internal void @callee(ptr %x) {{
  %old = atomicrmw {} ptr %x, {} seq_cst
  {}
  ret void
}}
define internal void @other(ptr %x) {{
  %old = atomicrmw add ptr %x, i32 1 seq_cst
  store i32 %old, ptr %x
  ret void
}}
"""
USE = "store i32 %old, ptr %x"


def sections(call: str = '"ez-region"', operation: str = "add", value: str = "i32 1", use: str = USE) -> list[str]:
    module = Module.parse(TEXT.format(call, operation, value, use))
    functions = [module.body(f"@{name}") for name in ("f", "region", "callee", "other")]
    order_captured_updates(module, functions)
    return [f.name for f in functions for i in f.instructions() if i.callee_name == "@__ez_team_enter"]


def test_what_a_region_reaches() -> None:
    assert sections() == ["@callee"]
    assert sections(operation="umax") == ["@callee"]


def test_other_updates_have_no_order() -> None:
    assert sections(use="") == []
    assert sections(call="") == []
    assert sections(operation="xchg") == []  # a region with one runs in one thread
    assert sections(operation="fadd", value="double 1.0", use="store double %old, ptr %x") == []


def test_the_section_holds_the_update_alone() -> None:
    module = Module.parse(TEXT.format('"ez-region"', "sub", "i32 1", USE))
    body = module.body("@callee")
    order_captured_updates(module, [module.body("@f"), module.body("@region"), body])
    found = [i.callee_name if i.opcode == "call" else i.opcode for i in body.instructions()]
    assert found == ["@__ez_team_enter", "atomicrmw", "@__ez_team_leave", "store", "ret"]


def test_tasks_have_no_tickets() -> None:
    with pytest.raises(NotOnTeams, match="a task uses the result of an atomic update in callee"):
        sections(call='"ez-task"')


def test_loops_that_wait_for_other_threads_run_in_one() -> None:
    with pytest.raises(NotOnTeams, match="a loop waits for what another thread does in callee"):
        sections(use="%w = call i64 @__ez_fiber_wait(i64 0, ptr null, i64 1)")
