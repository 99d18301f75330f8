"""Random machines with stacks of unions: their gradients, in both modes, against the complex step.

`pytest tests/random` tries four, `pytest -m random tests/random` 80.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from ..program import complaints
from ..test_random import LEVELS, START
from .machines import StackMachine
from .union_program import UnionProgram


def check(folder: Path, first: int, level: str, count: int = 4) -> None:
    """A refusal passes: some registers hold what only the program's own conditions tell."""
    print(f"seeds {first} to {first + count - 1}, {level}")
    outcomes = UnionProgram(folder, [StackMachine(first + k, f"f{k}") for k in range(count)]).outcomes(level)
    bad = complaints(outcomes, first, level, "EZ030")
    assert not bad, bad


def test_a_few(tmp_path: Path) -> None:
    check(tmp_path, START, "-O2")


@pytest.mark.random
@pytest.mark.parametrize("k", range(5))
@pytest.mark.parametrize("level", LEVELS)
def test_many(tmp_path: Path, level: str, k: int) -> None:
    check(tmp_path, START + 1000 * int(level[-1]) + 4 * k, level)
