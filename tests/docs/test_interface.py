"""docs/interface.md: each example is compiled and run, and prints what the page says; each word has an example."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from enzyme_cc.autodiff.markers import MARKERS
from enzyme_cc.autodiff.request_grammar import GRAMMARS

PAGE = Path(__file__).parents[2] / "docs" / "interface.md"
BIN = Path(sys.executable).parent
COMPILERS = {"c": ("enzyme-cc", ".c"), "c++": ("enzyme-c++", ".cpp"), "fortran": ("enzyme-fc", ".f90")}


class Example(NamedTuple):
    title: str
    language: str
    source: str
    output: str


def examples() -> list[Example]:
    """Code blocks, each followed by a block of what it prints."""
    found, title = [], ""
    block = r"^```(?P<language>c|c\+\+|fortran)\n(?P<source>.*?)^```$"
    pattern = re.compile(rf"^##+ (?P<title>[^\n]*)$|{block}", re.M | re.S)
    text = PAGE.read_text()
    for match in pattern.finditer(text):
        if match["title"]:
            title = match["title"]
            continue
        output = re.match(r"\s*```text\n(.*?)^```$", text[match.end() :], re.M | re.S)
        assert output is not None, f"nothing tells what the example of {title} prints"
        found.append(Example(title, match["language"], match["source"], output[1]))
    return found


EXAMPLES = examples()
LEVELS = ["-O0", "-O2", *(pytest.param(level, marks=pytest.mark.slow) for level in ("-O1", "-O3"))]
_WORDS = re.compile(r"\W+")


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("example", EXAMPLES, ids=lambda e: _WORDS.sub("-", e.title).strip("-")[:40])
def test_example(tmp_path: Path, example: Example, level: str) -> None:
    compiler, suffix = COMPILERS[example.language]
    source = tmp_path / f"example{suffix}"
    source.write_text(example.source)
    command = [BIN / compiler, level, "-Wall", source, "-lm", "-o", tmp_path / "example"]
    built = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert built.returncode == 0, built.stderr
    done = subprocess.run([tmp_path / "example"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0
    assert done.stdout == example.output


def test_every_word_has_an_example() -> None:
    sources = "".join(example.source for example in EXAMPLES)
    words = [*MARKERS, *(kind.value for kind in GRAMMARS)]
    assert [word for word in words if word not in sources] == []
