"""Random functions through the whole chain: their gradients against the complex step.

`pytest tests/random` tries a few, `pytest -m random tests/random` 300. The seed of each program is printed; one
function of it comes back with `python -m tests.random.reduce SEED LEVEL`, which makes it small. ENZYME_CC_RANDOM_SEED
starts from other numbers.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from .again import AgainProgram
from .generate import function
from .nested import NestedProgram
from .program import Program, complaints

FUNCTIONS = 20
LEVELS = ["-O0", "-O1", "-O2", "-O3"]
START = int(os.environ.get("ENZYME_CC_RANDOM_SEED", "20240301"))


def check(
    folder: Path, first: int, level: str, program: type[Program] = Program, count: int = FUNCTIONS, known: str = "?"
) -> None:
    """The functions of seeds first, first + 1, … in one program; those with the `known` text in a refusal pass."""
    print(f"seeds {first} to {first + count - 1}, {level}")
    sources = [function(first + k, f"f{k}") for k in range(count)]
    outcomes = program(folder, sources).outcomes(level)
    bad = complaints(outcomes, first, level, known)
    assert not bad, bad
    assert sum(o.kind == "right" for o in outcomes) >= count // 2, "too many functions are skipped"


def check_nested(folder: Path, first: int, level: str, count: int) -> None:
    """Second derivatives. Unions of numbers and pointers are not differentiated twice."""
    check(folder, first, level, NestedProgram, count, "holds numbers and pointers at the same place")


def test_a_few(tmp_path: Path) -> None:
    check(tmp_path, START, "-O2")


def test_a_few_second_derivatives(tmp_path: Path) -> None:
    check_nested(tmp_path, START, "-O2", 4)


def test_a_few_run_again(tmp_path: Path) -> None:
    check(tmp_path, START, "-O2", AgainProgram, 3)


@pytest.mark.random
@pytest.mark.parametrize("level", LEVELS)
def test_run_again(tmp_path: Path, level: str) -> None:
    """20 functions, as checkpointed steps, and in forward mode after the first half."""
    for k in range(4):
        check(tmp_path / str(k), START + 1000 * int(level[-1]) + 10 * k, level, AgainProgram, 5)


@pytest.mark.random
@pytest.mark.parametrize("level", LEVELS)
def test_second_derivatives(tmp_path: Path, level: str) -> None:
    """40 functions, each by four modes over one another."""
    for k in range(2):
        check_nested(tmp_path / str(k), START + 100 * int(level[-1]) + 10 * k, level, 5)


@pytest.mark.random
def test_many(tmp_path_factory: pytest.TempPathFactory) -> None:
    """300 functions, in programs of 20."""

    @seed(START)
    @settings(
        max_examples=15, phases=[Phase.generate], database=None, deadline=None, suppress_health_check=list(HealthCheck)
    )
    @given(st.integers(0, 2**31), st.sampled_from(LEVELS))
    def run(first: int, level: str) -> None:
        check(tmp_path_factory.mktemp("random"), first, level)

    run()
