"""What is said at the end of any run: pytest reads this file first, those of folders only in the workers of xdist."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from . import link_server

TESTS = Path(__file__).parent
#: the folders of tests that link many programs, and where it does not matter how the linker's process starts
FORKED = {"autodiff", "analysis", "frameworks", "link", "mpi", "programs", "python", "random", "rules"}

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


@pytest.fixture(autouse=True)
def quick_links(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Links of programs fork a process that has imported the linker. Others start as users' links do."""
    if request.path.relative_to(TESTS).parts[0] in FORKED:
        monkeypatch.setenv("ENZYME_CC_PYTHON", str(link_server.client()))
