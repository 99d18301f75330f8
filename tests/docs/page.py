"""The examples of docs/python.md: one program of what is in the default environment, and one for each framework.

A framework's program is the first example, which defines `f`, `x` and `mass`, and the blocks that name the framework.
"""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "python.md"
_BLOCK = re.compile(r"^```(?P<language>c|fortran|python|text)(?: (?P<label>\S+))?\n(?P<text>.*?)^```$", re.M | re.S)
_MARK = "--- block ---\n"


@dataclass(frozen=True)
class Examples:
    """The blocks of a program, and what each must print."""

    programs: list[str]
    expected: list[str]

    def check(self, folder: Path) -> None:
        """Runs the program in a folder, which gets the page's C and Fortran files. Fails if it prints anything else."""
        for match in _BLOCK.finditer(PAGE.read_text()):
            if match["language"] in ("c", "fortran"):
                (folder / match["label"]).write_text(match["text"])
        (folder / "page.py").write_text(f"print({_MARK!r}, end='')\n".join(self.programs))
        done = subprocess.run([sys.executable, "page.py"], capture_output=True, text=True, cwd=folder, timeout=300)
        assert done.returncode == 0, done.stderr
        assert done.stdout.split(_MARK) == self.expected


def examples(framework: str | None = None) -> Examples:
    """Returns the examples of a framework; without a name, those that need none of them."""
    blocks = list(_BLOCK.finditer(PAGE.read_text()))

    def texts(language: str) -> list[str]:
        plain = [b["text"] for b in blocks if b["language"] == language and b["label"] is None]
        if framework is None:
            return plain
        return [plain[0], *(b["text"] for b in blocks if b["language"] == language and b["label"] == framework)]

    return Examples(texts("python"), texts("text"))
