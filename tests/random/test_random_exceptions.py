"""Random functions that throw and catch: their gradients against differences, and forward against reverse mode.

`pytest tests/random` tries two, `pytest -m random tests/random` 40.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from .exceptions import ThrowingFunctions
from .program import ENZYME_CC
from .test_random import LEVELS, START


def check(folder: Path, seed: int, level: str) -> None:
    source, program = folder / f"{seed}.cpp", folder / str(seed)
    source.write_text(ThrowingFunctions(seed).program())
    command = [str(ENZYME_CC.with_name("enzyme-c++")), level, "-w", str(source), "-o", str(program)]
    built = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert built.returncode == 0, f"seed {seed} {level}\n{built.stderr}"
    ran = subprocess.run([str(program)], capture_output=True, text=True, timeout=60)
    assert ran.returncode == 0, f"seed {seed} {level}\n{ran.stdout}{ran.stderr}"


@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_one(tmp_path: Path, level: str) -> None:
    check(tmp_path, START, level)


@pytest.mark.random
@pytest.mark.parametrize("k", range(10))
@pytest.mark.parametrize("level", LEVELS)
def test_many(tmp_path: Path, level: str, k: int) -> None:
    check(tmp_path, START + 1000 * int(level[-1]) + k, level)
