"""Random libraries through the whole chain: the gradients of programs that use them, against differences.

`pytest tests/random` tries a few, `pytest -m random tests/random` 100. None may be refused.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.programs.conftest import ROOT, Builder

from .libraries import library
from .test_random import LEVELS, START

PROGRAMS = ROOT / "tests" / "programs"


def check(folder: Path, seed: int, level: str, *, is_cxx: bool) -> None:
    """Builds the program of one seed, with the library in an archive for every other seed, and runs it."""
    print(f"seed {seed}, {level}, {'C++' if is_cxx else 'C'}")
    made, builder, sources = library(seed, is_cxx=is_cxx), Builder(folder), folder / "library"
    suffix = ".cpp" if is_cxx else ".c"
    unit = "lib_unit" if seed % 2 else "unit"
    sources.mkdir()
    for name, text in {"library.h": made.header, unit + suffix: made.unit, f"main{suffix}": made.main}.items():
        (sources / name).write_text(text)
    done = builder.build(sources, level, "-w", "-g", f"-I{PROGRAMS}")
    assert done.status == 0, done.text
    done = builder.run("./program")
    assert done.status == 0, done.text


@pytest.mark.parametrize("seed", [START, START + 1])
def test_a_few(tmp_path: Path, seed: int) -> None:
    check(tmp_path, seed, "-O2", is_cxx=False)


@pytest.mark.random
@pytest.mark.parametrize("k", range(50))
@pytest.mark.parametrize("is_cxx", [False, True], ids=["c", "cxx"])
def test_many(tmp_path: Path, is_cxx: bool, k: int) -> None:
    check(tmp_path, START + 100 + k, LEVELS[k % len(LEVELS)], is_cxx=is_cxx)
