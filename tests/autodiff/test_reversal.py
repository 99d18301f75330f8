"""The shape of the reverse sweep: what is visited, what is passed over, what tells the way back."""

from __future__ import annotations

from enzyme_cc.analysis.integers.loops import induction
from enzyme_cc.analysis.storage.reversal import Reversal
from enzyme_cc.ir.cfg import ControlFlow
from enzyme_cc.ir.module import Module
from enzyme_cc.ir.values import Function


def function(body: str, header: str = "define double @f(double %x, i64 %n, i1 %c) {") -> Function:
    return Module.parse(f"{header}\n{body}\n}}\n").body("@f")


def reversal(f: Function) -> Reversal:
    """Everything of type double has work."""
    return Reversal(f, ControlFlow(f), lambda i: str(i.type) == "double")


def labels(f: Function) -> dict[str, int]:
    return {block.name: k for k, block in enumerate(f.blocks)}


DIAMOND = """
entry:
  br i1 %c, label %left, label %right
left:
  {left}
  br label %join
right:
  br label %join
join:
  {join}
  ret double %r
"""


def test_an_idle_branch_is_passed_over() -> None:
    f = function(DIAMOND.format(left="%k = add i64 %n, 1", join="%r = fmul double %x, %x"))
    r = reversal(f)
    assert r.visited == [f.blocks[0], f.blocks[3]]
    assert r.sources[f.blocks[3]] == [f.blocks[0]]


def test_a_working_branch_is_told_by_its_condition() -> None:
    join = "%p = phi double [ %w, %left ], [ %x, %right ]\n  %r = fmul double %p, %x"
    f = function(DIAMOND.format(left="%w = fmul double %x, %x", join=join))
    r = reversal(f)
    choice = r.choice(f.blocks[3])
    assert choice is not None
    assert choice.condition is f.arguments[2]
    assert (choice.when_true, choice.when_false) == (f.blocks[1], f.blocks[2])


LOOP = """
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  {body}
  %next = add {flags} i64 %i, {step}
  %go = icmp {predicate} i64 %next, %n
  br i1 %go, label %loop, label %out
out:
  %r = fmul double %x, %x
  ret double %r
"""


def counted(step: int, predicate: str, flags: str) -> bool:
    f = function(LOOP.format(body="%w = fadd double %x, %x", step=step, predicate=predicate, flags=flags))
    # the work in the loop is of no use to the result, but the loop is visited where it has work
    r = reversal(f)
    return any(count is not None for count in r.trip_counts.values())


def test_which_loops_are_counted() -> None:
    assert counted(1, "slt", "")
    assert counted(1, "ne", "")
    assert counted(3, "slt", "nsw")
    assert counted(3, "ult", "nuw")
    assert counted(-2, "sgt", "nsw")
    assert not counted(3, "slt", "")
    assert not counted(3, "ult", "nsw")
    assert not counted(3, "ne", "")
    assert not counted(1, "sgt", "")
    assert not counted(1, "eq", "")


def test_an_idle_loop_is_passed_over() -> None:
    f = function(LOOP.format(body="%w = add i64 %i, 7", step=1, predicate="slt", flags=""))
    r = reversal(f)
    assert f.blocks[1] not in r.visited or r.loops == []


def test_inductions() -> None:
    f = function(
        """
entry:
  br label %loop
loop:
  %i = phi i64 [ %n, %entry ], [ %ni, %loop ]
  %p = phi ptr [ null, %entry ], [ %np, %loop ]
  %g = phi i64 [ 1, %entry ], [ %ng, %loop ]
  %ni = add i64 %i, -3
  %np = getelementptr double, ptr %p, i64 2
  %ng = mul i64 %g, 2
  %go = icmp ne i64 %ni, 0
  br i1 %go, label %loop, label %out
out:
  ret double %x
"""
    )
    flow = ControlFlow(f)
    i, p, g = (induction(phi, flow.loops[0]) for phi in f.blocks[1].phis)
    assert i is not None and (i.start, i.step) == (f.arguments[1], -3)
    assert p is not None and p.step == 16
    assert g is None
