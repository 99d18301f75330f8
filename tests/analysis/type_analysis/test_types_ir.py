"""Corner cases of type analysis, in IR written by hand."""

from __future__ import annotations

import pytest

from ..support import Analysed, Kind

COPY = "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)\n"


def kinds(text: str, function: str = "f") -> dict[str, Kind]:
    """Kind of each named integer."""
    a = Analysed(text)
    return {
        i.name: a.types.values.kind(i)
        for i in a.function(function).instructions()
        if i.name and str(i.type).startswith("i")
    }


def test_integer_copy_of_a_double() -> None:
    found = kinds("""
define double @f(ptr %p, ptr %q) {
  %bits = load i64, ptr %p
  store i64 %bits, ptr %q
  %x = load double, ptr %q
  ret double %x
}""")
    assert found == {"bits": Kind.DOUBLE}


def test_phi_and_select_of_bits_both_ways() -> None:
    found = kinds("""
define i64 @f(ptr %p, ptr %q, i1 %c, double %d) {
entry:
  %a = load i64, ptr %p
  br i1 %c, label %then, label %end
then:
  %b = load i64, ptr %q
  br label %end
end:
  %phi = phi i64 [ %a, %entry ], [ %b, %then ]
  %own = bitcast double %d to i64
  %sel = select i1 %c, i64 %phi, i64 %own
  ret i64 %sel
}""")
    assert set(found.values()) - {Kind.DOUBLE} == set()


def test_integer_that_is_computed_with() -> None:
    found = kinds("""
define i64 @f(ptr %p) {
  %n = load i64, ptr %p
  %m = mul i64 %n, 3
  ret i64 %m
}""")
    assert set(found.values()) == {Kind.INTEGER}


def test_pointer_in_an_integer() -> None:
    found = kinds("""
define double @f(ptr %p, ptr %q) {
  %bits = load i64, ptr %p
  store i64 %bits, ptr %q
  %pointer = load ptr, ptr %q
  %x = load double, ptr %pointer
  ret double %x
}""")
    assert found["bits"] is Kind.POINTER


def test_two_floats_in_an_integer() -> None:
    a = Analysed("""
define float @f(ptr %p, ptr %q) {
  %bits = load i64, ptr %p
  store i64 %bits, ptr %q
  %x = load float, ptr %q
  %r = getelementptr i8, ptr %q, i64 4
  %y = load float, ptr %r
  %s = fadd float %x, %y
  ret float %s
}""")
    (bits,) = [i for i in a.all("f", "load") if i.name == "bits"]
    assert a.types.values.kind(bits) is Kind.CONFLICT
    assert a.types.values.parts(bits) == ((0, 32, Kind.FLOAT), (32, 32, Kind.FLOAT))


def test_float_used_as_a_number_is_a_conflict() -> None:
    found = kinds("""
define double @f(ptr %p, ptr %q) {
  %bits = load i64, ptr %p
  %sum = add i64 %bits, 4503599627370496
  %x = bitcast i64 %sum to double
  %y = load double, ptr %p
  %z = fadd double %x, %y
  ret double %z
}""")
    assert found["sum"] is Kind.CONFLICT


def test_sign_mask_keeps_the_double() -> None:
    found = kinds("""
define double @f(ptr %p) {
  %bits = load i64, ptr %p
  %abs = and i64 %bits, 9223372036854775807
  %x = bitcast i64 %abs to double
  ret double %x
}""")
    assert found == {"bits": Kind.DOUBLE, "abs": Kind.DOUBLE}


def test_array_in_a_struct_ends_where_another_field_begins() -> None:
    a = Analysed(
        COPY
        + """
define double @f(ptr %p, ptr %q, i64 %i) {
  call void @llvm.memcpy.p0.p0.i64(ptr %q, ptr %p, i64 40, i1 false)
  %x = getelementptr double, ptr %p, i64 %i
  %a = load double, ptr %x
  %n = getelementptr i8, ptr %p, i64 32
  %m = load i64, ptr %n
  %k = mul i64 %m, %m
  %d = sitofp i64 %k to double
  %s = fadd double %a, %d
  ret double %s
}"""
    )
    assert a.layout(a.function("f").arguments[1], 40) == "-: 0+32 double, 32+8 integer"


