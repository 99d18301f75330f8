"""Functions that are refused because they write the bits of a number as digits, from which a number is read."""

from __future__ import annotations

from .refused import ACTIVE, Refused

_STORE_DIGIT = """\
  %index = urem i64 %bits, 10
  %place = getelementptr i8, ptr @digits, i64 %index
  %digit = load i8, ptr %place
  store i8 %digit, ptr %text
"""
_DIGITS = '@digits = constant [10 x i8] c"0123456789"\n'

DIGITS = [
    Refused(
        "writes_digit",
        """
declare i64 @strtol(ptr, ptr, i32)
define double @f(double %x) {
  %text = alloca [4 x i8]
  %bits = bitcast double %x to i64
"""
        + _STORE_DIGIT
        + """\
  %n = call i64 @strtol(ptr %text, ptr null, i32 10)
  %y = bitcast i64 %n to double
  ret double %y
}
"""
        + _DIGITS,
        "out",
        ACTIVE,
    ),
    Refused(
        "passes_digits",
        """
declare i64 @strtol(ptr, ptr, i32)
define void @g(i64 %bits, ptr %text) {
"""
        + _STORE_DIGIT
        + """\
  ret void
}
define double @f(double %x) {
  %text = alloca [4 x i8]
  %bits = bitcast double %x to i64
  call void @g(i64 %bits, ptr %text)
  %n = call i64 @strtol(ptr %text, ptr null, i32 10)
  %y = bitcast i64 %n to double
  ret double %y
}
"""
        + _DIGITS,
        "out",
        ACTIVE,
    ),
]
