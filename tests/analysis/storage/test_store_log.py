"""Which writes can be undone, so that the reverse sweep sees overwritten memory again."""

from __future__ import annotations

import pytest

from .loops import Storage, loop

SQUARES = [
    "%at = getelementptr double, ptr %p, i64 %i",
    "%v = load double, ptr %at",
    "%new = fmul double %v, %v",
    "store double %new, ptr %at",
]
#: the store goes to one of two places, so that no formula says which elements the loop writes
ANYWHERE = [
    "%v = load double, ptr %p",
    "%new = fmul double %v, %v",
    "%parity = and i64 %i, 1",
    "%to = getelementptr double, ptr %p, i64 %parity",
    "store double %new, ptr %to",
]


def test_a_load_is_seen_again_when_the_store_is_undone() -> None:
    f = Storage(loop(*SQUARES))
    assert f.log.writes_over(f.instruction("v")) == (f.all("store")[0],)


def test_undoing_a_store_to_the_callers_memory_asks_for_the_bounds_of_its_region() -> None:
    """The final state is copied before the reverse sweep enters the loop, and put back after it."""
    f = Storage(loop(*SQUARES))
    needed = f.log.needed_to_undo(f.all("store")[0])
    assert [(value, [p.block.name for p in points]) for value, points in needed] == [
        (f.value("at"), ["loop"]),
        (f.value("p"), ["done"]),
        (f.value("n"), ["done"]),
    ]


def test_undoing_a_store_to_a_local_array_asks_for_its_address_only() -> None:
    f = Storage(loop(*(line.replace("%p", "%own") for line in SQUARES)))
    store = f.all("store")[0]
    assert f.log.is_own(store) and [value for value, _ in f.log.needed_to_undo(store)] == [f.value("at")]


def test_the_callers_memory_is_not_undone_if_its_region_is_unknown() -> None:
    f = Storage(loop(*ANYWHERE))
    assert f.log.overwriting(f.instruction("v")) == (f.all("store")[0],)
    assert f.log.writes_over(f.instruction("v")) is None


def test_a_local_array_is_undone_wherever_the_stores_go() -> None:
    f = Storage(loop(*(line.replace("%p", "%own") for line in ANYWHERE)))
    assert f.log.writes_over(f.instruction("v")) == (f.all("store")[0],)


def test_a_caller_may_overwrite_its_memory_before_a_split_reverse_sweep() -> None:
    f = Storage(loop(*SQUARES), split=True)
    assert f.log.overwriting(f.instruction("v")) is None


@pytest.mark.parametrize(
    "store",
    [
        "store volatile double %new, ptr %at",
        "store atomic double %new, ptr %at monotonic, align 8",
    ],
)
def test_volatile_and_atomic_stores_are_not_undone(store: str) -> None:
    f = Storage(loop(*SQUARES[:3], store))
    assert f.log.writes_over(f.instruction("v")) is None


def test_a_store_that_moves_on_does_not_overwrite_what_it_wrote() -> None:
    f = Storage(loop(*SQUARES))
    assert f.log.overwriting(f.all("store")[0]) == ()


def test_a_bulk_copy_asks_for_its_address_and_size() -> None:
    f = Storage(
        loop(
            "%v = load double, ptr %own",
            "%new = fmul double %v, %s",
            "call void @llvm.memcpy.p0.p0.i64(ptr %own, ptr %q, i64 64, i1 false)",
        )
    )
    copy = next(i for i in f.all("call") if f.log.is_bulk(i))
    assert f.log.writes_over(f.instruction("v")) == (copy,)
    assert [str(getattr(value, "name", value)) for value, _ in f.log.needed_to_undo(copy)] == ["own", "64"]
