"""What is refused because it would lose a derivative: for each row of the table, the smallest function it matches."""

from __future__ import annotations

import inspect
from types import ModuleType

import pytest

from enzyme_cc.analysis.activity import unsupported_digits, unsupported_memory, unsupported_uses
from enzyme_cc.analysis.activity.unsupported import REFUSALS, find_unsupported

from .inputs import Input
from .refused import ACTIVE, BOTH, STORES, Refused
from .refused_digits import DIGITS

CASES = [
    *STORES,
    *DIGITS,
    Refused(
        "uses_array_of_integers",
        """
target triple = "aarch64-unknown-linux-gnu"
define double @f(double %x, ptr %p) {
  %pair = load [2 x i64], ptr %p
  %y = fmul double %x, %x
  ret double %y
}""",
        "out dup",
        ACTIVE,
    ),
    Refused(
        "uses_long_double",
        """
target triple = "aarch64-unknown-linux-gnu"
define double @f(double %x) {
  %long = fpext double %x to fp128
  %square = fmul fp128 %long, %long
  %y = fptrunc fp128 %square to double
  ret double %y
}""",
        "out",
        ACTIVE,
    ),
    Refused(
        "changes_context",
        """
declare i32 @getcontext(ptr)
define void @f(ptr %environment) {
  %n = call i32 @getcontext(ptr %environment)
  ret void
}""",
        "const",
    ),
    Refused(
        "writes_text",
        """
declare i32 @sprintf(ptr, ptr, ...)
declare double @atof(ptr)
define double @f(double %x, ptr %format) {
  %text = alloca [32 x i8]
  %n = call i32 (ptr, ptr, ...) @sprintf(ptr %text, ptr %format, double %x)
  %y = call double @atof(ptr %text)
  ret double %y
}""",
        "out const",
        ACTIVE,
    ),
    Refused(
        "writes_numbers",
        """
declare i64 @fread(ptr, i64, i64, ptr)
define double @f(ptr %p, ptr %file) {
  %n = call i64 @fread(ptr %p, i64 8, i64 1, ptr %file)
  %x = load double, ptr %p
  ret double %x
}""",
        "dup const",
        ACTIVE,
        filled="fread",
    ),
    Refused(
        "writes_stream",
        """
declare ptr @_ZNSo5writeEPKcl(ptr, ptr, i64)
declare i64 @fread(ptr, i64, i64, ptr)
define double @f(ptr %p, ptr %stream, ptr %q, ptr %file) {
  %s = call ptr @_ZNSo5writeEPKcl(ptr %stream, ptr %p, i64 8)
  %n = call i64 @fread(ptr %q, i64 8, i64 1, ptr %file)
  %x = load double, ptr %p
  ret double %x
}""",
        "dup const const const",
        ACTIVE,
    ),
    Refused(
        "moves_bytes",
        """
declare i64 @strxfrm(ptr, ptr, i64)
define double @f(ptr %p, ptr %q) {
  %n = call i64 @strxfrm(ptr %q, ptr %p, i64 8)
  %x = load double, ptr %p
  ret double %x
}""",
        "dup const",
        ACTIVE,
        filled="strxfrm",
    ),
    Refused(
        "moves_character",
        """
declare void @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE9push_backEc(ptr, i8)
define double @f(ptr %p, ptr %string) {
  %c = load i8, ptr %p
  call void @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE9push_backEc(ptr %string, i8 %c)
  %x = load double, ptr %p
  ret double %x
}""",
        "dup const",
        ACTIVE,
        filled="_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE9push_backEc",
    ),
    Refused(
        "fills_with_byte",
        """
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
define double @f(ptr %p, ptr %q) {
  %c = load i8, ptr %p
  call void @llvm.memset.p0.i64(ptr %q, i8 %c, i64 1, i1 false)
  %x = load double, ptr %p
  ret double %x
}""",
        "dup dup",
        ACTIVE,
    ),
    Refused(
        "stores_widened_byte",
        """
define double @f(ptr %p, ptr %q) {
  %c = load i8, ptr %p
  %wide = zext i8 %c to i32
  store i32 %wide, ptr %q
  %x = load double, ptr %p
  ret double %x
}""",
        "dup const",
        ACTIVE,
    ),
    Refused(
        "stores_digit",
        """
declare i64 @strtol(ptr, ptr, i32)
define double @f(double %x) {
  %text = alloca [4 x i8]
  %bits = bitcast double %x to i64
  %rest = urem i64 %bits, 10
  %digit = trunc i64 %rest to i8
  store i8 %digit, ptr %text
  %n = call i64 @strtol(ptr %text, ptr null, i32 10)
  %y = sitofp i64 %n to double
  ret double %y
}""",
        "out",
        ACTIVE,
    ),
    Refused(
        "computes_atomically",
        """
define double @f(ptr %p, ptr %q) {
  %x = load double, ptr %p
  %word = load i64, ptr %p
  %old = atomicrmw or ptr %q, i64 %word seq_cst
  ret double %x
}""",
        "dup dup",
        ACTIVE,
    ),
    Refused(
        "copied_without_shadow",
        """
declare ptr @getenv(ptr)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
define double @f(ptr %p, ptr %name) {
  %memory = call ptr @getenv(ptr %name)
  call void @llvm.memcpy.p0.p0.i64(ptr %memory, ptr %p, i64 8, i1 false)
  %x = load double, ptr %p
  ret double %x
}""",
        "dup const",
        ACTIVE,
        filled="getenv",
    ),
    Refused(
        "passes_bits",
        """
define void @g(i64 %bits, ptr %p) {
  store i64 %bits, ptr %p
  ret void
}
define void @f(double %x, ptr %p) {
  %bits = bitcast double %x to i64
  %moved = lshr i64 %bits, 16
  call void @g(i64 %moved, ptr %p)
  ret void
}""",
        "out dup",
    ),
    Refused(
        "passes_union",
        """
define void @g(i64 %word, ptr %p) {
  store i64 %word, ptr %p
  ret void
}
define double @f(ptr %p, ptr %q) {
  %x = load double, ptr %p
  %n = load i64, ptr %p
  %m = mul i64 %n, 3
  store i64 %m, ptr %p
  call void @g(i64 %n, ptr %q)
  ret double %x
}""",
        "dup dup",
        ACTIVE,
    ),
    Refused(
        "passes_vector",
        """
define void @g(<2 x i64> %two) {
  ret void
}
define void @f(ptr %p) {
  %two = load <2 x i64>, ptr %p
  call void @g(<2 x i64> %two)
  ret void
}""",
        "dup",
    ),
    Refused(
        "callee_makes_number",
        """
define i64 @g(i64 %bits) {
  %rounded = and i64 %bits, -65536
  ret i64 %rounded
}
define void @f(ptr %place, double %x) {
  %bits = bitcast double %x to i64
  %rounded = call i64 @g(i64 %bits)
  store i64 %rounded, ptr %place
  ret void
}
define double @reads(ptr %place, double %x) {
  call void @f(ptr %place, double %x)
  %y = load double, ptr %place
  ret double %y
}""",
        "dup out",
    ),
    Refused(
        "callee_uses_otherwise",
        """
define double @g(i64 %word, i1 %number) {
  %union = alloca i64
  store i64 %word, ptr %union
  br i1 %number, label %yes, label %no
yes:
  %x = load double, ptr %union
  ret double %x
no:
  %m = load i64, ptr %union
  %n = mul i64 %m, 3
  %y = sitofp i64 %n to double
  ret double %y
}
define double @other(i64 %n) {
  %y = call double @g(i64 %n, i1 false)
  ret double %y
}
define double @f(double %x) {
  %bits = bitcast double %x to i64
  %y = call double @g(i64 %bits, i1 true)
  ret double %y
}""",
        "out",
        ACTIVE,
    ),
    Refused(
        "custom_result_is_both",
        """
define { double, ptr } @registered(ptr %p) {
  %x = load double, ptr %p
  %a = insertvalue { double, ptr } undef, double %x, 0
  %b = insertvalue { double, ptr } %a, ptr %p, 1
  ret { double, ptr } %b
}
define { double, ptr } @f(ptr %p) {
  %both = call { double, ptr } @registered(ptr %p)
  ret { double, ptr } %both
}""",
        "dup",
        BOTH,
    ),
    Refused(
        "exchanges_number",
        """
define double @f(ptr %p, i64 %new) {
  %x = load double, ptr %p
  %pair = cmpxchg ptr %p, i64 0, i64 %new seq_cst seq_cst
  ret double %x
}""",
        "dup const",
        ACTIVE,
    ),
    Refused(
        "takes_number_from_vector",
        """
define double @f(ptr %p) {
  %two = load <2 x i64>, ptr %p
  %one = extractelement <2 x i64> %two, i64 0
  %x = bitcast i64 %one to double
  ret double %x
}""",
        "dup",
        ACTIVE,
    ),
    Refused(
        "makes_pointer_of_number",
        """
define ptr @f(double %x) {
  %bits = bitcast double %x to i64
  %pointer = inttoptr i64 %bits to ptr
  ret ptr %pointer
}""",
        "out",
    ),
    Refused(
        "pointer_origin",
        """
define double @f(ptr %p, ptr %q) {
  %a = ptrtoint ptr %p to i64
  %b = load i64, ptr %q
  %c = xor i64 %a, %b
  %r = inttoptr i64 %c to ptr
  %x = load double, ptr %r
  ret double %x
}""",
        "dup dup",
        ACTIVE,
        filled="two, by exclusive or",
    ),
    Refused(
        "pointer_origin",
        """
define double @f(ptr %p, ptr %q) {
  %a = ptrtoint ptr %p to i64
  %b = ptrtoint ptr %q to i64
  %between = sub i64 %b, %a
  store i64 %between, ptr %q
  %distance = load i64, ptr %q
  %c = add i64 %a, %distance
  %r = inttoptr i64 %c to ptr
  %x = load double, ptr %r
  ret double %x
}""",
        "dup const",
        ACTIVE,
        filled="another and of a distance in memory, which may be that of two objects (within one, add it to a char "
        "pointer)",
    ),
    Refused(
        "takes_number_from_pointer",
        """
define double @f(ptr %p, ptr %q, i1 %c) {
  %bits = ptrtoint ptr %p to i64
  %low = trunc i64 %bits to i32
  %number = bitcast i32 %low to float
  %x = fpext float %number to double
  ret double %x
}""",
        "dup dup const",
        ACTIVE,
    ),
    Refused(
        "returns_bits",
        """
define <2 x i32> @f(double %x) {
  %halves = bitcast double %x to <2 x i32>
  ret <2 x i32> %halves
}""",
        "out",
    ),
    Refused(
        "returns_union",
        """
define i64 @f(ptr %p) {
  %x = load double, ptr %p
  %n = load i64, ptr %p
  %m = mul i64 %n, 3
  store i64 %m, ptr %p
  store double %x, ptr %p
  ret i64 %n
}""",
        "dup",
    ),
    Refused(
        "inserts_vector",
        """
define { <2 x i64> } @f(ptr %p) {
  %two = load <2 x i64>, ptr %p
  %s = insertvalue { <2 x i64> } undef, <2 x i64> %two, 0
  ret { <2 x i64> } %s
}""",
        "dup",
    ),
    Refused(
        "inserts_union",
        """
define { i64, i64 } @f(ptr %p) {
  %x = load double, ptr %p
  %n = load i64, ptr %p
  %m = mul i64 %n, 3
  store i64 %m, ptr %p
  store double %x, ptr %p
  %s = insertvalue { i64, i64 } undef, i64 %n, 0
  ret { i64, i64 } %s
}""",
        "dup",
    ),
    Refused(
        "makes_number",
        """
define double @f(double %x) {
  %bits = bitcast double %x to i64
  %exponent = lshr i64 %bits, 52
  %power = shl i64 %exponent, 52
  %y = bitcast i64 %power to double
  ret double %y
}""",
        "out",
        ACTIVE,
    ),
    Refused(
        "stores_bits_read_as_numbers",
        """
define double @f(ptr %p, ptr %q) {
  %n = load i64, ptr %p
  %m = add i64 %n, 1
  store i64 %m, ptr %q
  %x = load double, ptr %p
  %y = load double, ptr %q
  %z = fadd double %x, %y
  ret double %z
}""",
        "dup const",
    ),
]


