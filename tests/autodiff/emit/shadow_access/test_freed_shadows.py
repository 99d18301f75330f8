"""Shadows of heap blocks to which globals point: the next request must not take over one that is freed."""

from __future__ import annotations

from enzyme_cc.autodiff.core.signature import Form

from .emitted import lines, runtime_calls

#: @kept only ever holds addresses of blocks of the heap
POOL = """%m = call ptr @malloc(i64 8)
  store ptr %m, ptr @kept!P
  store double %x, ptr %m!D
  %y = load double, ptr %m!D
  call void @free(ptr %m)"""


def calls(body: str) -> list[str]:
    return runtime_calls(lines(body, Form.TANGENT, arguments="dup", asks=False))


def test_a_freed_shadow_is_noted_beside_each_pointer_of_a_pool() -> None:
    assert calls(POOL).count("heap_freed") == 1


def test_a_new_shadow_takes_back_the_note_of_a_freed_one() -> None:
    assert calls(POOL).count("heap_renewed") == 1


def test_without_a_pool_nothing_is_noted() -> None:
    local = POOL.replace("  store ptr %m, ptr @kept!P\n", "")
    assert not [name for name in calls(local) if name.startswith("heap_")]
