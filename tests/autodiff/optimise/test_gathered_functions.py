"""The functions of gathered threads get numbers, and each has a list and a region, which calls it by its name."""

from __future__ import annotations

import pytest

from enzyme_cc.autodiff.optimise.gathered_functions import with_functions
from enzyme_cc.ir import llvm_passes
from enzyme_cc.report.diagnostics import NotOnTeams

TEXT = """
declare i64 @__ez_gathered_posix(ptr)
declare i64 @__ez_gathered_state(ptr, ptr)
declare void @__ez_gathered_add(i64, ptr, ptr, ptr)
declare void @__ez_gathered_run(ptr, ptr)
declare void @__ez_gathered_call(i64, ptr, ptr)
declare void @__ez_gathered_end(i64, ptr)
declare ptr @__ez_gathered_result(ptr)
define internal ptr @work(ptr %x) {{
  ret ptr %x
}}
define internal void @state(ptr %x) {{
  ret void
}}
define internal void @add(ptr %list, ptr %x, ptr %finished) {{
  ret void
}}
define internal void @run(ptr %list, i64 %number, ptr %region) {{
  call void @__ez_gathered_end(i64 %number, ptr %list)
  ret void
}}
define internal void @part(ptr %thread, ptr %all, i64 %count, i64 %number) {{
  call void @__ez_gathered_call(i64 %number, ptr %all, ptr %all)
  ret void
}}
define void @f(ptr %x) {{
  %first = tail call i64 @__ez_gathered_posix(ptr {function})
  call void @__ez_gathered_add(i64 %first, ptr %x, ptr %x, ptr nonnull @add)
  %second = call i64 @__ez_gathered_state(ptr nonnull @state, ptr nonnull @state)
  call void @__ez_gathered_add(i64 %second, ptr %x, ptr null, ptr nonnull @add)
  call void @__ez_gathered_run(ptr nonnull @run, ptr nonnull @part)
  {end}
  ret void
}}
"""


def made(function: str = "@work", end: str = "") -> str:
    text = with_functions(TEXT.format(function=function, end=end))
    llvm_passes.parse(text)
    return text


def test_functions_have_numbers_and_regions() -> None:
    text = made()
    assert "%first = add i64 0, 0" in text and "%second = add i64 0, 1" in text
    assert "define internal void @threads_0(" in text and "define internal void @threads_1(" in text
    assert "call ptr @work(ptr %argument)" in text
    assert text.count("call void @state(ptr %argument)") == 2  # it runs, and what it was given is deleted


def test_a_result_is_kept_if_somebody_asks_for_it() -> None:
    kept = "store ptr %result0, ptr %finished"
    assert kept not in made()
    assert kept in made(end="%result = call ptr @__ez_gathered_result(ptr %x)")


def test_a_function_that_is_not_known_keeps_threads_from_teams() -> None:
    with pytest.raises(NotOnTeams):
        made("%x")