@pytest.mark.parametrize("case", CASES, ids=[case.predicate for case in CASES])
def test_refused(case: Refused) -> None:
    f = Input(case.text, case.arguments, case.result, custom=frozenset(["@registered"]))
    row = next(row for row in REFUSALS if row.applies.__name__ == case.predicate)
    found = {(i.opcode, reason) for i, reason in find_unsupported(f.activity)}
    assert (row.opcode, row.message.format(case.filled)) in {(o if row.opcode else "", r) for o, r in found}


def test_every_row_has_a_case() -> None:
    assert {row.applies.__name__ for row in REFUSALS} == {case.predicate for case in CASES}


def test_a_plain_function_is_not_refused() -> None:
    f = Input(
        """
define void @f(ptr %p, ptr %q, i64 %k) {
  %a = getelementptr double, ptr %p, i64 %k
  %x = load double, ptr %a
  %y = fmul double %x, %x
  store double %y, ptr %q
  ret void
}""",
        "dup dup const",
    )
    assert list(find_unsupported(f.activity)) == []


def test_a_byte_among_numbers_is_no_digit() -> None:
    """It stands in memory of an allocator, which holds numbers at other times."""
    digits = next(case for case in DIGITS if case.predicate == "writes_digit")
    number = "%behind = getelementptr i8, ptr %text, i64 8\n  %number = load double, ptr %behind\n  "
    text = digits.text.replace("[4 x i8]", "[16 x i8]").replace("%n = call", f"{number}%n = call")
    f = Input(text, digits.arguments, digits.result)
    assert not any("digits" in reason for _, reason in find_unsupported(f.activity))


