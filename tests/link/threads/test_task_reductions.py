"""Reductions of tasks: where groups begin and end, and which copies are of one type."""

from __future__ import annotations

import pytest

from enzyme_cc.link.inputs.module_text import ModuleText
from enzyme_cc.link.merged_module.threads.task_copies import TaskCopies
from enzyme_cc.link.merged_module.threads.task_reductions import with_task_reductions

FIRST = """define internal void @.red_init.{name}(ptr %0, ptr %1) {{
  %3 = load ptr, ptr %0
{body}
  ret void
}}
"""
NUMBER = FIRST.format(name="", body="  store double 0.0, ptr %3, align 8")
COUNT = FIRST.format(name=".1", body="  store i32 0, ptr %3, align 4")
PAIR = FIRST.format(
    name=".2", body="  %4 = getelementptr inbounds %struct.pair, ptr %3, i32 0, i32 1\n  store double 1.0, ptr %4"
)
COPIED = FIRST.format(name=".3", body="  call void @llvm.memcpy.p0.p0.i64(ptr %3, ptr @first, i64 24, i1 false)")
TEXT = """%struct.pair = type {{ double, double }}
@requested = global ptr @f
declare void @__kmpc_end_taskgroup(ptr, i32)
declare ptr @__kmpc_taskred_init(i32, i32, ptr)
declare ptr @__kmpc_task_reduction_get_th_data(i32, ptr, ptr)
{firsts}
define void @f(ptr %x, i32 %t, ptr %variables) {{
{begin}
  call void @task(i32 %t, ptr %1, ptr %x)
{end}
  ret void
}}
define internal void @task(i32 %t, ptr %1, ptr %x) {{
  %2 = call ptr @__kmpc_task_reduction_get_th_data(i32 %t, ptr {given}, ptr %x) #1
{use}
  ret void
}}
"""
BEGIN = """  store ptr @.red_init., ptr %variables
  call void @__kmpc_taskgroup(ptr null, i32 %t)
  %1 = call ptr @__kmpc_taskred_init(i32 %t, i32 1, ptr %variables)"""
END = "  call void @__kmpc_end_taskgroup(ptr null, i32 %t)"
USE = "  %3 = load double, ptr %2, align 8"


def text(firsts: str = NUMBER, begin: str = BEGIN, end: str = END, use: str = USE, given: str = "%1") -> str:
    kept = "".join(f"@kept.{k} = global ptr @.red_init.{name}\n" for k, name in enumerate(("", ".1", ".2", ".3")))
    return TEXT.format(firsts=firsts + kept, begin=begin, end=end, use=use, given=given)


def test_the_end_is_given_what_the_beginning_returned() -> None:
    changed = with_task_reductions(text())
    assert "%1 = call ptr @__team_reduction_open(i64 1, i64 1)" in changed
    assert "call void @__team_reduction_of(ptr %1, i64 0, ptr %variables)" in changed
    wait, after = changed.split("call void @__kmpc_end_taskgroup(ptr null, i32 %t)")
    assert "store ptr %1, ptr %ez.reduction.0" in wait
    assert "call void @__team_reduction_end(ptr %ez.reduction.0.begun, i64 0, i64 0, ptr %variables)" in after


def test_a_task_gets_a_copy_of_its_type() -> None:
    changed = with_task_reductions(text(NUMBER + COUNT + PAIR))
    assert "%2 = call ptr @ez.task.copy.0(ptr %1, ptr %x) #1" in changed
    assert "call void @.red_init.(ptr %copy.0, ptr %original)" in changed
    assert "call void @.red_init..1(" not in changed.split("define internal ptr @ez.task.copy.0")[1]
    assert with_task_reductions(text(NUMBER, use="  store double 1.0, ptr %2")) != text(NUMBER)


def test_a_region_is_a_group() -> None:
    begin = BEGIN.replace("taskred_init(i32 %t,", "taskred_modifier_init(ptr null, i32 %t, i32 1,")
    begin = "\n".join(line for line in begin.splitlines() if "__kmpc_taskgroup" not in line)
    end = "  call void @__kmpc_task_reduction_modifier_fini(ptr null, i32 %t, i32 1)"
    changed = with_task_reductions(text(begin=begin, end=end))
    assert "call void @__kmpc_taskgroup(ptr null, i32 %t)" in changed
    assert "call void @__kmpc_end_taskgroup(ptr null, i32 %t)" in changed


@pytest.mark.parametrize(
    "left",
    [
        text(end=""),
        text(given="null"),
        text(NUMBER + COUNT, use="  call void @f(ptr %2, i32 0, ptr %2)"),
        text(NUMBER + COPIED),
        text(NUMBER.replace("%3 = load ptr, ptr %0", "%3 = call ptr @llvm.threadlocal.address.p0(ptr @size)")),
        text(NUMBER + "define internal void @.red_fini.(ptr %0) {\n  ret void\n}\n@kept = global ptr @.red_fini.\n"),
    ],
)
def test_others_are_left(left: str) -> None:
    assert with_task_reductions(left) == left


def test_a_part_of_an_array_has_its_size() -> None:
    step = "  %4 = getelementptr inbounds [3 x [5 x double]], ptr %3, i32 0, i32 0"
    module = ModuleText(text(NUMBER.replace("  store", f"{step}\n  store")))
    copies = TaskCopies.of(module, module.entities.values())
    assert copies is not None and [first.least for first in copies.firsts] == [120]
