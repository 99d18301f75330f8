"""Copies of what a loop wrote: from them the reverse sweep fills the memory again, and needs no log."""

from __future__ import annotations

from enzyme_cc.analysis.storage.needs import Need, NeedKind

from .loops import Storage

#: for (t…) { for (i…) next[i] = sin(state[i]); memcpy(state, next); }
STEPS = """
declare double @llvm.sin.f64(double)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

define double @f(double %x, ptr noalias %p, ptr noalias %q, i64 %n) {
entry:
  %state = alloca [10 x double]
  %after = alloca [10 x double]
  store double %x, ptr %state
  br label %steps
steps:
  %t = phi i64 [ 0, %entry ], [ %t.next, %copy ]
  br label %loop
loop:
  %i = phi i64 [ 0, %steps ], [ %next, %loop ]
  %from = getelementptr double, ptr %state, i64 %i
  %v = load double, ptr %from
  %y = call double @llvm.sin.f64(double %v)
  %to = getelementptr double, ptr %after, i64 %i
  store double %y, ptr %to
  %next = add nuw nsw i64 %i, 1
  %more = icmp ne i64 %next, 10
  br i1 %more, label %loop, label %copy
copy:
  COPY
  %t.next = add nuw nsw i64 %t, 1
  %t.more = icmp ne i64 %t.next, %n
  br i1 %t.more, label %steps, label %done
done:
  %r = load double, ptr %state
  ret double %r
}
"""
WHOLE = "call void @llvm.memcpy.p0.p0.i64(ptr %state, ptr %after, i64 80, i1 false)"


def steps(copy: str) -> Storage:
    return Storage(STEPS.replace("COPY", copy))


def test_a_copy_of_all_that_was_stored() -> None:
    f = steps(WHOLE)
    store, copy = f.all("store")[1], f.all("call")[1]
    assert f.log.refill(store) is copy
    assert f.log.copied_from(copy) is f.value("after")


def test_the_value_is_read_again_after_the_refill() -> None:
    f = steps(WHOLE)
    assert f.inputs("y") == ["to", "refill of call"]


def test_a_refill_needs_the_target_of_the_copy_as_it_was() -> None:
    """The next steps overwrite the state: their copies are undone, so that the state can be copied back."""
    f = steps(WHOLE)
    given = f.recipes.inputs(Need(NeedKind.REFILL, f.all("call")[1]))
    assert given is not None and {need.kind for need in given} == {NeedKind.PRIMAL, NeedKind.LOG}


def test_a_copy_of_a_part_is_no_refill() -> None:
    f = steps(WHOLE.replace("80", "72"))
    assert f.log.refill(f.all("store")[1]) is None


def test_a_write_before_the_copy_spoils_it() -> None:
    f = steps(f"store double 0.0, ptr %after\n  {WHOLE}")
    assert f.log.refill(f.all("store")[1]) is None


def test_no_copy_no_refill() -> None:
    f = steps("store double 0.0, ptr %state")
    assert f.log.refill(f.all("store")[1]) is None
