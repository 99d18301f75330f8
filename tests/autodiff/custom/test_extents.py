"""Which bytes a routine of a library accesses, as its body tells: the copy of the body notes each access."""

from __future__ import annotations

import pytest

from enzyme_cc.autodiff.custom.extents import extents_function

from ..normalise.rewriting import body
from ..rounds import complete

#: reads n numbers behind %x, and writes one behind %y
ROUTINE = """
declare void @other(ptr)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
define void @__ez_library_sum(ptr %x, ptr %y, i64 %n) {{
entry:
  %own = alloca double
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %at = getelementptr double, ptr %x, i64 %k
  %v = load double, ptr %at
  store double %v, ptr %own
  %next = add i64 %k, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  {end}
  ret void
}}
define void @f() {{
  ret void
}}
"""


def extents(end: str) -> list[str] | None:
    round = complete(ROUTINE.format(end=end))
    name = extents_function(round, "@__ez_library_sum")
    assert extents_function(round, "@__ez_library_sum") == name  # it is made once
    return None if name is None else body(str(round.output), name)


def notes(end: str) -> int | None:
    found = extents(end)
    return None if found is None else sum("@__ez_routine_touches(" in line for line in found)


def test_each_access_behind_an_argument_is_noted_and_none_of_local_memory() -> None:
    assert notes("store double 1.0, ptr %y") == 2


def test_nothing_is_loaded_or_stored() -> None:
    found = extents("store double 1.0, ptr %y")
    assert found is not None
    assert not any(" load " in line or line.startswith("store ") for line in found)


def test_a_fill_is_noted_with_its_size() -> None:
    assert notes("call void @llvm.memset.p0.i64(ptr %y, i8 0, i64 %n, i1 false)") == 2


@pytest.mark.parametrize("end", ["call void @other(ptr %y)", "%p = load ptr, ptr %y\n  store double 1.0, ptr %p"])
def test_an_access_whose_argument_is_not_known_makes_all_unknown(end: str) -> None:
    assert notes(end) is None
