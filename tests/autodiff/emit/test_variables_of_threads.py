"""Variables of which each thread has its own: which regions may have them, and how shadows are cleared."""

from __future__ import annotations

import pytest

from enzyme_cc.analysis.activity.activity import ResultActivity
from enzyme_cc.autodiff.core.round import Round
from enzyme_cc.autodiff.core.signature import Form
from enzyme_cc.autodiff.emit.variables_of_threads import clear_own, variables_of_threads
from enzyme_cc.ir.builder import Builder
from enzyme_cc.ir.types import VOID, FunctionType
from enzyme_cc.ir.values import Function
from enzyme_cc.report.diagnostics import NotOnTeams
from tests.autodiff.sweeps import analysed

TEXT = """
@own = internal thread_local global {} zeroinitializer
@shared = internal global double 0.0
declare void @__ez_team_task(i32, ptr, ptr)
define internal i32 @entry(i32 %thread, ptr %task) {{
  ret i32 0
}}
define void @f(ptr %p) {{
  %x = load double, ptr %p
  store double %x, ptr @shared
  {}
  %y = load double, ptr %p
  store double %y, ptr %p
  ret void
}}
"""
NUMBER = "store double %x, ptr @own"
TASK = "call void @__ez_team_task(i32 0, ptr %p, ptr @entry)"


def _round(type_: str, line: str) -> Round:
    return analysed(TEXT.format(type_, line), "dup", Form.AUGMENTED, ResultActivity.NONE).round


def test_those_of_a_region_are_found() -> None:
    assert variables_of_threads(_round("double", NUMBER), "@f") == ["@own"]
    assert variables_of_threads(_round("double", ""), "@f") == []


@pytest.mark.parametrize(
    "type_, line, why",
    [
        ("ptr", "store ptr %p, ptr @own", "memory without a shadow"),
        ("double", f"{NUMBER}\n  {TASK}", "there are tasks"),
    ],
)
def test_what_teams_cannot_have(type_: str, line: str, why: str) -> None:
    with pytest.raises(NotOnTeams, match=why):
        variables_of_threads(_round(type_, line), "@f")


def test_a_thread_clears_its_own_shadows_in_each_direction() -> None:
    b = Builder(Function("@start", FunctionType(VOID, ()), []).add_block())
    clear_own(_round("[2 x double]", NUMBER), b, "@f", 3, forward=True)
    called = [str(i.callee) for i in b.block.instructions if i.opcode == "call"]
    assert called == ["@__ez_team_is_new", *["@__ez_clear"] * 3]
