"""What is printed to standard error is kept."""

import sys

import pytest

from enzyme_cc.report.said import Said, remember


def test_what_is_printed_is_kept_and_passed_on(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stderr", sys.stderr)
    said = remember()
    assert isinstance(sys.stderr, Said)
    print("a warning", file=sys.stderr, flush=True)
    assert said.text == "a warning\n"
    assert capsys.readouterr().err == "a warning\n"
