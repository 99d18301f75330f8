"""Which values can carry numbers or pointers: by their type, and integers by what type analysis finds."""

from __future__ import annotations

from .inputs import Input


def adjoint(text: str, name: str, arguments: str) -> str:
    f = Input(text, arguments)
    return str(f.carriers.adjoint_type(f.value(name)))


def test_a_number_has_an_adjoint_of_its_own_type() -> None:
    assert adjoint("define void @f(float %x) {\n ret void\n}", "x", "out") == "float"


def test_a_pointer_has_a_shadow_and_no_adjoint() -> None:
    f = Input("define double @f(ptr %p) {\n %x = load double, ptr %p\n ret double %x\n}", "dup")
    assert f.carriers.adjoint_type(f.value("p")) is None and f.carriers.can_point(f.value("p"))


COPY = """
define {0} @f(ptr %p, ptr %q) {{
  %bits = load i64, ptr %p
  store i64 %bits, ptr %q
  {1}
}}"""


def test_an_integer_that_copies_a_double_has_an_adjoint_of_double() -> None:
    text = COPY.format("double", "%x = load double, ptr %q\n ret double %x")
    assert adjoint(text, "bits", "dup dup") == "double"


def test_an_integer_that_packs_two_floats_has_an_adjoint_of_two_fields() -> None:
    text = COPY.format(
        "float",
        """%x = load float, ptr %q
  %r = getelementptr i8, ptr %q, i64 4
  %y = load float, ptr %r
  %z = fadd float %x, %y
  ret float %z""",
    )
    assert adjoint(text, "bits", "dup dup") == "<{ float, float }>"


def test_an_integer_that_copies_a_pointer_can_point() -> None:
    text = COPY.format("double", "%o = load ptr, ptr %q\n %x = load double, ptr %o\n ret double %x")
    f = Input(text, "dup dup")
    assert f.carriers.can_point(f.value("bits")) and f.carriers.adjoint_type(f.value("bits")) is None


def test_an_integer_that_counts_carries_nothing() -> None:
    text = COPY.format("i64", "%n = add i64 %bits, 1\n ret i64 %n")
    f = Input(text, "dup dup")
    assert f.carriers.adjoint_type(f.value("bits")) is None and not f.carriers.can_point(f.value("bits"))


def test_the_adjoint_of_a_struct_has_numbers_in_place_of_integers_that_carry_them() -> None:
    text = """
define double @f({ i64, i32 } %s) {
  %bits = extractvalue { i64, i32 } %s, 0
  %n = extractvalue { i64, i32 } %s, 1
  %x = bitcast i64 %bits to double
  ret double %x
}"""
    assert adjoint(text, "s", "const") == "{ double, i32 }"


def test_a_zero_stored_where_a_number_lies_overwrites_a_number() -> None:
    text = """
define double @f(ptr %p) {
  %x = load double, ptr %p
  store i64 0, ptr %p
  ret double %x
}"""
    f = Input(text, "dup")
    assert str(f.carriers.stored_type(f.instruction("store"))) == "<{ double }>"


def test_the_result_of_a_function_may_be_a_number_in_an_integer() -> None:
    f = Input("define i64 @f(double %x) {\n %bits = bitcast double %x to i64\n ret i64 %bits\n}", "out")
    assert str(f.carriers.result_type(f.function)) == "double"


def test_memory_that_is_used_as_a_number_and_as_a_pointer_is_mixed() -> None:
    text = """
declare ptr @malloc(i64)
define double @f(double %x, ptr %p) {
  %m = call ptr @malloc(i64 8)
  store double %x, ptr %m
  %y = load double, ptr %m
  store ptr %p, ptr %m
  %q = load ptr, ptr %m
  %z = load double, ptr %q
  %r = fadd double %y, %z
  ret double %r
}"""
    f = Input(text, "out dup")
    assert f.carriers.is_mixed_store(f.instruction("store"))
    assert f.carriers.holds_pointers(f.value("m"))
