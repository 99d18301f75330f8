"""Functions that are stored where pointers to functions of another type are loaded."""

from __future__ import annotations

import pytest

from enzyme_cc.analysis.type_analysis.declared.stored_functions import StoredFunctions, is_callable_as
from enzyme_cc.ir.module import Module
from enzyme_cc.ir.types import DOUBLE, I1, I8, I32, PTR, VOID, FunctionType, Type

_CODE = """
define i32 @wide(ptr %a) {{
  ret i32 1
}}
define i8 @own(ptr %a) {{
  ret i8 1
}}
define void @make(ptr %s) {{
  store ptr @wide, ptr %s, align 8{stored}
  store ptr @own, ptr %s, align 8{stored}
  ret void
}}
define i8 @f(ptr %s, ptr %a) {{
  %p = load ptr, ptr %s, align 8{loaded}
  %r = call i8 %p(ptr %a)
  ret i8 %r
}}
!1 = !{{!2, !3, i64 0}}
!7 = !{{!2, !3, i64 8}}
!2 = !{{!"set", !3, i64 0, !3, i64 8}}
!3 = !{{!"any pointer", !4, i64 0}}
!4 = !{{!"omnipotent char", !5, i64 0}}
!5 = !{{!"Simple C/C++ TBAA"}}
!6 = !{{!3, !3, i64 0}}
"""


@pytest.mark.parametrize(
    ("stored", "loaded", "expected"),
    [
        (", !tbaa !1", ", !tbaa !1", ("@wide",)),
        (", !tbaa !1", ", !tbaa !7", ()),  # another member
        (", !tbaa !6", ", !tbaa !6", ()),  # no member: any array of pointers
        ("", "", ()),
    ],
)
def test_a_member_tells_which_functions_are_stored(stored: str, loaded: str, expected: tuple[str, ...]) -> None:
    text = _CODE.format(stored=stored, loaded=loaded)
    module = Module.parse(text)
    call = next(i for i in module.body("@f").instructions() if i.opcode == "call")
    assert StoredFunctions(text, module).of_other_type(call.callee, call.call.function_type) == expected


@pytest.mark.parametrize(
    ("function", "call", "fits"),
    [
        ((I32, PTR), (I8, PTR), True),
        ((I32, PTR), (I1, PTR), True),
        ((I8, PTR), (I32, PTR), False),
        ((DOUBLE, PTR), (VOID, PTR), True),
        ((VOID, PTR), (DOUBLE, PTR), False),
        ((DOUBLE, PTR), (DOUBLE, PTR, I32), True),
        ((DOUBLE, PTR, I32), (DOUBLE, PTR), False),
        ((DOUBLE, DOUBLE), (DOUBLE, PTR), False),
    ],
)
def test_what_machine_code_calls_as_it_is(function: tuple[Type, ...], call: tuple[Type, ...], fits: bool) -> None:
    assert is_callable_as(FunctionType(function[0], function[1:]), FunctionType(call[0], call[1:])) is fits
