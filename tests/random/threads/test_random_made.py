"""Random functions that make threads: gradients against differences, and forward against reverse mode.

With 1 to 8 threads. `pytest tests/random` tries one, `pytest -m random tests/random` 50 at each of three levels.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from ..program import ENZYME_CC
from ..test_random import LEVELS, START
from .made import MadeThreads
from .test_random_openmp import THREADS


def check(folder: Path, seed: int, level: str) -> None:
    source, program = folder / f"{seed}.c", folder / str(seed)
    source.write_text(MadeThreads(seed).program())
    command = [str(ENZYME_CC), level, "-w", "-pthread", str(source), "-o", str(program), "-lm"]
    built = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert built.returncode == 0, f"seed {seed} {level}\n{built.stderr}"
    for threads in THREADS:
        made = {**os.environ, "THREADS": str(threads)}
        ran = subprocess.run([str(program)], capture_output=True, text=True, timeout=60, env=made)
        assert ran.returncode == 0, f"seed {seed} {level}, {threads} threads\n{ran.stdout}{ran.stderr}"


def test_one(tmp_path: Path) -> None:
    check(tmp_path, START, "-O2")


@pytest.mark.random
@pytest.mark.parametrize("k", range(50))
@pytest.mark.parametrize("level", LEVELS)
def test_many(tmp_path: Path, level: str, k: int) -> None:
    check(tmp_path, START + 1000 * int(level[-1]) + k, level)
