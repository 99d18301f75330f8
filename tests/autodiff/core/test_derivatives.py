"""The registry of derivatives: each is queued once; the failure of an optional one matters when it is required."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from enzyme_cc.analysis.activity.activity import ArgumentActivity
from enzyme_cc.analysis.memory.facts import EVERYTHING
from enzyme_cc.autodiff.core.derivatives import Derivatives
from enzyme_cc.autodiff.core.signature import Form
from enzyme_cc.report.diagnostics import EnzymeError

from ..rounds import complete, signature

F = "define double @f(double %x) {\n  ret double %x\n}\n"
SIGNATURE = signature("@f", ArgumentActivity.OUT)
FEWER, MORE, OTHER = (replace(SIGNATURE, preserved=kept) for kept in ((1,), (1, EVERYTHING), (0, 1)))


def registry() -> Derivatives:
    return complete(F).derivatives


def test_a_derivative_is_queued_when_it_is_first_asked_for() -> None:
    derivatives = registry()
    name, prototype = derivatives.of(SIGNATURE, Form.COMBINED)
    assert (name, str(prototype.type)) == ("@__ez_gradient.f", "{ double, double } (double, double)")
    assert derivatives.of(SIGNATURE, Form.COMBINED) == (name, prototype)
    assert list(derivatives.pending()) == [(SIGNATURE, Form.COMBINED)]


def test_derivatives_that_are_asked_for_meanwhile_are_made_too() -> None:
    derivatives = registry()
    derivatives.of(SIGNATURE, Form.AUGMENTED)
    forms = []
    for _, form in derivatives.pending():
        forms.append(form)
        derivatives.of(SIGNATURE, Form.REVERSE)
    assert forms == [Form.AUGMENTED, Form.REVERSE]


def test_what_an_optional_derivative_asks_for_is_optional() -> None:
    derivatives = registry()
    with derivatives.optional(True):
        derivatives.of(SIGNATURE, Form.COMBINED)
    assert not derivatives.is_required(SIGNATURE)
    derivatives.of(SIGNATURE, Form.COMBINED)
    assert derivatives.is_required(SIGNATURE)


def test_the_failure_of_an_optional_derivative_is_raised_once_it_is_required() -> None:
    derivatives = registry()
    derivatives.note_failure(SIGNATURE, EnzymeError.of("EZ0304", "it cannot be made", reason="a test"))
    with derivatives.optional(True):
        derivatives.of(SIGNATURE, Form.COMBINED)
    with pytest.raises(EnzymeError, match="it cannot be made"):
        derivatives.of(SIGNATURE, Form.COMBINED)


def test_a_call_shares_a_derivative_that_assumes_no_more_than_the_call_ensures() -> None:
    derivatives = registry()
    assert [derivatives.shared(s, 1) for s in (FEWER, MORE, OTHER)] == [FEWER, FEWER, FEWER]
    constant = signature("@f", ArgumentActivity.CONST)
    assert derivatives.shared(constant, 1) == constant


def test_calls_share_what_all_of_them_ensure() -> None:
    derivatives = registry()
    assert [derivatives.shared(s, 1) for s in (MORE, OTHER, MORE)] == [MORE, FEWER, FEWER]
    assert [derivatives.is_shared(s) for s in (MORE, FEWER)] == [False, True]


def test_a_derivative_that_may_be_made_already_stays() -> None:
    derivatives = registry()
    assert derivatives.shared(MORE, 1) == MORE
    derivatives.settle()
    assert [derivatives.shared(s, 1) for s in (OTHER, MORE)] == [FEWER, MORE]


def test_a_small_function_has_several_derivatives_that_assume_different_things() -> None:
    derivatives = registry()
    assert [derivatives.shared(s, 2) for s in (FEWER, MORE, OTHER)] == [FEWER, MORE, FEWER]
