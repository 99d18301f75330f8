"""Several exits of nested loops lead to one block: the reverse sweep enters the loops once, then goes to each exit."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.autodiff.jit import Compiled
from tests.autodiff.sweeps import derivative

#: the inner loop has three exits: at its end, and from two conditions that end both loops
PRIMAL = """
define double @f(double %x, i64 %n, i64 %stop, i64 %leave) noinline {
entry:
  br label %outer
outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %outer.end ]
  %s = phi double [ %x, %entry ], [ %inner.s.next, %outer.end ]
  br label %inner
inner:
  %j = phi i64 [ 0, %outer ], [ %j.next, %latch ]
  %inner.s = phi double [ %s, %outer ], [ %inner.s.next, %latch ]
  %product = fmul double %inner.s, %x
  %inner.s.next = call double @sin(double %product)
  %place = add i64 %i, %j
  %stops = icmp eq i64 %place, %stop
  br i1 %stops, label %stopped, label %go.on
stopped:
  %cube = fmul double %product, %x
  br label %end
go.on:
  %leaves = icmp eq i64 %place, %leave
  br i1 %leaves, label %left, label %latch
left:
  %fourth = fmul double %inner.s.next, %inner.s.next
  br label %end
latch:
  %j.next = add i64 %j, 1
  %j.more = icmp slt i64 %j.next, %n
  br i1 %j.more, label %inner, label %outer.end
outer.end:
  %i.next = add i64 %i, 1
  %i.more = icmp slt i64 %i.next, %n
  br i1 %i.more, label %outer, label %end
end:
  %result = phi double [ %cube, %stopped ], [ %fourth, %left ], [ %inner.s.next, %outer.end ]
  ret double %result
}
declare double @sin(double)
"""
#: `stopped` and `left` are blocks of no loop: values of the inner loop's last iteration go through them
DIRECT = PRIMAL.replace("label %stopped", "label %end").replace("label %left,", "label %end,")
DIRECT = DIRECT.replace("stopped:\n  %cube = fmul double %product, %x\n  br label %end\n", "")
DIRECT = DIRECT.replace("left:\n  %fourth = fmul double %inner.s.next, %inner.s.next\n  br label %end\n", "")
DIRECT = DIRECT.replace("[ %cube, %stopped ], [ %fourth, %left ]", "[ %product, %inner ], [ %inner.s, %go.on ]")
REQUEST = """
declare double @__enzyme_autodiff(...)
define double @gradient(double %x, i64 %n, i64 %stop, i64 %leave) {
  %d = call double (...) @__enzyme_autodiff(ptr @f, double %x, i64 %n, i64 %stop, i64 %leave)
  ret double %d
}
define double @primal(double %x, i64 %n, i64 %stop, i64 %leave) {
  %y = call double @f(double %x, i64 %n, i64 %stop, i64 %leave)
  ret double %y
}
"""


@pytest.mark.parametrize("text", [PRIMAL, DIRECT], ids=["through blocks", "direct"])
@pytest.mark.parametrize(("stop", "leave"), [(0, 9), (9, 0), (3, 9), (9, 2), (2, 3), (9, 9), (1, 1)])
def test_gradients_are_right_whichever_exit_was_taken(text: str, stop: int, leave: int) -> None:
    compiled, x, step = Compiled(text + REQUEST), 0.8, 1e-5
    difference = (
        compiled.call("primal", x + step, 3, stop, leave) - compiled.call("primal", x - step, 3, stop, leave)
    ) / (2 * step)
    assert compiled.call("gradient", x, 3, stop, leave) == pytest.approx(difference, rel=1e-7)


def test_exits_of_the_same_loops_share_the_way_in() -> None:
    lines = derivative(DIRECT, "out const const const")
    stores = Counter(line.split("ptr ")[1] for line in lines if line.startswith("store i64"))
    assert max(stores.values()) == 3, "iterations of the inner loop: two ways in, and a step back"
