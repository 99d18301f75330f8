"""What decides integers: places, of which many loads may ask, stand for the indices and choices of their pointers."""

from __future__ import annotations

from enzyme_cc.analysis.integers.digits import (
    PointedPlace,
    decides_store,
    decides_whether,
    depends_on,
    depends_on_or_place,
)
from enzyme_cc.ir.graphs import reachable
from enzyme_cc.ir.module import Module
from enzyme_cc.ir.values import Value

TEXT = """\
define i64 @f(ptr %table, ptr %other, i64 %n, i1 %c) {
entry:
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %latch ]
  %row = phi ptr [ %table, %entry ], [ %moved, %latch ]
  %place = getelementptr i64, ptr %row, i64 %k
  %a = load i64, ptr %place
  %b = load i64, ptr %place
  br i1 %c, label %then, label %latch
then:
  store i64 %b, ptr %place
  br label %latch
latch:
  %moved = getelementptr i8, ptr %row, i64 %a
  %next = add i64 %k, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %end, label %loop
end:
  %outer = load ptr, ptr %place
  %element = getelementptr i64, ptr %outer, i64 %b
  %y = load i64, ptr %element
  ret i64 %y
}
"""


def test_places_lead_to_what_decides_them() -> None:
    function = Module.parse(TEXT).body("@f")
    for i in function.instructions():
        if i.opcode == "load":
            starts: list[Value | PointedPlace] = [i]
            found = {v for v in reachable(starts, depends_on_or_place) if not isinstance(v, PointedPlace)}
            assert found == set(reachable([i], depends_on))


def test_loads_at_one_place_share_it() -> None:
    loads = [i for i in Module.parse(TEXT).body("@f").instructions() if i.opcode == "load"]
    assert depends_on_or_place(loads[0]) == depends_on_or_place(loads[1])


def test_a_place_and_a_branch_decide_a_store() -> None:
    (store,) = (i for i in Module.parse(TEXT).body("@f").instructions() if i.opcode == "store")
    starts: list[Value | PointedPlace] = [PointedPlace(store.operands[1]), *decides_whether(store)]
    found = {v for v in reachable(starts, depends_on_or_place) if not isinstance(v, PointedPlace)}
    assert found == set(reachable([*decides_store(store)], depends_on))
