"""Forward mode copies the shadow of integers whose bytes nobody can name."""

from __future__ import annotations

from enzyme_cc.analysis.activity.copied_bytes import copied_bytes

from .inputs import Input, names

TEXT = """
define void @f(ptr %p, ptr %q) {
  %a = load i64, ptr %p
  %b = freeze i64 %a
  store i64 %b, ptr %q
  ret void
}"""


def test_a_copied_word_of_unknown_kind_is_followed_to_its_store() -> None:
    assert names(copied_bytes(Input(TEXT, "dup dup").activity)) == {"a", "b"}


def test_a_word_out_of_constant_memory_is_not() -> None:
    assert names(copied_bytes(Input(TEXT, "const dup").activity)) == set()


def test_a_word_that_is_known_to_be_a_number_has_a_tangent_of_its_own() -> None:
    text = TEXT.replace("  ret void", "  %x = load double, ptr %q\n  store double %x, ptr %p\n  ret void")
    f = Input(text, "dup dup")
    assert {"a", "b"} <= names(f.activity.varied) and names(copied_bytes(f.activity)) == set()


def test_a_word_that_is_computed_with_is_an_integer() -> None:
    text = TEXT.replace("  ret void", "  %n = mul i64 %a, 3\n  store i64 %n, ptr %q\n  ret void")
    assert names(copied_bytes(Input(text, "dup dup").activity)) == set()


def test_a_byte_is_copied_if_it_may_be_part_of_a_number() -> None:
    text = "define void @f(ptr %p, ptr %q) {\n %a = load i8, ptr %p\n store i8 %a, ptr %q\n ret void\n}"
    assert names(copied_bytes(Input(text, "dup dup").activity)) == {"a"}
