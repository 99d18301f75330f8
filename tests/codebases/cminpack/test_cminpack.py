"""cminpack, MINPACK in C: built by its own Makefile with CC=enzyme-cc; whole solvers with callbacks are differentiated.

`pytest -m codebase tests/codebases/cminpack`; each program compares with central differences of itself.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.codebases.sources import source_or_skip

pytestmark = pytest.mark.codebase
PROGRAMS = sorted((Path(__file__).parent / "programs").glob("*.c"))
ENZYME_CC = Path(sys.executable).parent / "enzyme-cc"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    source = source_or_skip("cminpack")
    folder = tmp_path_factory.mktemp("build") / "cminpack"
    shutil.copytree(source, folder)
    subprocess.run(["make", f"CC={ENZYME_CC}", "libcminpack.a"], cwd=folder, check=True, capture_output=True)
    return folder


@pytest.mark.parametrize("level", ["-O0", "-O2"])
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_solver(built: Path, program: Path, level: str, tmp_path: Path) -> None:
    words = [level, f"-I{built}", str(program), str(built / "libcminpack.a"), "-lm", "-o", "program"]
    subprocess.run([str(ENZYME_CC), *words], cwd=tmp_path, check=True)
    done = subprocess.run(["./program"], cwd=tmp_path, capture_output=True, text=True)
    print(done.stdout)
    assert done.returncode == 0, done.stdout
