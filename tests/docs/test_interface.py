"""Each example of these pages prints what the page says; each word of docs/interface.md has an example.

Blocks of code that follow one another are files of one program, and what it prints stands below the last. A line
`! flags: …` in one of them adds options to the link.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from enzyme_cc.autodiff.core.markers import Marker
from enzyme_cc.autodiff.requests.grammar import GRAMMARS

DOCS = Path(__file__).parents[2] / "docs"
BIN = Path(sys.executable).parent
COMPILERS = {"c": ("enzyme-cc", ".c"), "c++": ("enzyme-c++", ".cpp"), "fortran": ("enzyme-fc", ".f90")}


class Example(NamedTuple):
    title: str
    files: list[tuple[str, str]]  #: language and text of each
    output: str


def examples(page: str) -> list[Example]:
    """Code blocks, the last of a program followed by a block of what it prints."""
    found, title = [], ""
    files: list[tuple[str, str]] = []
    block = r"^```(?P<language>c|c\+\+|fortran|text)\n(?P<text>.*?)^```$"
    pattern = re.compile(rf"^##+ (?P<title>[^\n]*)$|{block}", re.M | re.S)
    for match in pattern.finditer((DOCS / page).read_text()):
        if match["title"]:
            assert not files, f"nothing tells what the example of {title} prints"
            title = match["title"]
        elif match["language"] != "text":
            files.append((match["language"], match["text"]))
        elif files:
            found.append(Example(title, files, match["text"]))
            files = []
    assert not files, f"nothing tells what the example of {title} prints"
    return found


INTERFACE = examples("interface.md")
EXAMPLES = [*INTERFACE, *examples("iterative-solvers.md"), *examples("fortran.md")]
LEVELS = ["-O2", *(pytest.param(level, marks=pytest.mark.slow) for level in ("-O0", "-O1", "-O3"))]
_WORDS = re.compile(r"\W+")
_FLAGS = re.compile(r"^! flags: (.*)$", re.M)


def run(folder: Path, *command: str | Path) -> None:
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("example", EXAMPLES, ids=lambda e: _WORDS.sub("-", e.title).strip("-")[:40])
def test_example(tmp_path: Path, example: Example, level: str) -> None:
    objects = []
    for number, (language, text) in enumerate(example.files):
        compiler, suffix = COMPILERS[language]
        source = tmp_path / f"example{number}{suffix}"
        source.write_text(text)
        objects.append(source.with_suffix(".o"))
        run(tmp_path, BIN / compiler, level, "-Wall", "-c", source, "-o", objects[-1])
    linker, _ = COMPILERS[max((language for language, _ in example.files), key=list(COMPILERS).index)]
    flags = [flag for _, text in example.files for flags in _FLAGS.findall(text) for flag in flags.split()]
    run(tmp_path, BIN / linker, level, *objects, *flags, "-lm", "-o", tmp_path / "example")
    done = subprocess.run([tmp_path / "example"], capture_output=True, text=True, timeout=60, cwd=tmp_path)
    assert done.returncode == 0
    assert done.stdout == example.output


def test_every_word_has_an_example() -> None:
    sources = "".join(text for example in INTERFACE for _, text in example.files)
    words = [*(marker.value for marker in Marker), *(kind.value for kind in GRAMMARS)]
    assert [word for word in words if word not in sources] == []
