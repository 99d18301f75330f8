"""The syntax trees of this project's files: several tests look at all of them, and parsing takes most of their time."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path


@cache
def tree(path: Path) -> ast.Module:
    """Returns the syntax tree of a file, which is parsed once. Nobody changes it."""
    return ast.parse(path.read_text())
