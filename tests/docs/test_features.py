"""The page of features that cross packages names files that are there."""

from __future__ import annotations

import re

from .files import ROOT

PAGE = ROOT / "docs" / "features.md"


def missing(text: str) -> list[str]:
    """Returns the paths in a text that are neither in the tree nor in the package."""
    paths = re.findall(r"`([\w/]+/\w+\.(?:py|c))`", text)
    return [path for path in paths if not any((folder / path).is_file() for folder in (ROOT, ROOT / "enzyme_cc"))]


def test_every_file_that_the_page_names_is_there() -> None:
    assert missing(PAGE.read_text()) == []


def test_a_file_that_is_gone_is_seen() -> None:
    assert missing("`autodiff/engine.py` and `autodiff/gone.py`") == ["autodiff/gone.py"]
