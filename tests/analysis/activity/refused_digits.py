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
        filled="g",
    ),
    Refused(
        "assembles_number",
        """
define double @f(double %x) {
entry:
  %bits = bitcast double %x to i64
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %set = phi i64 [ 0, %entry ], [ %more, %loop ]
  %one = shl i64 1, %k
  %here = and i64 %bits, %one
  %is_clear = icmp eq i64 %here, 0
  %bit = select i1 %is_clear, i64 0, i64 %one
  %more = or i64 %set, %bit
  %next = add i64 %k, 1
  %is_last = icmp eq i64 %next, 64
  br i1 %is_last, label %end, label %loop
end:
  %y = bitcast i64 %more to double
  ret double %y
}""",
        "out",
        ACTIVE,
    ),
    Refused(
        "reads_string",
        """
declare ptr @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE4dataEv(ptr)
define double @f(ptr %string) {
  %data = call ptr @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE4dataEv(ptr %string)
  %y = load double, ptr %data
  ret double %y
}""",
        "dup",
        ACTIVE,
        filled="_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE4dataEv",
    ),
]
