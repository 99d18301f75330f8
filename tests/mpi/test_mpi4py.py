"""The example of docs/python.md with mpi4py: a function that sends messages, called from Python on several ranks."""

from __future__ import annotations

import importlib.util
import re
import shutil
import sys
from pathlib import Path

import pytest

from .test_mpi import MULTIARCH, OPENMPI, ROOT, run

PAGE = ROOT / "docs" / "python.md"


def _block(name: str) -> str:
    found = re.search(rf"^```\w+ {re.escape(name)}\n(.*?)^```$", PAGE.read_text(), re.M | re.S)
    assert found is not None
    return found[1]


@pytest.mark.slow
def test_example(tmp_path: Path) -> None:
    if importlib.util.find_spec("mpi4py") is None:
        pytest.skip("mpi4py is not installed (pip install mpi4py)")
    if shutil.which(OPENMPI.wrapper) is None:
        pytest.skip("Open MPI is not installed (Debian: libopenmpi-dev)")
    for name in ("chain.c", "chain.py"):
        (tmp_path / name).write_text(_block(name))
    command = [sys.executable, "chain.py", OPENMPI.headers, MULTIARCH / "openmpi" / "lib"]
    for ranks in ("1", "2"):
        done = run(tmp_path, *OPENMPI.starting, "-np", ranks, *command)
        assert done.returncode == 0, done.stdout
        assert "0.75 [-1. -1.  0.  1.]" in done.stdout
