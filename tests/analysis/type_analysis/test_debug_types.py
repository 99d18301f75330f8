"""Declared types from debug information: what lies behind pointers and in variables."""

from __future__ import annotations

from enzyme_cc.analysis.type_analysis.declared.debug_types import DebugTypes
from enzyme_cc.analysis.type_analysis.kinds import Kind
from enzyme_cc.ir.module import Module

#: struct pair { double x; int n; }, and a pointer to `{type}`
MODULE = """
define void @f(ptr %p) {{
    #dbg_{record}(ptr %p, !1, !DIExpression(), !9)
  ret void
}}
!1 = !DILocalVariable(name: "p", type: !{type})
!2 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !3, size: 64)
!3 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "pair", size: 128, elements: !4)
!4 = !{{!5, !6}}
!5 = !DIDerivedType(tag: DW_TAG_member, name: "x", baseType: !7, size: 64)
!6 = !DIDerivedType(tag: DW_TAG_member, name: "n", baseType: !8, size: 32, offset: 64)
!7 = !DIBasicType(name: "double", size: 64, encoding: DW_ATE_float)
!8 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!9 = !DILocation(line: 1, scope: !3)
!10 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: null, size: 64)
"""
PAIR = [(0, 8, Kind.DOUBLE), (8, 4, Kind.INTEGER)]


def hints(record: str = "value", type_: int = 2) -> list[list[tuple[int, int, Kind]]]:
    module = Module.parse(MODULE.format(record=record, type=type_))
    types = DebugTypes(module.metadata, Kind.X86_FP80)
    return [[tuple(region) for region in hint.regions] for _, hint in types.hints(module.body("@f"))]


def test_a_pointer_to_a_struct_tells_its_members() -> None:
    assert hints() == [PAIR]


def test_a_variable_tells_its_own_members() -> None:
    assert hints("declare", 3) == [PAIR]


def test_a_pointer_to_nothing_known_tells_nothing() -> None:
    assert hints(type_=10) == []


def test_a_pointer_variable_holds_a_pointer() -> None:
    assert hints("declare", 2) == [[(0, 8, Kind.POINTER)]]
