"""Requests for variants are found, and their operands are taken one by one."""

from __future__ import annotations

import pytest

from enzyme_cc.autodiff.core.markers import Marker, VariantKind
from enzyme_cc.autodiff.variants.reading import is_request, ready_variants, variant_calls
from enzyme_cc.ir.builder import Builder
from enzyme_cc.ir.module import Module
from enzyme_cc.ir.types import FLOAT, PTR
from enzyme_cc.report.diagnostics import EnzymeError

from .asking import operands

ESTIMATE = "declare double @__enzyme_error_estimate(...)\n"
CALL = "%r = call double (...) @__enzyme_error_estimate(ptr @f"
KINDS = frozenset([VariantKind.ERROR_ESTIMATE])


def module(again: str, parameter: str = "double %x") -> Module:
    """@asks requests a variant of @f, and @again one of another function."""
    return Module.parse(f"""
{ESTIMATE}
declare double @native(double)
define double @f(double %x) {{
  ret double %x
}}
define double @asks(double %x) {{
  {CALL}, double %x)
  ret double %r
}}
define double @again({parameter}) {{
  {CALL.replace("@f", again)}, double 1.0)
  ret double %r
}}
""")


def test_a_request_is_ready_if_its_function_makes_none() -> None:
    assert [found.function for found in ready_variants(module("@f"), KINDS)] == ["@f", "@f"]


def test_a_request_waits_for_those_that_its_function_makes() -> None:
    text = module("@asks")
    assert len(variant_calls(text)) == 2
    assert [found.function for found in ready_variants(text, KINDS)] == ["@f"]


@pytest.mark.parametrize("function, id_", [("%x", "EZ0204"), ("@native", "EZ0108")])
def test_a_function_that_is_not_known_or_has_no_bitcode_is_refused(function: str, id_: str) -> None:
    with pytest.raises(EnzymeError, match=id_):
        ready_variants(module(function, "ptr %x"), KINDS)


def test_random_choices_ask_for_nothing() -> None:
    assert is_request("__enzyme_trace")
    assert is_request("__enzyme_autodiff")
    assert not is_request("__enzyme_sample")


def test_operands_are_converted_as_c_does() -> None:
    found = operands(f"{CALL}, double %y)", ESTIMATE)
    value = found.of_type(Builder.before(found.found.call), FLOAT, "argument 1")
    assert value.type == FLOAT
    found.end()


def test_an_operand_of_another_kind_is_refused() -> None:
    found = operands(f"{CALL}, double %y)", ESTIMATE)
    with pytest.raises(EnzymeError, match="EZ0203"):
        found.of_type(Builder.before(found.found.call), PTR, "argument 1")


@pytest.mark.parametrize("given, taken", [("", 1), (", double %y, double %y", 1)])
def test_too_few_and_too_many_operands_are_refused(given: str, taken: int) -> None:
    found = operands(f"{CALL}{given})", ESTIMATE)
    with pytest.raises(EnzymeError, match="EZ0202"):
        for _ in range(taken):
            found.value("argument 1")
        found.end()


def test_a_marker_is_taken_before_the_operand_that_it_is_about() -> None:
    found = operands(f"{CALL}, ptr @enzyme_dup, double %y)", f"{ESTIMATE}@enzyme_dup = external global i32\n")
    assert found.marker() is Marker.DUP
    assert found.marker() is None
    assert found.left == 1


def test_an_unknown_marker_is_refused() -> None:
    found = operands(f"{CALL}, ptr @enzyme_dop, double %y)", f"{ESTIMATE}@enzyme_dop = external global i32\n")
    with pytest.raises(EnzymeError, match="EZ0201"):
        found.marker()
