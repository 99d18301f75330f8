"""What declarations tell of array descriptors, as stand-ins ask for it."""

from __future__ import annotations

import re

from enzyme_cc.autodiff.optimise.descriptors import with_expected

BOX = "{ ptr, i64, i32, i8, i8, i8, i8, [2 x [3 x i64]] }"
SCALAR = "{ ptr, i64, i32, i8, i8, i8, i8, ptr, [1 x i64] }"
ASKS = """
declare i32 @__ez_expected_rank(ptr)
declare i32 @__ez_expected_surely(ptr)
declare void @use(i32, i32)
"""
ASK = """
  %rank = call i32 @__ez_expected_rank(ptr %p)
  %sure = call i32 @__ez_expected_surely(ptr %p)
  call void @use(i32 %rank, i32 %sure)
  ret void
}
"""


def answer(body: str, rest: str = "") -> tuple[int, int]:
    text = with_expected(f"%T = type {{ double, {SCALAR}, {BOX} }}\n{rest}{ASKS}define void @f({body}{ASK}")
    found = re.search(r"call void @use\(i32 (-?\d+), i32 (\d+)\)", text)
    assert found is not None
    return int(found[1]), int(found[2])


def test_variable() -> None:
    assert answer(f"){{\n  %p = alloca {BOX}") == (2, 1)


def test_component_of_variable() -> None:
    assert answer(") {\n  %v = alloca %T\n  %p = getelementptr i8, ptr %v, i64 8") == (0, 1)


def test_component_by_declared_type() -> None:
    assert answer("ptr %v) {\n  %p = getelementptr %T, ptr %v, i32 0, i32 2") == (2, 1)


def test_argument_that_is_copied_to_a_variable() -> None:
    copy = f"%c = alloca {SCALAR}\n  call void @llvm.memcpy.p0.p0.i32(ptr %c, ptr %p, i32 40, i1 false)"
    assert answer(f"ptr %p) {{\n  {copy}", "declare void @llvm.memcpy.p0.p0.i32(ptr, ptr, i32, i1)\n") == (0, 0)


def test_argument_is_what_calls_pass() -> None:
    caller = f"define void @g() {{\n  %v = alloca {BOX}\n  call void @f(ptr %v)\n  ret void\n}}\n"
    assert answer("ptr %p) {", caller) == (2, 0)


def test_either_of_two_with_different_ranks() -> None:
    both = f"i1 %c) {{\n  %a = alloca {BOX}\n  %b = alloca {SCALAR}\n  %p = select i1 %c, ptr %a, ptr %b"
    assert answer(both) == (-1, 0)


def test_anything() -> None:
    assert answer("ptr %p) {") == (-1, 0)


def caller(box: str, callee: str = "@f", name: str = "g") -> str:
    return f"define void @{name}(ptr %x) {{\n  %v = alloca {box}\n  call void {callee}(ptr %v)\n  ret void\n}}\n"


def test_a_procedure_without_direct_calls_gets_what_calls_through_pointers_pass() -> None:
    assert answer("ptr %p) {", caller(SCALAR, "%x")) == (0, 0)
    assert answer("ptr %p) {", caller(BOX, "%x") + caller(SCALAR, name="h")) == (0, 0)  # a direct call counts alone


def test_calls_that_are_not_known_leave_the_expectation_of_derived_types() -> None:
    """A procedure that nobody calls may pass on its own argument. Numbers need no expectation."""
    unknown = "define void @h(ptr %x) {\n  call void @f(ptr %x)\n  ret void\n}\n"
    assert answer("ptr %p) {", caller(SCALAR) + unknown) == (0, 0)
    assert answer("ptr %p) {", caller(BOX) + unknown) == (-1, 0)
    assert answer("ptr %p) {", caller(SCALAR) + caller(BOX, name="k") + unknown) == (-1, 0)


def test_procedures_that_pass_their_arguments_to_each_other() -> None:
    calls = "define void @h(ptr %x) {\n  call void @f(ptr %x)\n  call void @k(ptr %x)\n  ret void\n}\n"
    calls += "define void @k(ptr %x) {\n  call void @h(ptr %x)\n  call void @f(ptr %x)\n  ret void\n}\n"
    assert answer("ptr %p) {", caller(SCALAR) + calls) == (0, 0)
    assert answer("ptr %p) {", calls) == (-1, 0)
