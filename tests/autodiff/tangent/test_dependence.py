"""Forward mode on sets: arithmetic unites the sets of its operands, and all else moves them."""

from __future__ import annotations

from enzyme_cc.autodiff.core.signature import Form
from tests.autodiff.sweeps import derivative


def sets(body: str, type_: str = "double") -> list[str]:
    text = f"define {type_} @f({type_} %x, {type_} %y, ptr %p) {{\n{body}\n  ret {type_} %v\n}}"
    return derivative(text, "dup dup dup", Form.DEPENDENCE)


def unions(body: str, type_: str = "double") -> int:
    return sum("@__ez_union(" in line for line in sets(body, type_))


def test_a_product_depends_on_what_both_factors_depend_on() -> None:
    assert unions("%v = fmul double %x, %y") == 1


def test_one_operand_needs_no_union() -> None:
    assert unions("%v = fmul double %x, 2.0") == 0
    assert unions("store double %x, ptr %p\n%v = load double, ptr %p") == 0


def test_each_lane_of_a_vector_has_a_set() -> None:
    vectors = unions("%v = fadd <2 x double> %x, %y", "<2 x double>")
    assert vectors == 6  # of each lane with the empty set, and of both operands
    assert unions("%v = fneg <2 x double> %x", "<2 x double>") == 2


def test_a_narrow_type_must_hold_the_number_of_a_set() -> None:
    narrowed = "%n = fptrunc double %x to float\n%v = fpext float %n to double"
    assert any("@__ez_narrowed_set(" in line for line in sets(narrowed))
    assert not any("@__ez_narrowed_set(" in line for line in sets("%v = fneg double %x"))
