"""What docs/how-reverse-mode-works.md shows of --enzyme-explain is what the tool prints for the code above it."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from .test_interface import BIN, DOCS

PAGE = (DOCS / "how-reverse-mode-works.md").read_text()
#: a request for the function, which the page does not show
REQUEST = """
extern void __enzyme_autodiff(void *, ...);
int main(int argc, char **argv) {{
  double x[4] = {{1, 2, 3, 4}}, d[4] = {{0}};
  __enzyme_autodiff((void *){}, {});
}}
"""
ARGUMENTS = {"f": "x, d, argc, 4", "orbit": "x, d, 4"}


def shown(function: str) -> list[str]:
    """The lines of the page's explanation, without those that it leaves out."""
    block = re.search(rf"^    enzyme-cc: adjoint of {function}\b.*\n(?:      .*\n)+", PAGE, re.M)
    assert block is not None
    return [line.strip() for line in block[0].splitlines() if line.strip() != "…"]


@pytest.mark.parametrize("function", ARGUMENTS)
def test_an_explanation_has_the_lines_that_the_page_shows(function: str, tmp_path: Path) -> None:
    codes = re.findall(r"^```c\n(.*?)^```", PAGE, re.M | re.S)
    code = next(text for text in codes if f" {function}(" in text and "for (" in text)
    source = tmp_path / f"{function}.c"
    # the page's lines are those of a file that begins with #include
    source.write_text("#include <math.h>\n" + code + REQUEST.format(function, ARGUMENTS[function]))
    flags = ["-O2", "--enzyme-explain", *(["-g"] if function == "orbit" else [])]
    done = subprocess.run(
        [BIN / "enzyme-cc", *flags, source.name, "-o", "program", "-lm"], capture_output=True, text=True, cwd=tmp_path
    )
    assert done.returncode == 0, done.stderr
    printed = [line.strip() for line in done.stderr.splitlines()]
    missing = [line for line in shown(function) if line not in printed]
    assert not missing, done.stderr