def test_a_field_behind_an_array_of_unknown_length_is_known_whatever_is_seen_first() -> None:
    fields = """
define void @walks(ptr %p, i64 %k) {
  %a = getelementptr double, ptr %p, i64 %k
  %x = load double, ptr %a
  ret void
}
define void @reads(ptr %p, i64 %k) {
  %a = getelementptr i8, ptr %p, i64 24
  %n = load i64, ptr %a
  %m = mul i64 %n, 3
  %b = getelementptr i8, ptr %p, i64 32
  %x = load double, ptr %b
  ret void
}
define void @f(ptr %p, i64 %k) {
  call void @FIRST(ptr %p, i64 %k)
  call void @SECOND(ptr %p, i64 %k)
  ret void
}"""
    for first, second in (("walks", "reads"), ("reads", "walks")):
        a = Analysed(fields.replace("FIRST", first).replace("SECOND", second))
        pointer = a.function("f").arguments[0]
        assert a.types.contents(pointer, 40).words()[3:] == [frozenset(), {Kind.DOUBLE}]


def test_a_single_byte_of_a_struct_and_its_last_padding_hold_nothing_else() -> None:
    a = Analysed("""
%h = type { i32, i8, double, ptr, float }
@g = global [2 x %h] zeroinitializer
define double @f() {
  %from_byte = getelementptr i8, ptr @g, i64 4
  %number = getelementptr i8, ptr @g, i64 8
  %x = load double, ptr %number
  %place = getelementptr i8, ptr @g, i64 16
  %p = load ptr, ptr %place
  %gain = getelementptr i8, ptr @g, i64 24
  %y = load float, ptr %gain
  ret double %x
}""")
    (from_byte,) = (i for i in a.function("f").instructions() if i.name == "from_byte")
    assert (
        a.layout(from_byte, 28) == "-: 0+1 integer, 1+3 anything, 4+8 double, 12+8 pointer, 20+4 float, 24+4 anything"
    )


def test_bits_of_an_array_element_are_a_conflict() -> None:
    a = Analysed("""
define double @f(ptr %p, i64 %i) {
  %x = getelementptr double, ptr %p, i64 %i
  %a = load double, ptr %x
  %h = getelementptr i8, ptr %p, i64 4
  %m = load i32, ptr %h
  %k = mul i32 %m, %m
  %d = sitofp i32 %k to double
  %s = fadd double %a, %d
  ret double %s
}""")
    assert a.layout(a.function("f").arguments[0], 32) == "unknown"
    assert "different kinds" in a.types.contents(a.function("f").arguments[0], 32).why_unknown


def test_a_pointer_walked_in_a_loop() -> None:
    a = Analysed("""
define double @f(ptr %p, i64 %n) {
entry:
  br label %loop
loop:
  %q = phi ptr [ %p, %entry ], [ %next, %loop ]
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  %x = load float, ptr %q
  %r = getelementptr i8, ptr %q, i64 8
  %y = load double, ptr %r
  %next = getelementptr i8, ptr %q, i64 16
  %j = add i64 %i, 1
  %done = icmp eq i64 %j, %n
  br i1 %done, label %end, label %loop
end:
  ret double %y
}""")
    assert a.layout(a.function("f").arguments[0], None) == "16: 0+4 float, 4+4 anything, 8+8 double"


def test_linked_list() -> None:
    a = Analysed(
        COPY
        + """
define double @f(ptr %p, ptr %copy) {
entry:
  br label %loop
loop:
  %q = phi ptr [ %p, %entry ], [ %next, %loop ]
  %s = phi double [ 0.0, %entry ], [ %t, %loop ]
  %x = load double, ptr %q
  %t = fadd double %s, %x
  call void @llvm.memcpy.p0.p0.i64(ptr %copy, ptr %q, i64 16, i1 false)
  %link = getelementptr i8, ptr %q, i64 8
  %next = load ptr, ptr %link
  %done = icmp eq ptr %next, null
  br i1 %done, label %end, label %loop
end:
  ret double %t
}"""
    )
    assert a.layout(a.function("f").arguments[1], 16) == "-: 0+8 double, 8+8 pointer"


