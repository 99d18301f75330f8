"""Functions that are refused, as cases of tests; those of stores and copies."""

from __future__ import annotations

from typing import NamedTuple

from enzyme_cc.analysis.activity.activity import ResultActivity

NONE, ACTIVE, BOTH = ResultActivity.NONE, ResultActivity.ACTIVE, ResultActivity.BOTH


class Refused(NamedTuple):
    """The refusal's predicate, a function that it matches, and the part of the message that is not in the table."""

    predicate: str
    text: str
    arguments: str
    result: ResultActivity = NONE
    filled: str = ""


#: a row for each predicate of unsupported_memory.py that looks at stores
STORES = [
    Refused(
        "stores_part_of_number",
        """
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
define void @f(ptr %x, ptr %y) {
  %p = alloca [2 x i32]
  %d = load double, ptr %x
  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %x, i64 8, i1 false)
  %half = load i32, ptr %p, !tbaa !1
  store i32 %half, ptr %y, !tbaa !1
  ret void
}
!0 = !{!"int", !2}
!1 = !{!0, !0, i64 0}
!2 = !{!"omnipotent char", !3}
!3 = !{!"Simple C/C++ TBAA"}""",
        "dup dup",
    ),
    Refused(
        "stored_without_shadow",
        """
declare ptr @somewhere()
define void @f(double %x) {
  %p = call ptr @somewhere()
  store double %x, ptr %p
  ret void
}""",
        "out",
        filled="somewhere",
    ),
    Refused(
        "stores_pointer_or_number",
        """
define double @f(ptr %p, ptr %q) {
  %number = load double, ptr %p
  %pointers = load <2 x ptr>, ptr %p
  store <2 x ptr> %pointers, ptr %q
  %other = load double, ptr %q
  %sum = fadd double %number, %other
  ret double %sum
}""",
        "dup dup",
        ACTIVE,
    ),
    Refused(
        "stores_vector",
        """
define void @f(ptr %p, ptr %q) {
  %two = load <2 x i64>, ptr %p
  store <2 x i64> %two, ptr %q
  ret void
}""",
        "dup dup",
    ),
    Refused(
        "stores_byte",
        """
define void @f(ptr %p, ptr %q) {
  %byte = load i8, ptr %p
  store i8 %byte, ptr %q
  ret void
}""",
        "dup dup",
    ),
    Refused(
        "stores_computed_bits",
        """
define void @f(double %x, ptr %p) {
  %bits = bitcast double %x to i64
  %changed = xor i64 %bits, 12345
  %moved = shl i64 %changed, 16
  store i64 %moved, ptr %p
  ret void
}""",
        "out dup",
    ),
    Refused(
        "stores_part_elsewhere",
        """
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
define double @f(double %x) {
  %half = alloca [4 x i32]
  %whole = alloca double
  %bits = bitcast double %x to i64
  %high = lshr i64 %bits, 32
  %part = trunc i64 %high to i32
  store i32 %part, ptr %half
  %second = getelementptr i8, ptr %whole, i64 4
  call void @llvm.memcpy.p0.p0.i64(ptr %whole, ptr %second, i64 4, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr %second, ptr %half, i64 4, i1 false)
  %y = load double, ptr %whole
  ret double %y
}""",
        "out",
        ACTIVE,
    ),
    Refused(
        "stores_undecided",
        """
define void @f(ptr %p, ptr %q) {
  %word = load i64, ptr %p
  store i64 %word, ptr %q
  ret void
}""",
        "dup dup",
    ),
]
