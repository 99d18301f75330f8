"""docs/python.md: its examples, run in order as one program, print what the page says; README has the first.

tests/frameworks runs those of frameworks that are not in the default environment.
"""

from __future__ import annotations

import textwrap
from pathlib import Path

from .page import PAGE, examples

README = PAGE.parents[1] / "README.md"


def test_examples_print_what_the_page_says(tmp_path: Path) -> None:
    found = examples()
    found.check(tmp_path)
    assert textwrap.indent(found.expected[0], "    ") in README.read_text()
