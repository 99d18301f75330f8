"""docs/python.md: its examples, run in order as one program, print what the page says; README has the first."""

from __future__ import annotations

import re
import subprocess
import sys
import textwrap
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "python.md"
README = PAGE.parents[1] / "README.md"
_BLOCK = re.compile(r"^```(?P<language>c|python|text)(?: (?P<file>\S+))?\n(?P<text>.*?)^```$", re.M | re.S)
_MARK = "--- block ---\n"


def test_examples_print_what_the_page_says(tmp_path: Path) -> None:
    blocks = [(match["language"], match["file"], match["text"]) for match in _BLOCK.finditer(PAGE.read_text())]
    for _, file, text in blocks:
        if file is not None:
            (tmp_path / file).write_text(text)
    programs = [text for language, _, text in blocks if language == "python"]
    expected = [text for language, _, text in blocks if language == "text"]
    (tmp_path / "page.py").write_text(f"print({_MARK!r}, end='')\n".join(programs))
    done = subprocess.run([sys.executable, "page.py"], capture_output=True, text=True, cwd=tmp_path, timeout=300)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split(_MARK) == expected
    assert textwrap.indent(expected[0], "    ") in README.read_text()
