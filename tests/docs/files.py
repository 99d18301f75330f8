"""Writes docs/files.md, one line for each Python and C file of the program: `python -m tests.docs.files`."""

import ast
import re
from itertools import groupby
from pathlib import Path

from tests.structure.trees import tree

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "files.md"
TREES = ["enzyme_cc", "toolchain"]
SUFFIXES = {".py", ".c", ".h", ".cpp", ".hpp"}

_INTRODUCTION = """\
# Files

Each Python and C file with the first sentence that it says about itself. [architecture.md](architecture.md) explains
how the folders belong together. The files of `tests/` are not listed: each test has the folder of what it tests.
`python -m tests.docs.files` writes this page; a test compares it with the tree.
"""


def document() -> str:
    """Returns the text of docs/files.md."""
    return _INTRODUCTION + sections(*TREES)


def sections(*trees: str) -> str:
    """Returns the folders of these trees, each with a line for each of its files."""
    found = [path for tree in trees for path in (ROOT / tree).rglob("*") if path.suffix in SUFFIXES]
    texts = []
    for folder, group in groupby(sorted(filter(_is_listed, found), key=_place), key=lambda path: path.parent):
        lines = "".join(f"- `{path.name}`: {first_sentence(path)}\n" for path in group)
        texts.append(f"\n## {folder.relative_to(ROOT).as_posix()}\n\n{lines}")
    return "".join(texts)


def _place(path: Path) -> tuple[Path, str]:
    return path.parent, path.name


def _is_listed(path: Path) -> bool:
    """True unless the file is empty, or a part of a program that its main.c or main.cpp describes."""
    is_program = ROOT / "tests" in path.parents and any(path.parent.glob("main.c*"))
    return bool(path.read_text().strip()) and (path.stem == "main" or not is_program)


def first_sentence(path: Path) -> str:
    """Returns what a file says first about itself; a C file without words of its own has those of its header."""
    text = _python_docstring(path) if path.suffix == ".py" else _first_comment(path)
    own = re.sub(r"^\s*expect: .*$", "", text, flags=re.M)  # without what the test of a program expects it to say
    paragraph = " ".join(re.split(r"\n\s*\n", (own.strip() or text.strip()))[0].split())
    return re.split(r"(?<=\.)\s+", paragraph)[0]


def _python_docstring(path: Path) -> str:
    return ast.get_docstring(tree(path)) or ""


def _first_comment(path: Path) -> str:
    text = path.read_text()
    header = path.with_suffix(".h")
    if text.startswith("#include") and path != header and header.exists():
        return _first_comment(header)
    block = re.search(r"/\*(?P<block>.*?)\*/|(?P<lines>(?:^//[^\n]*\n)+)", text, re.S | re.M)
    if block is None:
        return ""
    return re.sub(r"^\s*(?:\*|//) ?", "", block["block"] or block["lines"], flags=re.M)


if __name__ == "__main__":
    PAGE.write_text(document())
