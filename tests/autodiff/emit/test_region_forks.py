"""Forks of regions without a derivative, and what derivatives call on teams."""

from __future__ import annotations

import pytest

from enzyme_cc.autodiff.core.team_calls import check_calls_on_team
from enzyme_cc.autodiff.emit.region_forks import fork_primal
from enzyme_cc.ir.builder import Builder
from enzyme_cc.ir.module import Module
from enzyme_cc.report.diagnostics import NotOnTeams

TEXT = """
@place = external global i8
declare void @region(ptr, ptr, ptr)
declare void @__ez_mark_adjoint(ptr, i64, i64)
declare void @__ez_clear(ptr, i64, i64, i64, i64)
define void @f(ptr %x) {{
  {}
  ret void
}}
"""


def test_a_region_without_derivative_is_forked() -> None:
    function = Module.parse(TEXT.format("call void @region(ptr %x, ptr @place, ptr %x)")).body("@f")
    call = next(function.instructions())
    fork_primal(Builder.before(call), call, call.arguments)
    fork = next(function.instructions())
    assert str(fork.callee) == "@__kmpc_fork_call" and [str(a) for a in fork.arguments[:3]] == [
        "@place",
        "1",
        "@region",
    ]


def test_functions_for_one_thread_are_found() -> None:
    check_calls_on_team(
        Module.parse(TEXT.format("call void @__ez_clear(ptr %x, i64 8, i64 8, i64 0, i64 8)")).body("@f")
    )
    with pytest.raises(NotOnTeams):
        check_calls_on_team(Module.parse(TEXT.format("call void @__ez_mark_adjoint(ptr %x, i64 0, i64 0)")).body("@f"))
