"""What an instruction writes, and which pointers a call keeps."""

from __future__ import annotations

import pytest

from enzyme_cc.analysis.memory.effects import ANY, Any, Effects
from enzyme_cc.ir.values import Function
from tests.ir.llvm_check import parsed

TEXT = """
@kept = global ptr null
@counter = global i64 0
declare ptr @memcpy(ptr, ptr, i64)
declare double @sin(double)
declare double @frexp(double, ptr)
declare double @reads(ptr) memory(read)
declare void @unknown(ptr)
declare void @free(ptr)

define void @sets(ptr %a, ptr %b) {
  %at = getelementptr i8, ptr %b, i64 16
  store double 1.0, ptr %at
  ret void
}
define void @sets_own() {
  %own = alloca double
  store double 1.0, ptr %own
  ret void
}
define void @keeps_first(ptr %a, ptr %b) {
  store ptr %a, ptr @kept
  ret void
}
define void @sets_itself(ptr %a, ptr %b) {
  call void @sets_itself(ptr %b, ptr %a)
  store double 1.0, ptr %a
  ret void
}
define void @f(ptr %p, ptr %q, double %x) {
  CALL
  ret void
}
"""


def calling(call: str) -> tuple[Effects, Function]:
    module = parsed(TEXT.replace("CALL", call))
    return Effects(module), module.body("@f")


@pytest.mark.parametrize(
    ("call", "written"),
    [
        ("store double %x, ptr %p", ["p 8"]),
        ("%old = atomicrmw fadd ptr %p, double %x seq_cst", ["p 8"]),
        ("%v = load double, ptr %p", []),
        ("%r = call ptr @memcpy(ptr %p, ptr %q, i64 24)", ["p 24"]),
        ("%r = call double @sin(double %x)", []),
        ("%r = call double @reads(ptr %p)", []),
        ("call void @free(ptr %p)", []),
        ("call void @sets_own()", []),
        ("call void @sets(ptr %p, ptr %q)", ["q 24"]),
        ("call void @sets_itself(ptr %p, ptr %q)", ["p None", "q None", "p 8"]),
    ],
)
def test_what_is_written(call: str, written: list[str]) -> None:
    """A pointer and a number of bytes from there; a callee's writes are given by the caller's arguments."""
    effects, f = calling(call)
    found = effects.of(f.entry.instructions[0])
    assert not isinstance(found, Any)
    assert sorted(f"{getattr(w.pointer, 'name', '')} {w.size}" for w in found) == sorted(written)


def test_a_function_without_a_body_may_write_anything() -> None:
    effects, f = calling("call void @unknown(ptr %p)")
    assert effects.of(f.entry.instructions[0]) is ANY


def test_which_arguments_a_call_keeps() -> None:
    effects, f = calling("call void @keeps_first(ptr %p, ptr %q)")
    assert [effects.keeps(f.entry.instructions[0], k) for k in (0, 1)] == [True, False]


#: a region with a barrier; `OTHER` may make another region around it
REGION = """
declare i64 @__ez_team_barrier(ptr)
define void @inside(ptr %thread, ptr %place, ptr %read, ptr %written) {
  %own = alloca double
  %v = load double, ptr %read
  %at = getelementptr double, ptr %written, i64 3
  store double %v, ptr %at
  store double %v, ptr %own
  call void @__ez_team_barrier(ptr %place)
  OTHER
  ret void
}
define void @f(ptr %p, ptr %q) {
  call void @inside(ptr null, ptr null, ptr %p, ptr %q) "ez-region"
  ret void
}
define void @around(ptr %thread, ptr %place, ptr %p, ptr %q) {
  call void @inside(ptr null, ptr null, ptr %p, ptr %q) "ez-region"
  ret void
}
define void @g(ptr %p, ptr %q) {
  call void @AROUND(ptr null, ptr null, ptr %p, ptr %q) "ez-region"
  ret void
}
"""


@pytest.mark.parametrize(
    ("other", "around", "written"),
    [
        ("", "inside", [("<getelementptr ptr %at>", None)]),
        ("", "around", None),
        ("call void @unknown(ptr %written)", "inside", None),
    ],
    ids=["the region's own", "a region in a region", "unknown"],
)
def test_threads_write_at_a_barrier_what_their_region_writes(
    other: str, around: str, written: list[tuple[str, None]] | None
) -> None:
    module = parsed("declare void @unknown(ptr)\n" + REGION.replace("OTHER", other).replace("AROUND", around))
    for name in list(module.functions):
        if not module.functions[name].is_declaration:
            module.body(name)
    effects = Effects(module)
    (barrier,) = (i for i in module.body("@inside").instructions() if "barrier" in i.callee_name)
    found = effects.of(barrier)
    assert (None if isinstance(found, Any) else [(str(w.pointer), w.size) for w in found]) == written
