"""Where adjoints begin as zero, and which are set by the one use of their value.

They begin in the nearest block of the reverse sweep that comes before all uses.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from enzyme_cc.autodiff.reverse.adjoint_homes import AdjointHomes
from enzyme_cc.ir.values import Block, Instruction, Value
from tests.autodiff.jit import Compiled
from tests.autodiff.sweeps import analysed

BRANCHES = """
define double @f(double %x, i1 %c) {
entry:
  %square = fmul double %x, %x
  br i1 %c, label %left, label %right
left:
  %once = fmul double %square, %x
  %twice = fmul double %once, %once
  br label %end
right:
  %other = fmul double %square, 3.0
  br label %end
end:
  %result = phi double [ %twice, %left ], [ %other, %right ]
  ret double %result
}
"""
LOOP = """
define double @f(double %x, i64 %n) {
entry:
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %s = phi double [ %x, %entry ], [ %carried, %loop ]
  %local = fmul double %s, %s
  %carried = fmul double %local, %x
  %next = add i64 %k, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  %result = phi double [ %carried, %loop ]
  ret double %result
}
"""
#: the phi of the loop gets the square from before the loop, and from one of its latches
AGAIN = """
declare double @__enzyme_autodiff(...)
define double @f(double %x, i64 %n) noinline {
entry:
  %square = fmul double %x, %x
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %scaled ], [ %next, %again ]
  %p = phi double [ %square, %entry ], [ %half, %scaled ], [ %square, %again ]
  %s = phi double [ 0.0, %entry ], [ %sum, %scaled ], [ %sum, %again ]
  %product = fmul double %p, %p
  %sum = fadd double %s, %product
  %next = add i64 %k, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %choose, label %end
choose:
  %odd = trunc i64 %k to i1
  br i1 %odd, label %again, label %scaled
scaled:
  %half = fmul double %p, 0.5
  br label %loop
again:
  br label %loop
end:
  ret double %sum
}
define double @gradient(double %x, i64 %n) {
  %d = call double (...) @__enzyme_autodiff(ptr @f, double %x, i64 %n)
  ret double %d
}
"""


def found(text: str, ask: Callable[[AdjointHomes, Value], Block | Instruction | None]) -> dict[str, str | None]:
    """The name of what is found for each named value that is active."""
    analyses = analysed(text, "out const")
    homes = AdjointHomes(analyses.flow, analyses.reversal)
    values = [i for i in analyses.function.instructions() if i.name and analyses.activity.active(i)]
    return {value.name: (answer.name if (answer := ask(homes, value)) else None) for value in values}


def homes(text: str) -> dict[str, str | None]:
    """The name of the block where the adjoint of each named value begins; None for the entry of the derivative."""
    return found(text, AdjointHomes.of)


def test_a_value_used_in_one_block_begins_there() -> None:
    assert homes(BRANCHES)["once"] == "left"


def test_a_value_used_on_both_sides_begins_where_they_join() -> None:
    assert homes(BRANCHES)["square"] == "end"


def test_a_value_of_one_iteration_begins_in_the_loop() -> None:
    assert homes(LOOP)["local"] == "loop"


def test_a_value_that_the_next_iteration_uses_begins_at_the_entry() -> None:
    assert homes(LOOP)["carried"] is None


def uses_that_follow(text: str) -> dict[str, str | None]:
    """The phi behind the block of each named value that sets its adjoint, if there is one."""
    return found(text, AdjointHomes.use_that_follows)


def test_a_phi_sets_the_adjoints_of_values_that_lead_to_it_alone() -> None:
    assert uses_that_follow(BRANCHES) == {
        "square": None, "once": None, "twice": "result", "other": "result", "result": None,
    }  # fmt: skip


def test_the_adjoint_of_a_value_that_later_iterations_use_too_is_a_sum() -> None:
    assert uses_that_follow(AGAIN)["square"] is None
    assert uses_that_follow(AGAIN)["half"] == "p"


@pytest.mark.parametrize("n", [1, 2, 3, 6, 9])
def test_adjoints_of_a_value_from_before_a_loop_and_from_its_latch_add_up(n: int) -> None:
    def factors() -> list[float]:
        found = [1.0]
        for k in range(n - 1):
            found.append(1.0 if k % 2 else found[-1] * 0.5)
        return found

    x = 0.75
    assert Compiled(AGAIN).call("gradient", x, n) == pytest.approx(sum(4 * x**3 * c * c for c in factors()))
