"""Functions that are inlined for what they are passed in registers: bits of numbers, and unions."""

from __future__ import annotations

import pytest

from enzyme_cc.analysis.callees import Callees
from enzyme_cc.autodiff.analyses.passed_bits import functions_given_bits
from enzyme_cc.autodiff.analyses.passed_unions import functions_given_unions
from tests.analysis.support import Analysed

#: f halves x by its bits: @less takes them as an integer
BITS = """
define internal i64 @less(i64 %bits) {{
  %l = {computed}
  ret i64 %l
}}
define double @f(double %x) {{
  %bits = bitcast double %x to i64
  %l = call i64 @less(i64 %bits)
  %y = {made}
  ret double %y
}}
"""


def given_bits(computed: str = "sub i64 %bits, 4503599627370496", made: str = "bitcast i64 %l to double") -> set[str]:
    analysed = Analysed(BITS.format(computed=computed, made=made))
    return functions_given_bits(Callees(analysed.module), analysed.functions.values())


def test_a_function_that_computes_with_bits_of_which_a_number_is_made_is_found() -> None:
    assert given_bits() == {"@less"}


@pytest.mark.parametrize(
    "changed",
    [{"computed": "add i64 7, 0"}, {"made": "sitofp i64 %l to double"}],
    ids=["computes with no bits", "no number is made of them"],
)
def test_a_function_that_does_one_of_both_only_is_not(changed: dict[str, str]) -> None:
    assert not given_bits(**changed)


#: @keep stores what it is given, which is a double or two floats where f loads it
UNIONS = """
define internal void @keep(i64 %word, ptr %to) {{
  store i64 %word, ptr %to
  ret void
}}
define double @f(ptr %u, ptr %v, i1 %c) {{
  {store}
  %word = load i64, ptr %u
  call void @keep(i64 %word, ptr %v)
  %y = load double, ptr %v
  ret double %y
}}
"""


def given_unions(store: str) -> set[str]:
    analysed = Analysed(UNIONS.format(store=store))
    return functions_given_unions(Callees(analysed.module), analysed.types, analysed.functions.values())


def test_a_word_that_may_be_a_number_or_a_pointer_is_a_union() -> None:
    both = "br i1 %c, label %a, label %b\na:\n  store double 1.0, ptr %u\n  br label %b\nb:\n  %p = load ptr, ptr %u"
    assert given_unions(both) == {"@keep"}


def test_a_word_that_is_always_a_number_is_none() -> None:
    assert not given_unions("store double 1.0, ptr %u")


#: @keep stores the pointer that f loads where a number may lie, in such a place
POINTERS = """
define internal void @keep(ptr %p, ptr %to) {{
  {first}
  store ptr %p, ptr %to
  ret void
}}
define double @f(ptr %u, ptr %v, i1 %c) {{
  br i1 %c, label %a, label %b
a:
  store double 1.0, ptr %u
  store double 1.0, ptr %v
  br label %b
b:
  %p = load ptr, ptr %u
  call void @keep(ptr %p, ptr %v)
  %y = load double, ptr %v
  ret double %y
}}
"""


@pytest.mark.parametrize(("first", "found"), [("", {"@keep"}), ("%n = load i64, ptr %p", set[str]())])
def test_a_word_through_which_memory_was_accessed_is_a_pointer(first: str, found: set[str]) -> None:
    analysed = Analysed(POINTERS.format(first=first))
    functions = analysed.functions.values()
    assert functions_given_unions(Callees(analysed.module), analysed.types, functions) == found


def test_a_word_that_is_only_compared_is_none() -> None:
    both = "br i1 %c, label %a, label %b\na:\n  store double 1.0, ptr %u\n  br label %b\nb:\n  %p = load ptr, ptr %u"
    text = UNIONS.format(store=both).replace("store i64 %word, ptr %to", "%e = icmp eq i64 %word, 7")
    analysed = Analysed(text)
    assert not functions_given_unions(Callees(analysed.module), analysed.types, analysed.functions.values())
