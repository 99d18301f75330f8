"""Where adjoints begin as zero: the nearest block of the reverse sweep that comes before all uses of a value."""

from enzyme_cc.autodiff.reverse.adjoint_homes import AdjointHomes
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


def homes(text: str) -> dict[str, str | None]:
    """The name of the block where the adjoint of each named value begins; None for the entry of the derivative."""
    analyses = analysed(text, "out const")
    found = AdjointHomes(analyses.flow, analyses.reversal)
    values = [i for i in analyses.function.instructions() if i.name and analyses.activity.active(i)]
    return {value.name: (block.name if (block := found.of(value)) else None) for value in values}


def test_a_value_used_in_one_block_begins_there() -> None:
    assert homes(BRANCHES)["once"] == "left"


def test_a_value_used_on_both_sides_begins_where_they_join() -> None:
    assert homes(BRANCHES)["square"] == "end"


def test_a_value_of_one_iteration_begins_in_the_loop() -> None:
    assert homes(LOOP)["local"] == "loop"


def test_a_value_that_the_next_iteration_uses_begins_at_the_entry() -> None:
    assert homes(LOOP)["carried"] is None
