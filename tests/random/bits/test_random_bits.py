"""Random functions that compute with the bits of numbers: gradients and tangents against central differences.

`pytest tests/random` tries ten, `pytest -m random tests/random` 200.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from ..program import complaints
from ..test_random import LEVELS, START
from .bit_functions import BitFunction
from .bit_program import BitProgram


def check(folder: Path, first: int, level: str, count: int = 10) -> None:
    """A refusal passes: no answer is right for some integers that hold a few bits of a number."""
    print(f"seeds {first} to {first + count - 1}, {level}")
    outcomes = BitProgram(folder, [BitFunction(first + k, f"f{k}") for k in range(count)]).outcomes(level)
    bad = complaints(outcomes, first, level, "EZ030")
    assert not bad, bad
    assert sum(o.kind == "right" for o in outcomes) >= count // 2, "too many functions are refused or skipped"


def test_a_few(tmp_path: Path) -> None:
    check(tmp_path, START, "-O2")


@pytest.mark.random
@pytest.mark.parametrize("k", range(5))
@pytest.mark.parametrize("level", LEVELS)
def test_many(tmp_path: Path, level: str, k: int) -> None:
    check(tmp_path, START + 1000 * int(level[-1]) + 10 * k, level)
