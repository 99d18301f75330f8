"""Diagnostics tell how a function was reached from a request."""

from __future__ import annotations

import pytest

from enzyme_cc.analysis.activity.activity import ArgumentActivity
from enzyme_cc.autodiff.core.call_chains import CallChains
from enzyme_cc.report.diagnostics import EnzymeError

from ..rounds import signature

OUTER, INNER, OTHER = (signature(name, ArgumentActivity.OUT) for name in ("@outer", "@inner", "@other"))


def chains() -> CallChains:
    """The request at a.c:1 asks for outer, which asks for inner."""
    found = CallChains()
    with found.asking_at("a.c:1"):
        found.ask(OUTER)
    with found.making(OUTER):
        found.ask(INNER)
    return found


def test_a_chain_leads_from_the_request_to_the_function() -> None:
    assert chains().functions(INNER) == ("outer", "inner")


def test_the_first_way_counts() -> None:
    found = chains()
    with found.making(OTHER):
        found.ask(INNER)
    assert found.functions(INNER) == ("outer", "inner")


def test_an_error_in_a_derivative_gets_the_chain() -> None:
    found = chains()
    with pytest.raises(EnzymeError) as error, found.making(INNER):
        raise EnzymeError.of("EZ0304", "it cannot be made", reason="a test")
    assert "a.c:1" in str(error.value)
    assert "outer calls inner" in str(error.value)
