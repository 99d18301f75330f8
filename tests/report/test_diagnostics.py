"""Diagnostics: how they read, and that each id is documented."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from enzyme_cc.report import Diagnostic, EnzymeError
from enzyme_cc.report.catalogue import CATALOGUE, FAMILIES
from enzyme_cc.report.document import document

ROOT = Path(__file__).parents[2]


def test_rendering_with_all_fields() -> None:
    error = EnzymeError.of(
        "EZ0302", "no derivative of f", location="a.c:3:7", function="g", reason="it is native", remedy="rebuild it"
    )
    assert error.render().splitlines() == [
        "a.c:3:7: error: no derivative of f [EZ0302]",
        "  in function: g",
        "  reason: it is native",
        "  remedy: rebuild it",
    ]


def test_rendering_without_location_names_the_program() -> None:
    text = EnzymeError.of("EZ0102", "x.a is a corrupt archive").render()
    assert text.startswith("enzyme-ld: error: x.a is a corrupt archive [EZ0102]")
    assert f"remedy: {CATALOGUE['EZ0102'].remedy}" in text


def test_a_fault_of_no_function_is_located_at_the_request() -> None:
    reached = EnzymeError.of("EZ0302", "it cannot be differentiated again").reached(("gradient",), "a.c:9:3")
    assert reached.render().splitlines()[:2] == [
        "a.c:9:3: error: it cannot be differentiated again [EZ0302]",
        "  reached by: the request at a.c:9:3, gradient",
    ]
    reached = EnzymeError.of("EZ0302", "no derivative of f", function="g").reached(("g",), "a.c:9:3")
    assert reached.diagnostics[0].location is None


def test_equal_diagnostics_are_printed_once() -> None:
    diagnostic = Diagnostic("EZ0301", "inline assembly", "a.c:1:1")
    assert EnzymeError([diagnostic, diagnostic]).render() == diagnostic.render()


def test_unknown_id_is_refused() -> None:
    with pytest.raises(ValueError, match="EZ9999"):
        EnzymeError.of("EZ9999", "x")


def test_catalogue_is_sorted_and_each_id_has_a_family() -> None:
    assert list(CATALOGUE) == sorted(CATALOGUE)
    assert all(re.fullmatch(r"EZ\d{4}", id) and id[:4] in FAMILIES for id in CATALOGUE)


def test_every_id_in_the_sources_is_in_the_catalogue() -> None:
    """Also ids that no test provokes."""
    sources = (path.read_text() for path in (ROOT / "enzyme_cc").rglob("*.py"))
    used = {id for text in sources for id in re.findall(r'"(EZ\d{4})"', text)}
    assert used <= set(CATALOGUE)


def test_documentation_is_up_to_date() -> None:
    assert (ROOT / "docs" / "diagnostics.md").read_text() == document()
