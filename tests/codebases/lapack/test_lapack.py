"""Reference LAPACK: built by its own CMake files with the toolchain file; solvers are differentiated from C.

`pytest -m codebase tests/codebases/lapack`; each program compares with differences of itself, and both modes with each
other (tests/programs/check.h). The build is kept: it takes minutes.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.codebases.sources import WORK, source_or_skip

pytestmark = pytest.mark.codebase
PROGRAMS = sorted((Path(__file__).parent / "programs").glob("*.c"))
CHECK = Path(__file__).parents[2] / "programs"
PREFIX = Path(sys.executable).parents[1]
#: double precision alone: the others are the same code
_SETTINGS = ("SINGLE=OFF", "COMPLEX=OFF", "COMPLEX16=OFF", "TESTING=OFF")


@pytest.fixture(scope="module")
def libraries() -> list[Path]:
    """liblapack.a and libblas.a."""
    source = source_or_skip("lapack")
    build = WORK / "lapack-build"
    if not (build / "lib" / "liblapack.a").exists():
        toolchain = PREFIX / "share" / "cmake" / "EnzymeCC" / "enzyme_cc.cmake"
        settings = [f"-DCMAKE_TOOLCHAIN_FILE={toolchain}", *(f"-DBUILD_{setting}" for setting in _SETTINGS)]
        settings += ["-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_Fortran_FLAGS_RELEASE=-O2"]
        subprocess.run(["cmake", "-S", source, "-B", build, *settings], check=True, capture_output=True)
        jobs = str(os.cpu_count() or 1)
        subprocess.run(["make", "-C", build, "-j", jobs, "blas", "lapack"], check=True, capture_output=True)
    return [build / "lib" / "liblapack.a", build / "lib" / "libblas.a"]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_solver(libraries: list[Path], program: Path, tmp_path: Path) -> None:
    words = ["-O2", "-w", f"-I{CHECK}", str(program)]
    subprocess.run([PREFIX / "bin" / "enzyme-cc", *words, "-c", "-o", "program.o"], cwd=tmp_path, check=True)
    link = ["program.o", *libraries, "-lm", "-o", "program"]
    subprocess.run([PREFIX / "bin" / "enzyme-fc", *link], cwd=tmp_path, check=True)
    done = subprocess.run(["./program"], cwd=tmp_path, capture_output=True, text=True)
    print(done.stdout)
    assert done.returncode == 0, done.stdout
