"""Random functions on threads: gradients against differences, and forward against reverse mode, with 1 to 8 threads.

`pytest tests/random` tries one, `pytest -m random tests/random` 100 at each of three levels.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from ..program import ENZYME_CC
from ..test_random import LEVELS, START
from .openmp import ParallelFunction

THREADS = (1, 2, 3, 8)
#: of a libomp with debug checks: a thread that steals a chunk checks the bounds before it knows that they are those of
#: this loop. Loops that are `dynamic` and `monotonic : dynamic` by turns end so without derivatives, too.
STOLEN = "Assertion failure at kmp_dispatch.cpp"


def check(folder: Path, program: str, flags: tuple[str, ...], threads_by: str) -> None:
    """Compiles a program, and runs it with 1 to 8 threads. `threads_by`: the variable of the environment with these."""
    (folder / "program.c").write_text(program)
    command = [str(ENZYME_CC), *flags, "-w", "program.c", "-o", "program", "-lm"]
    built = subprocess.run(command, capture_output=True, text=True, timeout=300, cwd=folder)
    assert built.returncode == 0, f"{flags}\n{built.stderr}\n{program}"
    for threads in THREADS:
        counts = {**os.environ, threads_by: str(threads)}
        for _ in range(3):
            ran = subprocess.run([folder / "program"], capture_output=True, text=True, timeout=60, env=counts)
            if STOLEN not in ran.stderr:
                break
        assert ran.returncode == 0, f"{flags}, {threads} threads\n{ran.stdout}{ran.stderr}\n{program}"


def _check(folder: Path, seed: int, level: str) -> None:
    check(folder, ParallelFunction(seed).program(), (level, "-fopenmp"), "OMP_NUM_THREADS")


def test_one(tmp_path: Path) -> None:
    _check(tmp_path, START, "-O2")


@pytest.mark.random
@pytest.mark.parametrize("k", range(100))
@pytest.mark.parametrize("level", LEVELS)
def test_many(tmp_path: Path, level: str, k: int) -> None:
    _check(tmp_path, START + 1000 * int(level[-1]) + k, level)
