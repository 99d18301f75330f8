"""The sources of `compiled.py` in a folder, and a cache for the functions of one file of tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from .compiled import write


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ENZYME_CC_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield write(tmp_path_factory.mktemp("sources"))
