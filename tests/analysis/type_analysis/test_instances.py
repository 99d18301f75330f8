"""Which calls of a function are analysed apart: those that pass different memory, or get different memory."""

from __future__ import annotations

import pytest

from tests.analysis.support import Analysed

_MAKERS = {
    "allocates": "%p = call ptr @malloc(i64 64)\n ret ptr %p",
    "takes what it is given": "%p = load ptr, ptr @one\n %n = icmp eq ptr %p, null\n br i1 %n, label %new, label %old\n"
    "new:\n %m = call ptr @malloc(i64 64)\n store ptr %m, ptr @one\n br label %old\n"
    "old:\n %r = phi ptr [ %m, %new ], [ %p, %0 ]\n ret ptr %r",
    "fails": "%p = call ptr @malloc(i64 64)\n store ptr %p, ptr @one\n call void @abort()\n unreachable",
}


def _used_twice(maker: str) -> Analysed:
    return Analysed(f"""
@one = internal global ptr null
declare ptr @malloc(i64)
declare void @abort()
define internal ptr @make() {{
 {_MAKERS[maker]}
}}
define void @f(double %x, i64 %i) {{
  %a = call ptr @make()
  store double %x, ptr %a
  %b = call ptr @make()
  %k = mul i64 %i, %i
  store i64 %k, ptr %b
  ret void
}}""")


def test_blocks_of_one_allocator_hold_different_things() -> None:
    a = _used_twice("allocates")
    first, second = a.calls("f", "make")
    assert a.layout(first, 8) == "-: 0+8 double"
    assert a.layout(second, 8) == "-: 0+8 integer"
    assert not a.types.points_to.may_overlap(first, second)


@pytest.mark.parametrize("maker", ["takes what it is given", "fails"])
def test_functions_that_give_all_callers_the_same_are_analysed_once(maker: str) -> None:
    a = _used_twice(maker)
    assert len(a.types._program.instances[a.function("make")]) == 1
    if maker != "fails":
        first, second = a.calls("f", "make")
        assert a.types.points_to.may_overlap(first, second)


def test_pointers_to_the_same_memory_share_what_is_known_of_it() -> None:
    a = _used_twice("takes what it is given")
    first, second = a.calls("f", "make")
    assert a.types.points_to.targets(first) is a.types.points_to.targets(second)
