"""Loops in which a thread only waits for a change of memory."""

from __future__ import annotations

import pytest

from enzyme_cc.analysis.spin_loops import SpinLoop, spin_loops
from enzyme_cc.ir.module import Module

TEXT = """
declare void @work()
declare i32 @sched_yield()
declare void @llvm.x86.sse2.pause()
define void @f(ptr %p, ptr %q, i32 %n) {{
entry:
  br label %loop
loop:
  %count = phi i32 [ 0, %entry ], [ %more, %latch ]
  %more = add i32 %count, 1
  {}
  br label %latch
latch:
  br i1 %done, label %end, label %loop
end:
  ret void
}}
"""
LOAD = "%v = load atomic i32, ptr %p acquire, align 4\n  %done = icmp ne i32 %v, 0"
EXCHANGE = "%v = atomicrmw xchg ptr %p, i32 1 acquire\n  %done = icmp eq i32 %v, 0"
COMPARE = "%v = cmpxchg ptr %p, i32 0, i32 1 acquire monotonic\n  %done = extractvalue { i32, i1 } %v, 1"


def found(body: str) -> list[SpinLoop]:
    return spin_loops(Module.parse(TEXT.format(body)).body("@f"))


def count(body: str) -> int:
    return len(found(body))


@pytest.mark.parametrize("body", [LOAD, EXCHANGE, COMPARE, f"call void @llvm.x86.sse2.pause()\n  {LOAD}"])
def test_a_loop_that_only_looks(body: str) -> None:
    assert count(body) == 1


@pytest.mark.parametrize(
    "body",
    [
        LOAD.replace(" atomic", "").replace(" acquire", ""),
        f"store i32 %count, ptr %p\n  {LOAD}",
        f"call void @work()\n  {LOAD}\n  %last = icmp eq i32 %count, 9\n  br i1 %last, label %end, label %next\nnext:",
        "call void @work()\n  %own = getelementptr i32, ptr %p, i32 %count\n  " + LOAD.replace("ptr %p", "ptr %own"),
        "call void @work()\n  %v = load atomic i32, ptr %p acquire, align 4\n  %done = icmp eq i32 %count, 9",
        EXCHANGE.replace("xchg", "add"),
        "%own = load ptr, ptr %q\n  store ptr %p, ptr %q\n  " + LOAD.replace("ptr %p", "ptr %own"),
        COMPARE.replace("i32 0, i32 1", "i32 %n, i32 %count"),
    ],
)
def test_a_loop_that_does_something(body: str) -> None:
    assert count(body) == 0


@pytest.mark.parametrize(
    "body",
    [
        f"call void @work()\n  {LOAD}",
        f"store i32 %count, ptr %q\n  {LOAD}",
        f"store i32 %count, ptr %q\n  {EXCHANGE}",
        "%own = load ptr, ptr %q\n  store i32 %count, ptr %p\n  " + LOAD.replace("ptr %p", "ptr %own"),
        "%own = getelementptr i32, ptr %p, i32 1\n  call void @work()\n  " + LOAD.replace("ptr %p", "ptr %own"),
    ],
)
def test_a_loop_that_does_something_meanwhile(body: str) -> None:
    assert count(body) == 1


YIELD = "call i32 @sched_yield()"


@pytest.mark.parametrize(
    "body, needs_others",
    [
        (LOAD, True),
        (LOAD.replace("atomic", "volatile").replace(" acquire", ""), True),
        (f"{YIELD}\n  {LOAD}", True),
        (EXCHANGE, False),
        (COMPARE, False),
        (f"call void @work()\n  {LOAD}", False),
        (
            f"{LOAD}\n  br i1 %done, label %latch, label %lock\nlock:\n  %x = atomicrmw xchg ptr %p, i32 1 acquire",
            False,
        ),
        (LOAD.replace("i32 %v, 0", "i32 %v, %count"), False),
        (f"{LOAD}\n  %last = icmp eq i32 %count, 9\n  br i1 %last, label %end, label %latch\nnext:", False),
    ],
)
def test_who_needs_other_threads(body: str, needs_others: bool) -> None:
    assert any(loop.needs_others for loop in found(body)) == needs_others
