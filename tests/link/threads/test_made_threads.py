"""Threads that differentiated code makes, in the text of a module: their own variables, and how they end."""

from __future__ import annotations

import llvmlite.binding as llvm
import pytest

from enzyme_cc.link.merged_module.threads.made_threads import with_own_variables

TEXT = """
%record = type { double, i32 }
@requested = global ptr @f
@mine = internal thread_local global %record { double 1.5, i32 7 }, align 8
@zero = thread_local unnamed_addr global [3 x ptr] zeroinitializer, align 16
@other = thread_local global i32 1
@elsewhere = external thread_local global i32
declare ptr @__ez_run_thread(ptr, ptr)
declare i32 @__cxa_thread_atexit(ptr, ptr, ptr)
declare void @__ez_stand_in_pthread_exit(ptr)
declare void @destroy(ptr)
define i32 @__ez_stand_in_pthread_create(ptr %thread, ptr %how, ptr %function, ptr %argument) {
  %result = call ptr @__ez_run_thread(ptr %function, ptr %argument)
  ret i32 0
}
define void @f(ptr %x) {
  %made = call i32 @__ez_stand_in_pthread_create(ptr %x, ptr null, ptr noundef @run, ptr %x)
  ret void
}
define internal ptr @run(ptr %x) {
  store double 1.0, ptr @mine
  store i32 2, ptr @elsewhere
  store ptr %x, ptr @zero
  %noted = call i32 @__cxa_thread_atexit(ptr @destroy, ptr @zero, ptr null)
  call void @__ez_stand_in_pthread_exit(ptr noundef %x)
  unreachable
}
define i32 @not_reached() {
  %noted = call i32 @__cxa_thread_atexit(ptr @destroy, ptr @other, ptr null)
  ret i32 %noted
}
"""


@pytest.fixture
def made() -> str:
    text = with_own_variables(TEXT)
    with llvm.create_context() as context:
        llvm.parse_assembly(text, context).verify()
    return text


def body(text: str, name: str) -> str:
    return text[text.index(f"@{name}(", text.index(f"define internal ptr @{name}(")) :].partition("\n}")[0]


def test_variables_that_are_reached_begin_anew_and_come_back(made: str) -> None:
    run = body(made, "__ez_run_thread")
    before, after = run.split("call ptr %function(ptr %argument) nounwind")
    for name in ("mine", "zero"):
        assert f"(ptr @{name})" in before
        assert f"ptr @__ez_of_thread.{name}," in before
    assert "other" not in run
    assert "elsewhere" not in run
    assert after.count("llvm.memcpy") == before.count("llvm.memcpy") / 2
    assert "@__ez_of_thread.mine = internal constant %record { double 1.5, i32 7 }" in made


def test_destructors_of_variables_run_before_these_come_back(made: str) -> None:
    assert body(made, "__ez_run_thread").index("exit.0()") > body(made, "__ez_run_thread").index("%function(")
    assert "call i32 @__ez_of_thread.at.exit.0(ptr @destroy, ptr @zero, ptr null)" in body(made, "run")
    assert "@__cxa_thread_atexit(ptr @destroy, ptr @other, ptr null)" in made


def test_a_thread_that_ends_itself_in_its_function_returns(made: str) -> None:
    assert body(made, "run").endswith("ret ptr %x")


def test_a_function_that_others_call_cannot_end_its_thread() -> None:
    called = TEXT.replace("  ret void\n}", "  %r = call ptr @run(ptr %x)\n  ret void\n}", 1)
    assert "call void @__ez_stand_in_pthread_exit(" in body(with_own_variables(called), "run")


def test_a_module_without_new_threads_stays_as_it_is() -> None:
    text = TEXT.replace("__ez_run_thread", "something_else")
    assert with_own_variables(text) is text


def test_fibers_keep_their_variables_where_others_run() -> None:
    waits = "  %made = call i32 @__ez_stand_in_pthread_create"
    text = TEXT.replace(waits, "  %t = call i64 @__ez_fiber_wait(i64 0, ptr null, i64 0)\n" + waits, 1)
    text = with_own_variables(text + "declare i64 @__ez_fiber_wait(i64, ptr, i64)\n")
    with llvm.create_context() as context:
        llvm.parse_assembly(text, context).verify()
    wait = text[text.index("define internal i64 @__ez_of_thread.__ez_fiber_wait(") :].partition("\n}")[0]
    before, after = wait.split("call i64 @__ez_fiber_wait(i64 %p0, ptr %p1, i64 %p2)")
    assert "memcpy.p0.p0.i64(ptr %kept0, ptr %own0" in before and "memcpy.p0.p0.i64(ptr %own0, ptr %kept0" in after
    assert "%t = call i64 @__ez_of_thread.__ez_fiber_wait(" in text
    assert "%kept" not in body(text, "__ez_run_thread")
