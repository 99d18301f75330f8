"""Diagnostics speak of the program's functions, not of their lowered copies."""

from __future__ import annotations

from enzyme_cc.autodiff.unwinding.names import COPY, ENTRY, in_source_terms, is_entry
from enzyme_cc.report.diagnostics import EnzymeError
from enzyme_cc.rules.library_functions import CATCHING


def test_an_error_names_the_original_functions() -> None:
    error = EnzymeError.of("EZ0304", f"in f{COPY}", reason=f"{CATCHING}puts throws", function=f"g{ENTRY}.2")
    found = in_source_terms(error).diagnostics[0]
    assert (found.message, found.reason, found.function) == ("in f", "puts throws", "g")


def test_a_name_that_goes_on_behind_the_suffix_is_the_programs_own() -> None:
    error = EnzymeError.of("EZ0304", "in f.unwinding_stack", reason="", function="f.unwindings")
    found = in_source_terms(error).diagnostics[0]
    assert (found.message, found.function) == ("in f.unwinding_stack", "f.unwindings")


def test_only_functions_that_requests_name_are_entries() -> None:
    assert is_entry(f"f{ENTRY}")
    assert not is_entry(f"f{COPY}")
