"""Words that are followed backwards and forwards through registers, parameters and results."""

from __future__ import annotations

import pytest

from enzyme_cc.analysis.type_analysis.evidence.boxed_pointers import boxes_pointer
from enzyme_cc.analysis.type_analysis.evidence.declared_integers import DeclaredIntegers
from enzyme_cc.analysis.type_analysis.evidence.stored_distances import StoredDistances
from enzyme_cc.analysis.values.moved_words import MovedWords
from enzyme_cc.ir.module import Module
from enzyme_cc.ir.values import Function, Instruction

TEXT = """
define i64 @same(i64 %w) {{
  ret i64 %w
}}
define void @keep(i64 %d, ptr %to) {{
  store i64 %d, ptr %to
  ret void
}}
define i64 @f(ptr %p, ptr %q, i64 %n, i1 %c) {{
  %word = load i64, ptr %p
  %other = load i64, ptr %q
  {}
  ret i64 %v
}}
"""


def functions(code: str) -> dict[str, Function]:
    module = Module.parse(TEXT.format(code))
    return {name: module.body(name) for name in module.functions}


def value(found: dict[str, Function], name: str) -> Instruction:
    return next(i for i in found["@f"].instructions() if i.name == name)


def moved(found: dict[str, Function]) -> MovedWords:
    return MovedWords(found, {a: f for f in found.values() for a in f.arguments})


@pytest.mark.parametrize(
    "code, loads",
    [
        ("%v = call i64 @same(i64 %word)", {"word"}),
        ("%v = select i1 %c, i64 %word, i64 %other", {"word", "other"}),
        ("%h = lshr i64 %word, 32\n  %v = freeze i64 %h", {"word"}),
        ("%v = add i64 %word, %other", set()),
    ],
)
def test_a_word_comes_from_loads_through_copies_and_calls_but_not_through_arithmetic(
    code: str, loads: set[str]
) -> None:
    found = functions(code)
    assert {i.name for i in moved(found).loads(value(found, "v"))} == loads


@pytest.mark.parametrize(
    "code, may_be_bits",
    [
        ("%v = add i64 %word, 7", False),
        ("%v = add i64 %word, %other", True),
        ("%v = call i64 @same(i64 %n)", True),
        ("%a = icmp eq i64 %word, %n\n  %v = zext i1 %a to i64", False),
    ],
)
def test_an_integer_is_no_bits_of_a_number_if_all_that_it_is_made_of_is_declared(code: str, may_be_bits: bool) -> None:
    found = functions(code)
    integers = DeclaredIntegers(moved(found), lambda load: load.name == "word")
    assert integers.may_be_bits(value(found, "v")) is may_be_bits


ADDRESSES = "%a = ptrtoint ptr %p to i64\n  %b = ptrtoint ptr %q to i64\n  %d = sub i64 %a, %b\n  "


@pytest.mark.parametrize(
    "code, stores",
    [
        ("store i64 %d, ptr %p\n  %v = add i64 %n, 0", 1),
        ("call void @keep(i64 %d, ptr %p)\n  %v = add i64 %n, 0", 1),
        ("%s = call i64 @same(i64 %d)\n  store i64 %s, ptr %q\n  %v = add i64 %n, 0", 1),
        ("%k = sdiv exact i64 %d, 8\n  store i64 %k, ptr %p\n  %v = add i64 %n, 0", 0),
        ("store i64 %n, ptr %p\n  %v = add i64 %d, 0", 0),
    ],
)
def test_a_distance_of_addresses_is_stored_but_not_a_count_of_elements(code: str, stores: int) -> None:
    found = functions(ADDRESSES + code)
    distances = StoredDistances(found.values(), lambda v: getattr(v, "opcode", "") == "ptrtoint")
    assert len(distances.stores) == stores


@pytest.mark.parametrize(
    "code, boxes",
    [
        ("%v = or i64 %n, -1125899906842624", True),  # the bits of a NaN with a tag
        ("%v = or i64 %n, 255", False),
        ("%m = and i64 %n, 140737488355327\n  %v = or i64 %m, 1", False),
    ],
)
def test_a_constant_with_the_exponent_of_a_nan_boxes_a_pointer(code: str, boxes: bool) -> None:
    assert boxes_pointer(value(functions(code), "v")) is boxes


def test_a_mask_that_leaves_an_address_unboxes_it() -> None:
    found = functions("%m = and i64 %n, 140737488355327\n  %q2 = inttoptr i64 %m to ptr\n  %v = add i64 %n, 0")
    assert boxes_pointer(value(found, "m"))
    assert not boxes_pointer(value(functions("%m = and i64 %n, 255\n  %v = or i64 %m, 1"), "m"))
