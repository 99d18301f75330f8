"""The index of writes finds those that may overlap, and those that can run after an instruction."""

from __future__ import annotations

import pytest

from enzyme_cc.analysis.memory.effects import Access
from enzyme_cc.analysis.memory.writes import Bucket, Group, Written, reached_after
from enzyme_cc.ir.cfg import ControlFlow
from enzyme_cc.ir.module import Module
from enzyme_cc.ir.values import Instruction

TEXT = """
define void @f(ptr %p, i1 %c) {
entry:
  store i32 0, ptr %p
  store i32 1, ptr %p
  br label %loop
loop:
  store i32 2, ptr %p
  br i1 %c, label %loop, label %done
done:
  ret void
}
"""


def flow() -> ControlFlow:
    return ControlFlow(Module.parse(TEXT).body("@f"))


def test_a_loop_can_run_after_itself_and_its_entry_cannot() -> None:
    assert reached_after(flow()) == [0b110, 0b110, 0]


def stores() -> list[Instruction]:
    return [i for i in flow().function.instructions() if i.opcode == "store"]


def test_a_write_comes_after_by_its_position_or_by_its_block() -> None:
    first, second, third = stores()
    group = Group()
    for write in (Written(first, 0, 0), Written(second, 0, 1), Written(third, 1, 0)):
        group.add(write)
    assert group.after(0, 0, 0) is second
    assert group.after(0, 1, 0) is None
    assert group.after(0, 1, 0b10) is third
    assert list(group.all_after(0, 0, 0b10)) == [second, third]


def test_joined_groups_count() -> None:
    first, second, _ = stores()
    group, other = Group(), Group()
    group.add(Written(first, 0, 0))
    other.add(Written(second, 0, 1))
    assert group.after(0, 0, 0) is None
    group.join(other)
    assert group.after(0, 0, 0) is second


@pytest.mark.parametrize("offset, meets", [(0, True), (4, True), (8, False), (-8, False), (None, True)])
def test_ranges_that_overlap_are_found(offset: int | None, meets: bool) -> None:
    bucket, key = Bucket(), (Access(), None)
    bucket.add(0, 8, key, Written(stores()[0], 0, 0))
    assert bool(list(bucket.at(offset, 8))) is meets


def test_a_wide_write_is_found_from_its_begin_to_its_end() -> None:
    bucket, key = Bucket(), (Access(), None)
    bucket.add(0, 64, key, Written(stores()[0], 0, 0))
    assert [bool(list(bucket.at(at, 8))) for at in (-8, 0, 56, 64)] == [False, True, True, False]


def test_a_write_at_an_unknown_place_meets_all() -> None:
    bucket = Bucket()
    bucket.add(None, 8, (Access(), None), Written(stores()[0], 0, 0))
    assert list(bucket.at(800, 8))
