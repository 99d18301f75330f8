"""A link finds what defines the symbols that jitted code calls."""

from __future__ import annotations

from enzyme_cc.frameworks.jitted.linked_symbols import LinkedPart, define, parts_of

INNER = LinkedPart(module="define void @inner() {\n  ret void\n}", c_text="int a;")
OUTER = LinkedPart(module="call void @enzyme_cc_flat_inner_of_test()", driver="enzyme-cc", linked=("a.so",))


def test_a_part_comes_behind_those_that_it_needs() -> None:
    define({"enzyme_cc_flat_inner_of_test": 1}, INNER)
    define({"enzyme_cc_jitted_outer_of_test": 1}, OUTER)
    assert parts_of("call double @enzyme_cc_jitted_outer_of_test()") == (INNER, OUTER)
    assert parts_of(OUTER.module) == (INNER,)


def test_a_symbol_that_nothing_defines_needs_no_part() -> None:
    assert parts_of("call double @enzyme_cc_jitted_unknown_of_test()") == ()
    assert parts_of("call double @cos(double 1.0)") == ()


def test_all_that_a_part_is_made_of_identifies_it() -> None:
    assert OUTER.texts == (OUTER.module, "", "enzyme-cc", "a.so")
