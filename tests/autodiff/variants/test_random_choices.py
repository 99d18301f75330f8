"""Random choices of a probabilistic program: drawn, observed, recorded, and added to a log-likelihood."""

from __future__ import annotations

import pytest

from enzyme_cc.autodiff.core.options import Options
from enzyme_cc.autodiff.variants.choice_helpers import ChoiceHelpers
from enzyme_cc.autodiff.variants.random_choices import TracedCopies, constant_text, samples
from enzyme_cc.autodiff.variants.traces import trace_choices
from enzyme_cc.ir.constants import GlobalRef
from enzyme_cc.ir.module import Module
from enzyme_cc.ir.types import DOUBLE
from enzyme_cc.report.diagnostics import EnzymeError
from enzyme_cc.rules import trace_interface as interface

from .asking import body, checked

INTERFACE = """
declare ptr @__enzyme_newtrace()
declare ptr @__enzyme_get_trace(ptr, ptr)
declare i64 @__enzyme_get_choice(ptr, ptr, ptr, i64)
declare void @__enzyme_insert_call(ptr, ptr, ptr)
declare void @__enzyme_insert_choice(ptr, ptr, double, ptr, i64)
declare void @__enzyme_insert_gradient_choice(ptr, ptr, ptr, i64)
declare i32 @__enzyme_has_call(ptr, ptr)
declare i32 @__enzyme_has_choice(ptr, ptr)
"""
MODULE = """
@mu = private constant [3 x i8] c"mu\\00"
@variable = global [3 x i8] c"mu\\00"
@enzyme_likelihood = external global i32
@enzyme_duplikelihood = external global i32
declare double @__enzyme_sample(...)
declare double @__enzyme_likelihood(...)
declare double @normal(double)
declare double @log_normal(double, double)
define double @plain(double %x) {{
  ret double %x
}}
define double @model(double %x) {{
  {body}
}}
{more}
"""
CHOICE = "%y = call double (...) @__enzyme_sample(ptr @normal, ptr @log_normal, ptr @mu, double %x)\n  ret double %y"
REQUEST = """
define double @g(double %x, ptr %sum) {{
  %r = call double (...) @__enzyme_likelihood(ptr @model, double %x, {})
  ret double %r
}}
"""


def module(code: str = CHOICE, more: str = INTERFACE) -> Module:
    return Module.parse(MODULE.format(body=code, more=more))


def copied(code: str = CHOICE, *, traced: bool = False, observed: bool = False) -> list[str]:
    made = module(code)
    helpers = ChoiceHelpers(made)
    name = TracedCopies(made, helpers, traced, observed).copy("@model").name
    return body(str(made) + helpers.text_of_all, name.removeprefix("@"))


def test_a_choice_adds_its_log_density_to_the_likelihood() -> None:
    assert copied() == [
        "%1 = call double @__ez_draw.normal(double %x)",
        "%2 = ptrtoint ptr %trace to i64",
        "%3 = ptrtoint ptr @mu to i64",
        "%4 = call double @__ez_choice.double(double %1, ptr %anchor, i64 %2, i64 %3)",
        "%5 = call double @log_normal(double %x, double %4)",
        "%6 = load double, ptr %likelihood, align 8",
        "%7 = fadd double %6, %5",
        "store double %7, ptr %likelihood, align 8",
        "ret double %4",
    ]


def test_a_choice_is_taken_from_the_observations_if_there_are_some() -> None:
    assert copied(observed=True)[0] == "%1 = call double @__ez_observe.normal(ptr %observations, ptr @mu, double %x)"


def test_a_choice_goes_to_the_trace_if_there_is_one() -> None:
    insert = "call void @__ez_insert.double(ptr %trace, ptr @mu, double %5, double %4)"
    assert insert in copied(traced=True)
    assert insert not in copied()


@pytest.mark.parametrize(
    "call", ["(ptr @normal, double %x)", "(ptr @normal, ptr @log_normal, ptr @mu)", "(ptr @mu, ptr @mu, ptr @mu)"]
)
def test_a_choice_whose_functions_do_not_fit_is_refused(call: str) -> None:
    with pytest.raises(EnzymeError, match="EZ0215"):
        copied(f"%y = call double (...) @__enzyme_sample{call}\n  ret double %y")


def test_a_function_that_makes_no_choice_is_not_copied() -> None:
    assert samples(module(), "@model")
    assert not samples(module(), "@plain")


def test_a_name_is_known_if_it_is_constant() -> None:
    assert constant_text(module(), GlobalRef.of("@mu")) == "mu"
    assert constant_text(module(), GlobalRef.of("@variable")) is None


def test_a_helper_is_inactive_and_made_once() -> None:
    helpers = ChoiceHelpers(module())
    normal = helpers.module.functions["@normal"]
    assert helpers.drawing(normal) == helpers.drawing(normal) == "@__ez_draw.normal"
    text = helpers.text_of_all
    assert text.count("define internal double @__ez_draw.normal(") == 1
    assert "@__enzyme_inactivefn___ez_draw.normal = " in text


def test_a_choice_of_a_trace_delivers_its_derivative() -> None:
    helpers = ChoiceHelpers(module())
    for traced, delivers in ((True, True), (False, False)):
        name = helpers.chosen(DOUBLE, traced)
        text = checked(str(helpers.module) + helpers.text_of_all)
        reverse = "\n".join(body(text, f"{name[1:]}.reverse"))
        assert ("@__enzyme_insert_gradient_choice" in reverse) is delivers


def test_an_interface_that_the_program_lacks_is_refused_unless_a_table_has_it() -> None:
    with pytest.raises(EnzymeError, match="EZ0217"):
        ChoiceHelpers(module(more="")).interface(interface.NEW_TRACE, None)
    helpers = ChoiceHelpers(module(more=""), is_table=True)
    assert helpers.interface(interface.NEW_TRACE, None) == "@__ez_forward.newtrace.of_table"


def choices_traced(text: Module) -> str:
    added = trace_choices(text, Options())
    return checked(str(text) + added)


def answered(settings: str) -> str:
    return choices_traced(module(more=INTERFACE + REQUEST.format(settings)))


def test_a_likelihood_is_that_of_a_copy() -> None:
    text = answered("ptr @enzyme_likelihood, ptr %sum")
    assert body(text, "g(")[0] == "%1 = call double @__ez_likelihood.model(double %x, ptr %sum)"
    wrapper = body(text, "__ez_likelihood.model(")
    assert wrapper[-3:-1] == [
        "%total = load double, ptr %sum, align 8",
        "store double %total, ptr %likelihood, align 8",
    ]


def test_a_likelihood_with_a_shadow_is_differentiated() -> None:
    assert "@__enzyme_autodiff_likelihood" in answered("ptr @enzyme_duplikelihood, ptr %sum, ptr %sum")
    assert "@__enzyme_autodiff_likelihood" not in answered("ptr @enzyme_likelihood, ptr %sum")


def test_a_request_without_what_it_is_about_is_refused() -> None:
    with pytest.raises(EnzymeError, match="EZ0202"):
        answered("ptr %sum")


def test_a_choice_that_no_trace_needs_is_drawn() -> None:
    assert body(choices_traced(module()), "model(")[0] == "%1 = call double @normal(double %x)"
