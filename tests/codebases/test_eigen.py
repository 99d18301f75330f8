"""Gradients through Eigen, whose packet arithmetic is written in the vector types and intrinsics of the machine."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.programs.conftest import Builder

PROGRAMS = sorted((Path(__file__).parent / "eigen").glob("*.cpp"))


@pytest.mark.codebase
@pytest.mark.skipif(not Path("/usr/include/eigen3").exists(), reason="no libeigen3-dev")
@pytest.mark.parametrize("level", ["-O0", "-O2", "-O3"])
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p.stem)
def test_gradient(tmp_path: Path, program: Path, level: str) -> None:
    builder = Builder(tmp_path)
    built = builder.build(program, level)
    assert built.status == 0, built.text
    done = builder.run("./program")
    assert done.status == 0, done.text
