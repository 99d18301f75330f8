"""What the names and attributes of native functions say about exceptions."""

from __future__ import annotations

import pytest

from enzyme_cc.autodiff.unwinding import abi
from enzyme_cc.ir.constants import GlobalRef
from enzyme_cc.ir.module import Module
from enzyme_cc.ir.values import Instruction

MODULE = """
declare ptr @_ZNSolsEi(ptr, i32)
declare ptr @_ZNSolsEl(ptr, i64) nounwind
declare ptr @_Znwm(i64)
declare void @_ZN4game4stepEv()
declare void @abort()
declare void @leave() noreturn
declare void @__cxa_rethrow() noreturn
declare ptr @__cxa_allocate_exception(i64)
define void @f(i64 %n) {
  %byte = call ptr @__cxa_allocate_exception(i64 1)
  %number = call ptr @__cxa_allocate_exception(i64 8)
  %unknown = call ptr @__cxa_allocate_exception(i64 %n)
  ret void
}
"""


@pytest.mark.parametrize(
    "name, may_throw",
    [("@_ZNSolsEi", True), ("@_ZNSolsEl", False), ("@_Znwm", False), ("@_ZN4game4stepEv", False), ("@abort", False)],
)
def test_functions_of_the_cxx_library_may_throw_unless_they_are_nounwind_or_allocate(
    name: str, may_throw: bool
) -> None:
    assert abi.native_may_throw(Module.parse(MODULE), name) is may_throw


@pytest.mark.parametrize(
    "name, ends", [("@abort", True), ("@leave", True), ("@__cxa_rethrow", False), ("@_ZNSolsEi", False)]
)
def test_a_function_that_throws_again_does_not_end_the_program(name: str, ends: bool) -> None:
    assert abi.ends(Module.parse(MODULE), name) is ends


def thrown(name: str) -> Instruction:
    return next(i for i in Module.parse(MODULE).body("@f").instructions() if i.name == name)


@pytest.mark.parametrize(
    "type_info, object_, holds",
    [
        ("@_ZTId", "number", True),
        ("@_ZTId", "unknown", True),
        ("@_ZTI5error", "byte", False),
        ("@_ZTIi", "number", False),
        ("@_ZTIPKc", "number", False),
        ("@_ZTIPd", "number", True),
    ],
)
def test_an_exception_may_hold_numbers_by_its_type_and_size(type_info: str, object_: str, holds: bool) -> None:
    assert abi.may_hold_numbers(GlobalRef.of(type_info), thrown(object_)) is holds


def test_handlers_of_pointers_receive_the_pointer_itself() -> None:
    assert abi.is_pointer(GlobalRef.of("@_ZTIPd")) == 1
    assert abi.is_pointer(GlobalRef.of("@_ZTId")) == 0


def test_attributes_that_an_early_return_makes_untrue_are_dropped() -> None:
    assert abi.without_untrue("returned noundef nonnull") == "noundef nonnull"
