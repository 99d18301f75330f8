"""Random Fortran functions through the whole chain: their gradients, and forward mode, against the complex step.

`pytest -m random tests/random/fortran` tries 200, over all levels.
`python -m tests.random.tally fortran SEED COUNT LEVEL` lists them by cause, and
`python -m tests.random.reduce SEED LEVEL fortran` makes one function small.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from .generate_fortran import function
from .program_fortran import FortranProgram

START = 1
LEVELS = ["-O0", "-O1", "-O2", "-O3"]


def check(folder: Path, first: int, count: int, level: str) -> None:
    """No function is wrong, none crashes; refusals are allowed."""
    sources = [function(first + k, f"f{k}") for k in range(count)]
    outcomes = FortranProgram(folder, sources).outcomes(level)
    bad = [f"seed {first + int(o.name[1:])} {level}: {o.detail}" for o in outcomes if o.kind in ("wrong", "crashed")]
    assert not bad, "\n".join(bad)
    assert sum(o.kind == "right" for o in outcomes) >= count // 2


def test_a_few(tmp_path: Path) -> None:
    check(tmp_path, START, 3, "-O1")


def test_no_half_of_a_vector_is_lost(tmp_path: Path) -> None:
    """Seed 98900006 was wrong: LLVM 22's code generator lost half of a vector that the SLP vectoriser had made."""
    check(tmp_path, 98900005, 5, "-O2")


@pytest.mark.random
@pytest.mark.parametrize("level", LEVELS)
def test_many(tmp_path: Path, level: str) -> None:
    """50 functions."""
    for k in range(10):
        check(tmp_path / str(k), START + 1000 * int(level[-1]) + 5 * k, 5, level)
