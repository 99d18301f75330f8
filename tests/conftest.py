"""What is said at the end of any run: pytest reads this file first, those of folders only in the workers of xdist."""

from __future__ import annotations

import os

import pytest

# Each link of a test is one: tests of the cache choose a folder of their own.
os.environ["ENZYME_CC_LINK_CACHE"] = "off"


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """How well forward and reverse mode agree: w·(J v) and (J' w)·v, relative to the terms of the sums."""
    reports = [r for outcome in ("passed", "failed") for r in terminalreporter.getreports(outcome)]
    found = [(value, r.nodeid) for r in reports for name, value in r.user_properties if name == "identity"]
    if found:
        worst, where = max(found)
        program = where.split("::")[-1]
        terminalreporter.write_line(f"forward against reverse mode: worst error {worst:.1e}, in {program}")