def test_long_double_has_padding() -> None:
    a = Analysed("""
define x86_fp80 @f(ptr %p, i64 %i) {
  %q = getelementptr x86_fp80, ptr %p, i64 %i
  %x = load x86_fp80, ptr %q
  ret x86_fp80 %x
}""")
    assert a.layout(a.function("f").arguments[0], None) == "16: 0+10 x86_fp80, 10+6 anything"


def test_copies_that_go_round_in_a_circle() -> None:
    a = Analysed(
        COPY
        + """
define double @f(ptr %p, ptr %q, i64 %n) {
  %p8 = getelementptr i8, ptr %p, i64 8
  call void @llvm.memcpy.p0.p0.i64(ptr %q, ptr %p, i64 %n, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr %p8, ptr %q, i64 %n, i1 false)
  %x = load double, ptr %p
  ret double %x
}"""
    )
    for argument in a.function("f").arguments[:2]:
        assert a.layout(argument, None) == "8: 0+8 double"


def test_user_hint() -> None:
    a = Analysed(
        COPY
        + """
declare void @__enzyme_double(ptr, i64)
define void @f(ptr %p, ptr %q) {
  call void @__enzyme_double(ptr %p, i64 16)
  call void @llvm.memcpy.p0.p0.i64(ptr %q, ptr %p, i64 16, i1 false)
  ret void
}"""
    )
    assert a.layout(a.function("f").arguments[1], 16) == "-: 0+16 double"


@pytest.mark.parametrize("size", [4, 12])
def test_half_a_double_is_unknown(size: int) -> None:
    a = Analysed("""
define double @f(ptr %p, i64 %i) {
  %q = getelementptr double, ptr %p, i64 %i
  %x = load double, ptr %q
  ret double %x
}""")
    assert a.layout(a.function("f").arguments[0], size) == "unknown"


def test_constant_zero_and_undef_are_anything() -> None:
    a = Analysed("""
define void @f(ptr %p) {
  store i64 0, ptr %p
  store i64 undef, ptr %p
  ret void
}""")
    zero, undef = (i.operands[0] for i in a.all("f", "store"))
    assert a.types.values.kind(zero) is a.types.values.kind(undef) is Kind.ANYTHING


def test_a_function_given_to_unknown_code_may_be_called_with_anything() -> None:
    """A request, say: then its arguments may be the same, though those of the calls that are seen are not."""
    a = Analysed("""
declare double @__enzyme_autodiff(...)
define double @f(ptr %p, ptr %q) {
  store double 1.0, ptr %q
  %x = load double, ptr %p
  ret double %x
}
define double @main(ptr %r) {
  %a = alloca double
  %b = alloca double
  %y = call double @f(ptr %a, ptr %b)
  %z = call double (...) @__enzyme_autodiff(ptr @f, ptr %r, ptr %r)
  ret double %z
}""")
    assert a.types.points_to.may_overlap(*a.function("f").arguments)
    allocas = a.all("main", "alloca")
    assert not a.types.points_to.may_overlap(*allocas)


def test_phi_on_ways_that_constants_exclude() -> None:
    """What a call does not do with its constant says nothing of what it is given."""
    a = Analysed("""
define void @manage(ptr %to, ptr %from, i32 %what) {
entry:
  switch i32 %what, label %end [
    i32 0, label %join
    i32 1, label %same
  ]
same:
  br label %join
join:
  %p = phi ptr [ %to, %entry ], [ %from, %same ]
  store double 1.0, ptr %p
  br label %end
end:
  ret void
}
define void @f() {
  %x = alloca [8 x i8]
  %y = alloca [8 x i8]
  call void @manage(ptr %x, ptr %y, i32 1)
  call void @manage(ptr %x, ptr %x, i32 2)
  ret void
}""")
    x, y = a.all("f", "alloca")
    assert (a.layout(x, 8), a.layout(y, 8)) == ("-: 0+8 anything", "-: 0+8 double")


