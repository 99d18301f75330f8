"""A cache of functions for all tests of this folder, and a function that builds from `sources`."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import enzyme_cc

SOURCES = Path(__file__).parent / "sources"


@pytest.fixture(autouse=True, scope="session")
def cache_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("cache")
    before = os.environ.get("ENZYME_CC_CACHE")
    os.environ["ENZYME_CC_CACHE"] = str(folder)
    yield folder
    if before is None:
        del os.environ["ENZYME_CC_CACHE"]
    else:
        os.environ["ENZYME_CC_CACHE"] = before


@pytest.fixture(scope="session")
def build() -> Callable[..., Any]:
    """Builds a function of a file in `sources`, each once."""
    built: dict[tuple[str, str, str | None], Any] = {}

    def make(file: str, name: str, signature: str | None = None) -> Any:
        key = (file, name, signature)
        if key not in built:
            built[key] = enzyme_cc.function(SOURCES / file, name, signature)
        return built[key]

    return make
