"""Progress of long work: a line that changes on terminals, a line each half minute elsewhere."""

from __future__ import annotations

import os
import pty
import subprocess
import sys

from enzyme_cc.report.status_line import StatusLine

WORK = """
import time
from enzyme_cc.report import status_line
status_line._DELAY = 0
status_line._LINE_INTERVAL = {interval}
with status_line.StatusLine("enzyme-ld", {shown}) as shown:
    shown.stage("differentiate")
    shown.count(3, 7)
    time.sleep(1)
"""


def seen_on_a_terminal(shown: bool) -> str:
    """Returns what work prints to a terminal."""
    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "100"}
    subprocess.run(
        [sys.executable, "-c", WORK.format(shown=shown, interval=30)], stderr=theirs, check=True, env=environment
    )
    os.set_blocking(ours, False)
    try:
        return os.read(ours, 1 << 16).decode()
    except BlockingIOError:
        return ""


def test_line_names_stage_functions_and_seconds() -> None:
    progress = StatusLine("enzyme-ld")
    progress.stage("differentiate")
    progress.count(3, 7)
    assert progress.line() == "enzyme-ld: differentiate, 3 of 7 functions, 0 s"
    progress.stage("emit")
    assert progress.line() == "enzyme-ld: emit, 0 s"


def test_terminal_shows_the_line() -> None:
    assert "differentiate, 3 of 7 functions" in seen_on_a_terminal(shown=True)


def test_nothing_is_shown_if_not_wanted() -> None:
    assert seen_on_a_terminal(shown=False) == ""


def printed(interval: float) -> str:
    """Returns what work of one second prints to a pipe."""
    work = WORK.format(shown=True, interval=interval)
    return subprocess.run([sys.executable, "-c", work], capture_output=True, check=True, text=True).stderr


def test_a_line_is_printed_now_and_then_without_a_terminal() -> None:
    assert printed(30) == ""
    assert printed(0.6) == "enzyme-ld: differentiate, 3 of 7 functions, 1 s\n"