def test_one_of_two_fields() -> None:
    """What is chosen by an offset is one of the fields, not any place at their distance."""
    a = Analysed("""
define ptr @f(i1 %c) {
  %node = alloca [40 x i8]
  %value = getelementptr i8, ptr %node, i64 32
  store double 1.0, ptr %value
  store i64 7, ptr %node
  %which = select i1 %c, i64 16, i64 24
  %link = getelementptr i8, ptr %node, i64 %which
  %next = load ptr, ptr %link
  ret ptr %next
}""")
    assert a.layout(a.all("f", "alloca")[0], 40) == "-: 0+8 integer, 8+8 anything, 16+16 pointer, 32+8 double"


def test_what_constants_decide_where_calls_share_an_instance() -> None:
    """A function too large for an instance of each call has one for each thing that it may be told to do."""
    padding = "".join(f"  %s{k} = add i32 %what, {k}\n" for k in range(400))
    a = Analysed(f"""
define void @manage(ptr %p, i32 %what) {{
entry:
{padding}  %is = icmp eq i32 %what, 1
  br i1 %is, label %number, label %pointer
number:
  store double 1.0, ptr %p
  ret void
pointer:
  store ptr null, ptr %p
  ret void
}}
define void @f() {{
  %x = alloca [8 x i8]
  %y = alloca [8 x i8]
  call void @manage(ptr %x, i32 1)
  call void @manage(ptr %y, i32 2)
  ret void
}}""")
    x, y = a.all("f", "alloca")
    assert (a.layout(x, 8), a.layout(y, 8)) == ("-: 0+8 double", "-: 0+8 pointer")


@pytest.mark.parametrize(("value", "copied"), [("float", "i32"), ("double", "i64")])
def test_a_word_on_top_of_a_stack_may_be_any_word_of_it(value: str, copied: str) -> None:
    """stack[--top] begins before all elements by its offset. What the word holds is known of its copies alone."""
    a = Analysed(f"""
define void @f(i64 %n, {copied} %bits) {{
  %stack = call ptr @malloc(i64 240)
  %number = bitcast {copied} %bits to {value}
  %pushed = getelementptr [24 x i8], ptr %stack, i64 %n
  %second = getelementptr i8, ptr %pushed, i64 8
  store {copied} %bits, ptr %second
  %next = add nuw nsw i64 %n, 1
  %top = getelementptr [24 x i8], ptr %stack, i64 %next
  %popped = getelementptr i8, ptr %top, i64 -16
  %word = load ptr, ptr %popped
  ret void
}}
declare ptr @malloc(i64)""")
    places = {i.name: i for i in a.all("f", "getelementptr")}
    for name in ("second", "popped"):
        kinds = frozenset().union(*a.types.contents(places[name], 8).words())
        assert kinds == {Kind.POINTER, Kind[value.upper()]}, name
        assert a.types.contents(places[name], 8).is_mixed, name


def test_what_is_counted_by_conditions_is_no_bits_of_a_number() -> None:
    a = Analysed("""
define i32 @f(double %x, i32 %n, i64 %bits) {
  %positive = fcmp ogt double %x, 0.0
  %many = icmp sgt i32 %n, 9
  %both = and i1 %positive, %many
  %flag = zext i1 %both to i32
  %count = add i32 %flag, 1
  %bit = trunc i64 %bits to i1
  %sign = zext i1 %bit to i32
  ret i32 %count
}""")
    count, sign = (next(i for i in a.function("f").instructions() if i.name == name) for name in ("count", "sign"))
    assert a.types.number_flow.is_made_of_integers(count)
    assert not a.types.number_flow.is_made_of_integers(sign)
