"""What is printed to standard error is kept."""

import sys

import pytest

from enzyme_cc.report.said import remembered


def test_what_is_printed_is_kept_and_passed_on(capsys: pytest.CaptureFixture[str]) -> None:
    with remembered() as outer:
        print("first", file=sys.stderr)
        with remembered() as inner:
            print("second", file=sys.stderr, flush=True)
    print("third", file=sys.stderr)
    assert outer.text == "first\nsecond\n"
    assert inner.text == "second\n"
    assert capsys.readouterr().err == "first\nsecond\nthird\n"
