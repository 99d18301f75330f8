"""Random programs that call BLAS, LAPACK and FFTW: both modes against differences.

`pytest -m random tests/random` tries 200. None may be refused.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.programs.conftest import ROOT, Builder

from ..test_random import LEVELS, START
from .random_routines import RoutineProgram

HAS_LIBRARIES = all(Path(f"/usr/lib/x86_64-linux-gnu/lib{name}.so").exists() for name in ("openblas", "fftw3"))


@pytest.mark.random
@pytest.mark.skipif(not HAS_LIBRARIES, reason="no OpenBLAS or FFTW")
@pytest.mark.parametrize("k", range(200))
def test_many(tmp_path: Path, k: int) -> None:
    builder, source = Builder(tmp_path), tmp_path / "random.c"
    source.write_text(f"/*\n * flags: -lopenblas -lfftw3 */\n{RoutineProgram(START + k).program()}")
    done = builder.build(source, LEVELS[k % len(LEVELS)], "-w", f"-I{ROOT / 'tests' / 'programs'}")
    assert done.status == 0, done.text
    done = builder.run("./program")
    assert done.status == 0, done.text
