"""The memory that a store covers in all iterations of its loops, if that is known before they run."""

from __future__ import annotations

from enzyme_cc.analysis.storage.regions import Region, region_of, stride

from .loops import Storage, loop

ROWS = """
define double @f(double %x, ptr %p, ptr %q, i64 %n) {
entry:
  br label %rows
rows:
  %i = phi i64 [ 0, %entry ], [ %i.next, %end ]
  %start = mul nsw i64 %i, LENGTH
  br label %row
row:
  %j = phi i64 [ 0, %rows ], [ %j.next, %row ]
  %k = add nsw i64 %start, %j
  %at = getelementptr double, ptr %p, i64 %k
  store double %x, ptr %at
  %j.next = add nuw nsw i64 %j, 1
  %j.more = icmp ne i64 %j.next, 10
  br i1 %j.more, label %row, label %end
end:
  %i.next = add nuw nsw i64 %i, 1
  %i.more = icmp ne i64 %i.next, %n
  br i1 %i.more, label %rows, label %done
done:
  ret double %x
}
"""


def region(f: Storage) -> Region:
    """Returns the region of the only store."""
    (store,) = f.all("store")
    return region_of(store, f.flow, f.reversal.trip_counts)


def stores(*address: str) -> Storage:
    return Storage(loop("%new = fneg double %s", *address, "store double %new, ptr %at"))


def test_a_row_of_elements() -> None:
    f = stores("%at = getelementptr double, ptr %p, i64 %i")
    found = region(f)
    assert found.loops == tuple(f.flow.loops) and found.leaves() == [f.value("p"), f.value("n")]
    assert stride(found.pointer, f.flow.loops[0]) == found.size == 8


def test_a_row_with_gaps() -> None:
    f = stores("%k = mul nsw i64 %i, 3", "%at = getelementptr double, ptr %p, i64 %k")
    found = region(f)
    assert found.loops == tuple(f.flow.loops) and stride(found.pointer, f.flow.loops[0]) == 24


def test_an_index_that_is_loaded_is_unknown_before_the_loop() -> None:
    f = stores("%k = load i64, ptr %q", "%at = getelementptr double, ptr %p, i64 %k")
    assert region(f).dimensions == ()


def test_a_square_of_the_counter_is_not_linear() -> None:
    f = stores("%k = mul nsw i64 %i, %i", "%at = getelementptr double, ptr %p, i64 %k")
    assert region(f).dimensions == ()


def test_a_narrow_counter_counts_only_if_it_cannot_wrap() -> None:
    narrow, wide = "%k = trunc i64 %i to i32", "%w = sext i32 %k to i64"
    assert region(stores(narrow, wide, "%at = getelementptr double, ptr %p, i64 %w")).dimensions == ()


def test_a_row_of_rows_has_two_dimensions() -> None:
    f = Storage(ROWS.replace("LENGTH", "16"))
    found = region(f)
    assert [around.header.name for around in found.loops] == ["row", "rows"]
    assert found.leaves() == [f.value("p"), f.value("n")]


def test_only_one_dimension_has_gaps() -> None:
    f = Storage(
        ROWS.replace("LENGTH", "160")
        .replace("%start, %j", "%start, %twice")
        .replace("  %k = add", "  %twice = mul nsw i64 %j, 2\n  %k = add")
    )
    assert [around.header.name for around in region(f).loops] == ["row"]
