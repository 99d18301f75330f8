"""Gradients through Eigen, whose packet arithmetic is written in the vector types and intrinsics of the machine."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.codebases.sources import source_or_skip
from tests.programs.conftest import Builder

PROGRAMS = sorted((Path(__file__).parent / "eigen").glob("*.cpp"))


@pytest.mark.codebase
@pytest.mark.parametrize("flags", ["-O0", "-O2", "-O3", "-O2 -mavx2 -mfma", "-O3 -mavx512f -mavx512dq -mfma"])
@pytest.mark.parametrize("mode", ["REVERSE", "FORWARD"])
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p.stem)
def test_gradient(tmp_path: Path, program: Path, mode: str, flags: str) -> None:
    known = Path("/proc/cpuinfo").read_text().split()
    if not {word.removeprefix("-m") for word in flags.split()[1:]} <= set(known):
        pytest.skip("the processor has no such instructions")
    builder = Builder(tmp_path)
    headers = (f"-I{Path(__file__).parent}", f"-I{source_or_skip('eigen3')}")
    built = builder.build(program, *flags.split(), f"-D{mode}", *headers)
    assert built.status == 0, built.text
    done = builder.run("./program")
    assert done.status == 0, done.text
