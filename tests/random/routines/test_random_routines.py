"""Random programs that call BLAS, LAPACK and FFTW: both modes against differences.

`pytest -m random tests/random` tries 200, 50 with each library: OpenBLAS and the reference BLAS, with integers of 32
and of 64 bits. None may be refused.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.programs.conftest import ROOT, Builder

from ..test_random import LEVELS, START
from .random_routines import RoutineProgram

FOLDER = Path("/usr/lib/x86_64-linux-gnu")
HAS_FFTW = (FOLDER / "libfftw3.so").exists()
WIDE = "-DINTEGER=long"


def reference(bits: str = "") -> str:
    """Debian's reference BLAS and LAPACK, by their own folders: the plain names may be links to OpenBLAS."""
    folders = [f"{FOLDER}/{name}{bits}" for name in ("lapack", "blas")]
    return " ".join(f"-L{folder} -Wl,-rpath,{folder}" for folder in folders) + f" -llapack{bits} -lblas{bits}"


#: the file that tells that a library is installed, and the flags of programs with it
LIBRARIES = (
    ("libopenblas.so", "-lopenblas"),
    ("blas/libblas.so", reference()),
    ("libopenblas64.so", f"{WIDE} -lopenblas64"),
    ("blas64/libblas64.so", f"{WIDE} {reference('64')}"),
)


@pytest.mark.random
@pytest.mark.skipif(not HAS_FFTW, reason="no FFTW")
@pytest.mark.parametrize("k", range(200))
def test_many(tmp_path: Path, k: int) -> None:
    library, flags = LIBRARIES[k % len(LIBRARIES)]
    if not (FOLDER / library).exists():
        pytest.skip(f"no {library}")
    builder, source = Builder(tmp_path), tmp_path / "random.c"
    source.write_text(f"/*\n * flags: {flags} -lfftw3 */\n{RoutineProgram(START + k).program()}")
    done = builder.build(source, LEVELS[k // len(LIBRARIES) % len(LEVELS)], "-w", f"-I{ROOT / 'tests' / 'programs'}")
    assert done.status == 0, done.text
    done = builder.run("./program")
    assert done.status == 0, done.text
