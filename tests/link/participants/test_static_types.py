"""Static types of objects as the access types of loads tell them, and the classes that derive from them."""

from __future__ import annotations

import pytest

from enzyme_cc.link.inputs.module_text import ModuleText
from enzyme_cc.link.participants.pointers.static_types import ClassHierarchy, StaticTypes

METADATA = """
!0 = !{!1, !1, i64 0}
!1 = !{!"p1 _ZTS5shape", !2, i64 0}
!2 = !{!"any pointer", !3, i64 0}
!3 = !{!"omnipotent char"}
!4 = !{!5, !1, i64 8}
!5 = !{!"_ZTS6holder", !2, i64 0, !1, i64 8}
!6 = !{!2, !2, i64 0}
!7 = !{!8, !8, i64 0}
!8 = !{!"vtable pointer", !3, i64 0}
"""
HOLDER = """
define linkonce_odr ptr @held(ptr %0) {
  %2 = getelementptr inbounds %struct.holder, ptr %0, i32 0, i32 1
  %3 = load ptr, ptr %2, align 8, !tbaa !4
  ret ptr %3
}
"""


@pytest.mark.parametrize(
    "code",
    [
        "  %o = load ptr, ptr %p, align 8, !tbaa !0",
        "  %o = load ptr, ptr %p, align 8, !tbaa !4",
        "  store ptr %0, ptr %p, align 8, !tbaa !0\n  %o = load ptr, ptr %p, align 8",
        "  %1 = load ptr, ptr %p, align 8, !tbaa !0\n  %o = getelementptr inbounds i8, ptr %1, i64 8",
        "  %1 = load ptr, ptr %p, align 8, !tbaa !0\n  %o = phi ptr [ %1, %3 ], [ null, %4 ]",
        "  %o = call noundef ptr @held(ptr noundef %0) #7",
        "  %o = invoke noundef ptr @held(ptr noundef %0)\n          to label %1 unwind label %2",
        "  %o = call ptr @__dynamic_cast(ptr %1, ptr @_ZTI4base, ptr @_ZTI5shape, i64 0)",
    ],
)
def test_a_static_type_is_found(code: str) -> None:
    text = f"define void @f(ptr %0) {{\n{code}\n}}\n"
    assert StaticTypes(ModuleText(HOLDER + text + METADATA)).of(text, "%o") == "5shape"


@pytest.mark.parametrize("code", ["  %o = load ptr, ptr %p, align 8, !tbaa !6", "  %o = call ptr @unknown()", ""])
def test_what_nothing_tells_has_no_static_type(code: str) -> None:
    text = f"define void @f(ptr %0) {{\n{code}\n}}\n"
    assert StaticTypes(ModuleText(text + METADATA)).of(text, "%o") is None


def test_a_function_that_returns_its_own_result_has_no_static_type() -> None:
    text = "define ptr @f(ptr %0) {\n  %o = call ptr @f(ptr %0)\n  ret ptr %o\n}\n"
    assert StaticTypes(ModuleText(text)).of(text, "%o") is None


def test_a_table_is_a_vtable_by_its_access_type() -> None:
    text = "define void @f(ptr %o) {\n  %t = load ptr, ptr %o, align 8, !tbaa !7\n}\n"
    types = StaticTypes(ModuleText(text + METADATA))
    assert types.is_vtable(text, "%t") and not types.is_vtable(text, "%o")


def description(name: str, *bases: str) -> str:
    rows = [f"ptr @_ZTI{base}" for base in bases]
    return f"@_ZTI{name} = constant [{len(rows)} x ptr] [{', '.join(rows)}]\n"


def test_classes_derive_through_units() -> None:
    first = description("1A") + description("1B", "1A") + description("1X")
    second = "@_ZTI1B = external constant ptr\n" + description("1C", "1X", "1B")
    assert ClassHierarchy(map(ModuleText, (first, second))).derived("1A") == {"1A", "1B", "1C"}


def test_a_class_with_an_unknown_base_may_derive_from_any() -> None:
    unknown = "@_ZTI1U = external constant ptr\n@_ZTISt9exception = external constant ptr\n"
    text = description("1A") + unknown + description("1B", "1U") + description("1E", "St9exception")
    assert ClassHierarchy([ModuleText(text)]).derived("1A") == {"1A", "1B", "1U"}
