"""Every program here is built through the whole chain, at each level of optimisation, and must find itself right.

A program prints each number beside the value expected, and exits with the number of disagreements (check.h), or with
some status that is not zero (fortran/check.f90). Programs in refused/ must not link: their first line names the
diagnostic, and `expect:` what is said exactly once; those in stopped/ say that when they run, and end.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from .conftest import CHECK, FORTRAN, SUFFIXES, Builder

HERE = Path(__file__).parent


def programs(folder: Path) -> list[Path]:
    """Returns sources with a main of their own, and folders of sources that have a main.c or main.cpp, at any depth."""
    found: list[Path] = []
    for path in sorted(folder.iterdir()):
        if any(path.glob("main.c*")) or (path.suffix in SUFFIXES and path != CHECK):
            found.append(path)
        elif path.is_dir():
            found.extend(programs(path))
    return found


REFUSED, STOPPED = programs(HERE / "refused"), programs(HERE / "stopped")
THREADS = programs(HERE / "threads")  # test_threads.py
PROGRAMS = [program for program in programs(HERE) if program not in {*REFUSED, *STOPPED, *THREADS}]


def name(program: Path) -> str:
    return f"{program.stem}{program.suffix if program.suffix in FORTRAN else ''}"


#: an exception that leaves a gradient leaves its tape, and what the primal would have freed on the way; the library of
#: OpenMP keeps memory; a shadow is lost where plain code frees or moves what a gradient made; a program loses a context
LEAKING = [
    "exceptions_deep",
    "exceptions_uncaught",
    "fftw_plans_outside",
    "nested_work_outside",
    "openmp_loops",
    "openmp_region_with_lambdas",
    "openmp_regions",
    "openmp_thread_counts",
    "pointers_in_handles",
    "shadows_that_overlap",
    "teams_in_cxx",
    "teams_in_fortran",
    "teams_of_threads",
    "work_space_made_outside",
]
#: what variables of a module, and static ones, point at stays, and so does its shadow; so do transforms of FFTW
STAYING = [
    "allocatable_arguments",
    "buffers_of_arguments",
    "constant_handles",
    "declared_copies",
    "fftw_fortran",
    "fftw_fortran_modules",
    "fftw_in_place",
    "fftw_plan_of_class",
    "fftw_planners",
    "fftw_plans",
    "flags_of_objects_outside",
    "freed_and_kept",
    "floats_and_links_reallocated",
    "globals_made_outside",
    "globals_of_two_modes",
    "handle_points_into_its_global",
    "handles_made_outside",
    "module_arrays_made_outside",
    "module_variables",
    "module_work_made_outside",
    "nested_globals_outside",
    "numbers_across_work_space",
    "pools_of_work",
    "realloc_of_constants",
    "results_kept_as_bits",
    "results_kept_in_objects",
    "results_kept_in_types",
    "set_up_inside",
    "shadows_left_in_handles",
    "sparse_globals",
    "static_members",
    "vectors_that_stay",
    "words_of_pools_outside",
    "work_space_in_requests",
    "work_space_of_handles",
]
#: instructions of AVX2 end a program there; what was never written is told apart by its bits, whatever they are
UNKNOWN_TO_VALGRIND = ["vector_intrinsics", "union_shifted_array", "reductions_of_tbb", "tasks_of_tbb"]
#: every option of every routine: the programs beside them have some of each
EXHAUSTIVE = [
    "complex",
    "complex_cblas",
    "complex_factorisations",
    "complex_lapack",
    "fftw_in_place",
    "lapack_complex",
    "lapack_of_lapack",
]
#: their links take seconds, and differentiate shipped bodies of BLAS, LAPACK and FFTW, which are the same at each level
SHIPPED = frozenset(programs(HERE / "libraries" / "blas") + programs(HERE / "libraries" / "fftw"))
LEVELS = ("-O0", "-O1", "-O2", "-O3")
#: a header of oneTBB, which programs with parallel algorithms need, too
TBB = Path("/usr/include/oneapi/tbb.h")
#: folders of programs about memory: the analyses find in other ways what lies there if the code is not optimised
OF_MEMORY = frozenset(["libraries", "memory", "overwriting", "types"])


def is_slow(program: Path, level: str) -> bool:
    """True for what the test command leaves out. Links of C++ and Fortran take several times as long as those of C."""
    is_c = program.suffix == ".c" or (program / "main.c").exists()
    is_of_memory = program.relative_to(HERE).parts[0] in OF_MEMORY
    levels = ("-O0", "-O2") if is_c and is_of_memory and program not in SHIPPED else ("-O2",)
    return program.stem in EXHAUSTIVE or level not in levels


def uses_tbb(program: Path) -> bool:
    return program.is_file() and "-ltbb" in program.read_text()


def build(builder: Builder, program: Path, *flags: str) -> None:
    if uses_tbb(program) and not TBB.exists():
        pytest.skip(f"no {TBB}: install libtbb-dev")
    built = builder.build(program, *flags)
    assert built.status == 0, built.text


@pytest.mark.parametrize(
    ("program", "level"),
    [
        pytest.param(p, level, id=f"{name(p)}-{level}", marks=[pytest.mark.slow] if is_slow(p, level) else [])
        for p in PROGRAMS
        for level in LEVELS
    ],
)
def test_gradient(builder: Builder, program: Path, level: str, record_property: Callable[[str, object], None]) -> None:
    build(builder, program, level)
    done = builder.run("./program")
    errors = [float(e) for e in re.findall(r"forward and reverse: .*, error (\S+)$", done.text, re.MULTILINE)]
    record_property("identity", max(errors, default=0.0))
    assert done.status == 0, done.text


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("valgrind") is None, reason="no valgrind")
@pytest.mark.parametrize("program", [p for p in PROGRAMS if p.stem not in UNKNOWN_TO_VALGRIND], ids=name)
def test_memory_is_sound(builder: Builder, program: Path) -> None:
    """No invalid access, no use of uninitialised memory, no leak: the primals here have none."""
    build(builder, program, "-O1", "-g0")  # valgrind cannot read all of clang's debug information
    # valgrind computes long double in 64 bits: what the program thinks of its numbers does not count here
    leaks = "no" if program.stem in LEAKING or uses_tbb(program) else "full"  # threads of oneTBB stay, with memory
    kinds = "definite,indirect,possible" if program.stem in STAYING else "all"
    options = ("-q", f"--leak-check={leaks}", f"--show-leak-kinds={kinds}", "--child-silent-after-fork=yes")
    done = builder.run("valgrind", *options, "./program", seconds=300)
    assert "==" not in re.sub(r"(?m)^(?!==\d+==).*$", "", done.text), done.text


def is_checked(program: Path) -> bool:
    """Uses the macros of check.h, and no registered gradient that frees its tape."""
    written = program.is_file() and program.suffix not in FORTRAN
    return written and "CHECK" in program.read_text() and program.stem != "checkpoint"


@pytest.mark.slow
@pytest.mark.parametrize("program", [p for p in PROGRAMS if is_checked(p)], ids=lambda p: p.stem)
def test_gradient_in_halves(builder: Builder, program: Path) -> None:
    """augmentfwd, then reverse twice from one tape, with the arguments spoiled in between."""
    build(builder, program, "-O1", "-DCHECK_SPLIT")
    done = builder.run("./program")
    assert done.status == 0, done.text


@pytest.mark.parametrize("level", ("-O0", "-O2"))
@pytest.mark.parametrize("program", STOPPED, ids=name)
def test_stopped(builder: Builder, program: Path, level: str) -> None:
    """Only when it runs can it be told that the derivative would be wrong."""
    build(builder, program, level, "-g")
    done = builder.run("./program")
    assert done.status < 0, "it went on"
    for text in re.findall(r"expect: (.*?)(?: \*/)?$", program.read_text(), re.M):
        assert done.text.count(text) == 1, done.text


@pytest.mark.parametrize("program", REFUSED, ids=name)
def test_refused(builder: Builder, program: Path) -> None:
    source = (program if program.is_file() else program / "main.c").read_text()
    expected = re.findall(r"EZ\d{4}", source.splitlines()[0])
    built = builder.build(program, "-O1", "-g")
    assert built.status != 0, "it was linked"
    assert not (builder.folder / "program").exists()
    assert "Traceback" not in built.text
    for id_ in expected:
        assert id_ in built.text, built.text
    for text in re.findall(r"expect: (.*?)(?: \*/)?$", source, re.M):
        assert built.text.count(text) == 1, built.text