COUNTS = """
define void @g(ptr %object, ptr %values, i1 %is_large) {{
  %x = load double, ptr %values
  %size = call i64 @f(ptr %object, i1 %is_large)
  store i64 %size, ptr %values
  store double %x, ptr %values
  ret void
}}
define i64 @f(ptr %object, i1 %is_large) {{
  %y = load double, ptr %object
  %place = getelementptr i8, ptr %object, i64 10
  %byte = load i8, ptr %place, !tbaa !{declared}
  %count = zext i8 %byte to i64
  %more = shl i64 %count, 4
  %sum = add i64 %more, %count
  %size = select i1 %is_large, i64 %sum, i64 %count
  ret i64 %size
}}
!0 = !{{!1, !1, i64 0}}
!1 = !{{!"omnipotent char", !2}}
!2 = !{{!"Simple C/C++ TBAA"}}
!3 = !{{!4, !1, i64 10}}
!4 = !{{!"object", !5, i64 0, !1, i64 8, !1, i64 9, !1, i64 10}}
!5 = !{{!"double", !1, i64 0}}"""


@pytest.mark.parametrize(("declared", "is_union"), [("0", True), ("3", False)])
def test_what_is_computed_from_a_byte_that_is_a_member_is_no_union(declared: str, is_union: bool) -> None:
    f = Input(COUNTS.format(declared=declared), "dup const")
    assert any(i.opcode == "ret" for i, _ in find_unsupported(f.activity)) is is_union


@pytest.mark.parametrize("module", [unsupported_digits, unsupported_memory, unsupported_uses])
def test_each_predicate_that_takes_an_instruction_alone_has_a_case(module: ModuleType) -> None:
    functions = (f for f in vars(module).values() if inspect.isfunction(f) and f.__module__ == module.__name__)
    predicates = {f.__name__ for f in functions if len(inspect.signature(f).parameters) == 2}
    public = {name for name in predicates if not name.startswith("_")}
    assert public <= {case.predicate for case in CASES}
