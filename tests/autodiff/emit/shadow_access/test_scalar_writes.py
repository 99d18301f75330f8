"""What a store does to the shadow of what lay there before."""

from __future__ import annotations

from enzyme_cc.autodiff.emit.shadow_access.scalar_writes import ScalarWrite, scalar_write
from tests.autodiff.sweeps import analysed

#: one word of memory, in which %value is stored where %is_number does not hold
TEXT = """
define double @f(double %x, i1 %is_number, ptr %p) {{
entry:
  %word = alloca i64, align 8
  br i1 %is_number, label %number, label %other
number:
  store double %x, ptr %word
  %read = load double, ptr %word
  br label %end
other:
  store {value}, ptr %word
  {use}
  br label %end
end:
  %y = phi double [ %read, %number ], [ {other}, %other ]
  ret double %y
}}
"""


def stored(value: str, use: str = "", other: str = "0.0") -> ScalarWrite:
    analyses = analysed(TEXT.format(value=value, use=use, other=other), "out const dup")
    stores = [i for i in analyses.function.instructions() if i.opcode == "store"]
    return scalar_write(analyses.activity, stores[-1])


def test_a_number_among_numbers_is_plain() -> None:
    assert stored("double %x", "%more = load double, ptr %word", "%more") is ScalarWrite.PLAIN


def test_a_pointer_is_stored_over_numbers() -> None:
    use = "%q = load ptr, ptr %word\n  %more = load double, ptr %q"
    assert stored("ptr %p", use, "%more") is ScalarWrite.OVER_OTHERS


def test_an_integer_that_may_be_null_is_stored_over_numbers() -> None:
    use = "%q = load ptr, ptr %word\n  %more = load double, ptr %q"
    assert stored("i64 0", use, "%more") is ScalarWrite.OVER_OTHERS
