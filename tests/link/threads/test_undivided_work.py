"""Work that one thread does as a whole, in the text of a module."""

from __future__ import annotations

import pytest

from enzyme_cc.link.merged_module.threads.undivided_work import with_undivided_work

QUESTION = "  %divided = call noundef zeroext i1 @_ZNK5Range12is_divisibleEv(ptr %range)\n"
EXECUTE = "_ZN3tbb6detail2d119partition_type_baseINS1_19auto_partition_typeEE7executeINS1_9start_forI5RangeEES6_EEvRT_"
SIMPLE = "_ZN3tbb6detail2d121simple_partition_type7executeINS1_9start_forI5RangeEES6_EEvRT_"
SORT = "_ZZN6__pstl13__tbb_backend22__parallel_stable_sortIRKNS_9execution2v115parallel_policyEPdEEvENKUlvE_clEv"
MERGE = "_ZN6__pstl13__tbb_backend16__parallel_mergeIRKNS_9execution2v115parallel_policyEPdEEv"
GROUP = "_ZN3tbb6detail2d115task_group_baseD2Ev"


def changed(name: str, line: str) -> str:
    """Returns what becomes of a line in a function that a request may reach."""
    head = "declare i1 @_ZNK5Range12is_divisibleEv(ptr)\ndeclare i32 @_ZSt19uncaught_exceptionsv()\n"
    text = f"{head}@requested = global ptr @{name}\ndefine void @{name}(ptr %range, i64 %n) {{\n{line}  ret void\n}}\n"
    return with_undivided_work(text).partition("{\n")[2].partition("  ret void")[0]


@pytest.mark.parametrize(
    ("name", "line", "answer"),
    [
        (EXECUTE, QUESTION, "  %divided = freeze i1 false\n"),
        (SORT, "  %long = icmp sgt i64 %n, 500, !dbg !7\n", "  %long = freeze i1 false\n"),
        (MERGE, "  %short = icmp sle i64 %n, 2000\n", "  %short = freeze i1 true\n"),
        (GROUP, "  %count = call i32 @_ZSt19uncaught_exceptionsv() #3\n", "  %count = freeze i32 1\n"),
    ],
)
def test_one_thread_does_all(name: str, line: str, answer: str) -> None:
    assert changed(name, line) == answer


@pytest.mark.parametrize(
    ("name", "line"),
    [(SIMPLE, QUESTION), ("f", QUESTION), (SORT, "  %long = icmp sgt i64 %n, 5001\n"), (SORT, QUESTION)],
)
def test_all_else_stays(name: str, line: str) -> None:
    assert changed(name, line) == line


def test_what_only_the_program_calls_stays() -> None:
    declared = "declare i1 @_ZNK5Range12is_divisibleEv(ptr)\n"
    text = f"{declared}define void @{EXECUTE}(ptr %range) {{\n{QUESTION}  ret void\n}}\n"
    assert with_undivided_work(text) == text
