"""Random functions that make threads: gradients against differences, and forward against reverse mode.

With 1 to 8 threads. `pytest tests/random` tries one, `pytest -m random tests/random` 50 at each of three levels.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from ..test_random import LEVELS, START
from .made import MadeThreads
from .test_random_openmp import check


def _check(folder: Path, seed: int, level: str) -> None:
    check(folder, MadeThreads(seed).program(), (level, "-pthread"), "THREADS")


def test_one(tmp_path: Path) -> None:
    _check(tmp_path, START, "-O2")


@pytest.mark.random
@pytest.mark.parametrize("k", range(50))
@pytest.mark.parametrize("level", LEVELS)
def test_many(tmp_path: Path, level: str, k: int) -> None:
    _check(tmp_path, START + 1000 * int(level[-1]) + k, level)
