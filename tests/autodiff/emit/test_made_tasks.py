"""Tasks: what the sweeps of a function call in place of the task's function, on a team and by itself."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from enzyme_cc.analysis.activity.activity import ResultActivity
from enzyme_cc.autodiff.analyses.function_analyses import FunctionAnalyses
from enzyme_cc.autodiff.analyses.recursion import Recursion
from enzyme_cc.autodiff.core.signature import Form, Team
from enzyme_cc.autodiff.reverse.build import build_split
from tests.autodiff.sweeps import analysed

TEXT = """
declare void @__ez_team_task(i32, ptr, ptr)
define internal i32 @entry(i32 %thread, ptr %task) {
  %x = load double, ptr %task
  %y = fmul double %x, %x
  store double %y, ptr %task
  ret i32 0
}
define void @f(ptr %p) {
  call void @__ez_team_task(i32 0, ptr %p, ptr @entry)
  ret void
}
"""


@pytest.mark.parametrize("team", [Team.NONE, Team.WITHIN])
def test_a_team_makes_a_task_and_waits_for_it(team: Team) -> None:
    alone = analysed(TEXT, "dup", Form.AUGMENTED, ResultActivity.NONE)
    analyses = FunctionAnalyses(alone.round, replace(alone.signature, team=team), True, Recursion(alone.round))
    build_split(alone.round, analyses)
    called = {
        str(i.callee)
        for function in alone.round.output.functions.values()
        for i in (function.instructions() if function.blocks else ())
        if i.opcode == "call"
    }
    assert ({"@__ez_task_make", "@__ez_task_back", "@__ez_task_done"} <= called) == (team is Team.WITHIN)
    starters = [name for name in alone.round.output.functions if "__ez_task." in name]
    assert len(starters) == (2 if team is Team.WITHIN else 0)
