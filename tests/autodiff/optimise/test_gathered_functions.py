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
declare void @__ez_gathered_run(ptr, ptr, ptr, ptr, ptr)
declare void @__ez_gathered_nth(ptr, i64, ptr)
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
  call void @__ez_gathered_nth(ptr %all, i64 %count, ptr nonnull @one)
  ret void
}}
define internal void @one(ptr %all, i64 %k, i64 %number) {{
  call void @__ez_gathered_call(i64 %number, ptr %all, ptr %all)
  ret void
}}
define internal void @take(ptr %list, ptr %array) {{
  ret void
}}
define internal void @fork(ptr %arrays, i64 %count, ptr %region) {{
  ret void
}}
define internal void @end(ptr %array, i64 %number) {{
  ret void
}}
define void @f(ptr %x) {{
  %first = tail call i64 @__ez_gathered_posix(ptr {function})
  call void @__ez_gathered_add(i64 %first, ptr %x, ptr %x, ptr nonnull @add)
  %second = call i64 @__ez_gathered_state(ptr nonnull @state, ptr nonnull @state)
  call void @__ez_gathered_add(i64 %second, ptr %x, ptr null, ptr nonnull @add)
  call void @__ez_gathered_run(ptr nonnull @run, ptr nonnull @part, ptr @take, ptr @fork, ptr @end)
  {end}
  ret void
}}
"""


def made(function: str = "@work", end: str = "", before: str = "", others: str = "", runs_apart: bool = False) -> str:
    text = TEXT.format(function=function, end=end).replace("  %first", f"{before}  %first")
    text = with_functions(others + text, runs_apart)
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


def test_threads_of_several_functions_have_a_region() -> None:
    assert "define internal void @threads_together(" in made()
    assert "call void @one(ptr %all1, i64 %k0, i64 1)" in made()
    assert "@threads_together" not in made(runs_apart=True)


def test_a_choice_of_functions_is_compared() -> None:
    other = "define internal ptr @other(ptr %x) {\n  ret ptr %x\n}\n"
    other += "define internal ptr @third(ptr %x) {\n  ret ptr @third\n}\n"
    selected = "  %chosen = select i1 true, ptr @work, ptr @other\n"
    text = made("%chosen", before=selected, others=other)
    assert "%first = call i64 @__ez_gathered_number.0(ptr %chosen)" in text
    assert "icmp eq ptr %function, @work" in text and "icmp eq ptr %function, @other" in text
    assert "icmp eq ptr %function, @third" not in text


def test_a_pointer_is_compared_with_what_has_its_type() -> None:
    taken = "@table = global [3 x ptr] [ptr @work, ptr @other, ptr @sum]\n"
    taken += "define ptr @other(ptr initializes((0, 8)) captures(ret: address, provenance) %x) {\n  ret ptr %x\n}\n"
    taken += "define ptr @sum(ptr %x, ptr %y) {\n  ret ptr %x\n}\n"
    text = made("%x", others=taken)
    assert "icmp eq ptr %function, @other" in text and "icmp eq ptr %function, @sum" not in text
    assert "icmp eq ptr %function, @work" in text and "call void @__ez_beyond_stand_in(" in text


def test_a_state_is_compared_with_those_that_there_are() -> None:
    table = (
        "@_ZTVNSt6thread11_State_implE = constant { [5 x ptr] } { [5 x ptr] [ptr null, ptr null, ptr null, "
        "ptr @delete, ptr @state] }\ndefine internal void @delete(ptr %x) {\n  ret void\n}\n"
    )
    unknown = TEXT.format(function="@work", end="").replace("ptr nonnull @state, ptr nonnull @state", "ptr %x, ptr %x")
    text = with_functions(table + unknown, False)
    llvm_passes.parse(text)
    assert "icmp eq ptr %function, @state" in text and "call void @delete(ptr %argument)" in text
