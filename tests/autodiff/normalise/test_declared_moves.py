"""Integers that are moved as what the program's types call them."""

from __future__ import annotations

import pytest

from enzyme_cc.analysis.type_analysis.declared.tbaa import Tbaa
from enzyme_cc.autodiff.normalise.declared_moves import load_packed_as_declared, move_as_declared
from enzyme_cc.ir.module import Module
from enzyme_cc.ir.text.printer import print_instruction

TYPES = """
!0 = !{!1, !1, i64 0}
!1 = !{!"double", !4, i64 0}
!2 = !{!3, !3, i64 0}
!3 = !{!"any pointer", !4, i64 0}
!4 = !{!"omnipotent char", !5, i64 0}
!5 = !{!"Simple C++ TBAA"}
!6 = !{!4, !4, i64 0}
!7 = !{!8, !8, i64 0}
!8 = !{!"float", !4, i64 0}
!9 = !{!10, !10, i64 0}
!10 = !{!"int", !4, i64 0}
"""


def moved(body: str) -> list[str]:
    module = Module.parse("define void @f(ptr %p, ptr %q, ptr %r) {\n" + body + "  ret void\n}\n" + TYPES)
    function = module.body("@f")
    move_as_declared(Tbaa(module), function)
    return [print_instruction(i) for i in function.instructions()][:-1]


@pytest.mark.parametrize("load, store, type_", [
    (", !tbaa !0", ", !tbaa !0", "double"),
    (", !tbaa !0", "", "double"),
    ("", ", !tbaa !0", "double"),
    (", !tbaa !2", ", !tbaa !2", "ptr"),
    (", !tbaa !2", ", !tbaa !0", "i64"),
    (", !tbaa !6", ", !tbaa !6", "i64"),
    ("", "", "i64"),
])  # fmt: skip
def test_type_of_what_is_moved(load: str, store: str, type_: str) -> None:
    found = moved(f"  %x = load i64, ptr %p, align 8{load}\n  store i64 %x, ptr %q, align 8{store}\n")
    assert [f"load {type_}," in found[0], f"store {type_} " in found[1]] == [True, True]


def test_what_else_is_used_stays_an_integer() -> None:
    found = moved("""
  %x = load i64, ptr %p, !tbaa !0
  store i64 %x, ptr %q, !tbaa !0
  %y = and i64 %x, 1
  store i64 %y, ptr %r
""")
    assert "load i64" in found[0]


def test_size_of_what_is_moved() -> None:
    assert "load i32" in moved("  %x = load i32, ptr %p, !tbaa !0\n  store i32 %x, ptr %q, !tbaa !0\n")[0]


@pytest.mark.parametrize("tag, type_", [("!tbaa !7", "float"), ("!tbaa !9", "i32")])
def test_floats_that_are_packed(tag: str, type_: str) -> None:
    module = Module.parse(f"""define i64 @f(ptr %p) {{
  %x = load i32, ptr %p, align 4, {tag}
  %low = zext i32 %x to i64
  %high = shl i64 %low, 32
  %both = or disjoint i64 %high, %low
  ret i64 %both
}}
{TYPES}""")
    function = module.body("@f")
    load_packed_as_declared(Tbaa(module), function)
    found = [print_instruction(i) for i in function.instructions()]
    assert f"load {type_}," in found[0]
    assert ("bitcast float" in found[1]) == (type_ == "float")
