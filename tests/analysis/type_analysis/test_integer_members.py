"""Members of structs that are declared as integers: small copies of them move no parts of numbers."""

from __future__ import annotations

import pytest

from enzyme_cc.analysis.type_analysis.declared.tbaa import Tbaa
from enzyme_cc.ir.module import Module

TYPES = """
!0 = !{!1, !4, i64 8}
!1 = !{!"matrix", !7, i64 0, !4, i64 8, !7, i64 16}
!2 = !{!1, !7, i64 16}
!3 = !{!4, !4, i64 0}
!4 = !{!"int", !5, i64 0}
!5 = !{!"omnipotent char", !6, i64 0}
!6 = !{!"Simple C++ TBAA"}
!7 = !{!"double", !5, i64 0}
!8 = !{!9, !5, i64 0}
!9 = !{!"union", !5, i64 0, !5, i64 0}
"""


@pytest.mark.parametrize(
    ("tag", "expected"),
    [("!0", True), ("!2", False), ("!3", False), ("!8", False)],
    ids=["integer", "number", "plain integer", "union"],
)
def test_integer_member(tag: str, expected: bool) -> None:
    text = f"define void @f(ptr %p) {{\n  %x = load i32, ptr %p, align 4, !tbaa {tag}\n  ret void\n}}\n{TYPES}"
    module = Module.parse(text)
    load = next(iter(module.body("@f").instructions()))
    assert Tbaa(module).is_integer_member(load) is expected
