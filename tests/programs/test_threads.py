"""Programs with threads: each is right with 1, 2, 3 and 8 threads, and in teams of one.

The programs are in threads/, and check themselves as all programs here do (test_programs.py). What keeps regions in
teams of one has programs of its own, since it counts for all regions of a link.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from . import races
from .conftest import SUFFIXES, Builder

HERE = Path(__file__).parent / "threads"
PROGRAMS = sorted(path for path in HERE.iterdir() if path.suffix in SUFFIXES)
THREADS = (1, 2, 3, 8)
#: what the test command runs; the others take longer
DEFAULT = ("openmp_sums.c", "thread_pools.cpp")
LEVELS = ("-O0", "-O2", "-O3")


def _is_slow(program: Path, level: str) -> bool:
    return program.name not in DEFAULT or level != "-O2"


def _run(builder: Builder, program: Path, *times: int) -> None:
    for threads in times:
        done = builder.run("env", f"OMP_NUM_THREADS={threads}", "OMP_DYNAMIC=false", "./program")
        assert done.status == 0, f"{program.name}, {threads} threads:\n{done.text}"


def _build(builder: Builder, program: Path, *flags: str) -> None:
    built = builder.build(program, *flags)
    assert built.status == 0, built.text


@pytest.mark.parametrize(
    ("program", "level"),
    [
        pytest.param(p, level, id=f"{p.name}-{level}", marks=[pytest.mark.slow] if _is_slow(p, level) else [])
        for p in PROGRAMS
        for level in LEVELS
    ],
)
def test_threads(builder: Builder, program: Path, level: str) -> None:
    _build(builder, program, level)
    _run(builder, program, *THREADS)


@pytest.mark.slow
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p.name)
def test_teams_of_one(builder: Builder, program: Path) -> None:
    _build(builder, program, "-O2", "--enzyme-serial-regions", "-DSERIAL_REGIONS")
    _run(builder, program, 3)


@pytest.mark.slow
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p.name)
def test_fifty_times(builder: Builder, program: Path) -> None:
    """What depends on the order of threads shows itself in one of many runs."""
    _build(builder, program, "-O2")
    _run(builder, program, *[3] * 50)


#: Regions of the others run in teams of one in derivatives. Archer knows too little of what their plain regions do.
ON_TEAMS = (
    "broadcasts_of_teams.c",
    "copies_of_teams.c",
    "gathered_threads.cpp",
    "indices_of_divided_loops.c",
    "last_to_arrive_of_threads.cpp",
    "members_of_objects.c",
    "openmp_loops.c",
    "openmp_sums.c",
    "openmp_objects.cpp",
    "packed_records_of_teams.c",
    "stores_into_copies.c",
    "teams_in_cxx.cpp",
    "threads_and_older_memory.cpp",
    "threads_of_several_functions.cpp",
    "threads_that_free.cpp",
    "variables_of_threads.c",
    "vectors_that_grow.cpp",
    "writes_of_other_threads.c",
)
#: two threads write one number: what the tool must find
RACY = """/* A race.
 * flags: -fopenmp */
#include <math.h>
static double square(double x) {
  double sum = 0;
#pragma omp parallel for num_threads(3)
  for (int i = 0; i < 3000; i++)
    sum = sin(sum + x);
  return sum;
}
extern double __enzyme_autodiff(void *, ...);
int main(void) { return __enzyme_autodiff((void *)square, 3.0) == 7; }
"""


@pytest.mark.slow
@pytest.mark.parametrize("program", [p for p in PROGRAMS if p.name in ON_TEAMS], ids=lambda p: p.name)
def test_no_race(builder: Builder, program: Path, record_property: Callable[[str, object], None]) -> None:
    if not races.has_tools(builder):
        pytest.skip("no ThreadSanitizer")
    found = races.count(builder, program, 3)
    record_property("races", found)
    assert found == 0


@pytest.mark.slow
def test_a_race_is_found(builder: Builder) -> None:
    if not races.has_tools(builder):
        pytest.skip("no ThreadSanitizer")
    (builder.folder / "racy.c").write_text(RACY)
    assert races.count(builder, builder.folder / "racy.c", 3) > 0
