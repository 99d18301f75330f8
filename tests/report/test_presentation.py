"""How diagnostics look on a terminal and as SARIF, and how names are spelt in them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from enzyme_cc.report import Diagnostic, EnzymeError, presentation, tell
from enzyme_cc.report.presentation import on_terminal, plain
from enzyme_cc.report.sarif import log
from enzyme_cc.report.spelling import demangled, did_you_mean

FAULT = Diagnostic("EZ0302", "call of _ZN2ns1fEd", "{}:2:4", "_Z1gd", "it is native", calls=("_Z1gd",), request="a.c:9")


@pytest.fixture
def fault(tmp_path: Path) -> Diagnostic:
    source = tmp_path / "a.c"
    source.write_text("int a;\n\tint b = 3;\n")
    return FAULT._replace(location=f"{source}:2:6")


def test_terminal_shows_the_source_line_with_a_caret_below_the_column(fault: Diagnostic) -> None:
    coloured = on_terminal(fault, "error")
    first, line, caret, function, *_ = plain(coloured).splitlines()
    assert first.endswith("a.c:2:6: error: call of ns::f(double) [EZ0302]")
    assert (line, caret) == ("    2 | \tint b = 3;", "      | \t    ^")
    assert function == "  in function: g(double)"
    assert "\033[1;31merror: " in coloured


def test_terminal_leaves_out_a_source_that_is_not_there() -> None:
    assert plain(on_terminal(FAULT, "warning")) == FAULT.render("warning")


def test_no_colours_where_there_is_no_terminal(fault: Diagnostic, capsys: pytest.CaptureFixture[str]) -> None:
    tell(EnzymeError([fault]))
    assert capsys.readouterr().err == fault.render() + "\n"


def test_sarif_has_the_place_the_function_the_remedy_and_the_request(fault: Diagnostic) -> None:
    run = json.loads(log([fault], "warning"))["runs"][0]
    [result], [rule] = run["results"], run["tool"]["driver"]["rules"]
    assert (result["ruleId"], result["level"], rule["id"]) == ("EZ0302", "warning", "EZ0302")
    assert result["message"]["text"] == "call of ns::f(double)"
    [place] = result["locations"]
    assert place["physicalLocation"]["region"] == {"startLine": 2, "startColumn": 6}
    assert place["logicalLocations"][0]["name"] == "g(double)"
    assert result["properties"]["reason"] == "it is native" and result["properties"]["remedy"]
    assert result["relatedLocations"][0]["physicalLocation"]["region"] == {"startLine": 9}


def test_form_of_all_that_follows_can_be_chosen(capsys: pytest.CaptureFixture[str]) -> None:
    presentation.choose("json")
    try:
        tell(EnzymeError([FAULT]))
    finally:
        presentation.choose("text")
    assert json.loads(capsys.readouterr().err)["version"] == "2.1.0"


@pytest.mark.parametrize("location, has_hint", [(None, True), ("a.c:3", False)])
def test_hint_at_debug_information_where_a_line_is_missing(location: str | None, has_hint: bool) -> None:
    assert ("  hint: compile with -g" in Diagnostic("EZ0302", "x", location, "f").render()) == has_hint


@pytest.mark.parametrize(
    "text, source",
    [
        ("_ZN2ns1fEd", "ns::f(double)"),
        ("_QMsolverPstep calls _QFouterPinner", "solver::step calls inner"),
        ("_QFPinner", "inner"),
        ("a_Z1fd", "a_Z1fd"),
        ("_Znothing", "_Znothing"),
    ],
)
def test_names_are_those_of_the_source(text: str, source: str) -> None:
    assert demangled(text) == source


def test_symbols_stay_where_an_option_takes_them() -> None:
    assert "_Z1fd" in Diagnostic("EZ0311", "functions that calls may reach are left out: _Z1fd").render()


def test_near_names() -> None:
    assert did_you_mean("--chek", ["--check", "--explain"]) == "did you mean --check? "
    assert did_you_mean("--zzz", ["--check"]) == ""


def test_kept_text_has_no_colours() -> None:
    assert plain("\033[1mbold\033[0m") == "bold"
