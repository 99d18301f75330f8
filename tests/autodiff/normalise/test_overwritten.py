"""Library functions that write single numbers write to variables of their own."""

from __future__ import annotations

from enzyme_cc.autodiff.normalise.overwritten import rewrite_of
from enzyme_cc.ir.module import Module

TEXT = """
@format = constant [4 x i8] c"{format}\\00"
declare i32 @sscanf(ptr, ptr, ...)
declare i32 @other(ptr, ptr, ...)
define i32 @f(ptr %text, ptr %p) {{
  %n = call i32 (ptr, ptr, ...) @{callee}(ptr %text, ptr @format, ptr %p)
  ret i32 %n
}}
"""


def is_rewritten(format_: str, callee: str = "sscanf") -> bool:
    module = Module.parse(TEXT.format(format=format_, callee=callee))
    return rewrite_of(module, module.body("@f").entry.instructions[0]) is not None


def test_a_number_that_is_read_from_a_text_is_stored_apart() -> None:
    assert is_rewritten("%lf")


def test_integers_have_no_derivative_to_clear() -> None:
    assert not is_rewritten("%ld")


def test_other_functions_stay() -> None:
    assert not is_rewritten("%lf", "other")
