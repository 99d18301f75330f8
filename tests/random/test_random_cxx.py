"""Random C++ functions through the whole chain: their gradients against the complex step.

`pytest tests/random` tries a few, `pytest -m random tests/random` 200. A refusal that names its reason is no failure:
`python -m tests.random.tally cxx SEED COUNT LEVEL` lists them by cause, and
`python -m tests.random.reduce SEED LEVEL cxx` makes one function small.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from .generate_cxx import function
from .program import complaints
from .program_cxx import CxxProgram
from .test_random import LEVELS, START

TOGETHER = 5


def check(folder: Path, first: int, level: str) -> None:
    """The functions of seeds first, first + 1, … in one program."""
    sources = [function(first + k, f"f{k}") for k in range(TOGETHER)]
    outcomes = CxxProgram(folder, sources).outcomes(level)
    bad = complaints(outcomes, first, level, "[EZ03")
    assert not bad, bad


def test_a_few(tmp_path: Path) -> None:
    check(tmp_path, START, "-O2")


@pytest.mark.random
@pytest.mark.parametrize("k", range(10))
@pytest.mark.parametrize("level", LEVELS)
def test_many(tmp_path: Path, level: str, k: int) -> None:
    check(tmp_path, START + 1000 * int(level[-1]) + TOGETHER * k, level)


@pytest.mark.random
def test_strings_that_lie_where_numbers_may(tmp_path: Path) -> None:
    """Strings in maps, and a set of numbers: strings are followed, though no call surely needs that."""
    check(tmp_path, 44200101, "-O3")
