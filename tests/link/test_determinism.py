"""The same inputs give the same bytes, whatever order Python's sets of names have in a process."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAMS = Path(__file__).parents[1] / "programs"
ENZYME_CC = Path(sys.executable).parent / "enzyme-cc"
CHOSEN = ["log_sum_exp.c", "nbody_steps.c", "callback_table.c", "pools_of_work.c", "virtual_methods.cpp"]


@pytest.mark.parametrize("name", CHOSEN)
def test_bytes_do_not_depend_on_the_hash_seed(name: str, tmp_path: Path) -> None:
    (source,) = PROGRAMS.rglob(name)
    compiler = ENZYME_CC.with_name("enzyme-c++") if source.suffix == ".cpp" else ENZYME_CC
    subprocess.run([compiler, "-O2", "-c", source, "-o", "program.o"], cwd=tmp_path, check=True)
    made = set()
    for seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        subprocess.run([compiler, "program.o", "-o", "program", "-lm"], cwd=tmp_path, env=environment, check=True)
        made.add((tmp_path / "program").read_bytes())
    assert len(made) == 1
