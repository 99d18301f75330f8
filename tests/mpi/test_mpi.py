"""Gradients of MPI programs, compiled with each library's headers and run on several ranks.

A program compares its gradients with differences (check_mpi.h). Those in refused/ must not link: their first line names
the diagnostic. That in stopped/ has several cases, which end on all ranks with the diagnostics that its first line
names.
No program may leave a communicator, request, datatype, window or the like behind: counted/handles.c counts them.
By default, each program is tried with one library; `-m slow` tries the other one, too, and further programs.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from .f08_module import module
from .random_messages import program

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
BIN = Path(sys.executable).parent
ENVIRONMENT = {
    **os.environ,
    "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}",
    "OMPI_CC": "enzyme-cc",
    "MPICH_CC": "enzyme-cc",
    "OMPI_CXX": "enzyme-c++",
    "MPICH_CXX": "enzyme-c++",
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
}
MULTIARCH = Path("/usr/lib/x86_64-linux-gnu")


@dataclass(frozen=True)
class Installation:
    """A library of MPI: its wrapper and starter, and what Fortran needs, for which no wrapper works with flang.

    `usual`: the programs that are tried with it by default.
    """

    name: str
    starting: tuple[str, ...]
    headers: Path
    fortran: tuple[str, ...]
    usual: frozenset[str]
    has_descriptors: bool

    @property
    def wrapper(self) -> str:
        return f"mpicc.{self.name}"

    @property
    def wrapper_of_cxx(self) -> str:
        return f"mpicxx.{self.name}"


OPENMPI = Installation(
    "openmpi",
    ("mpirun.openmpi", "--oversubscribe"),
    MULTIARCH / "openmpi" / "include",
    (f"-L{MULTIARCH}/openmpi/lib", "-lmpi_usempif08", "-lmpi_mpifh", "-lmpi"),
    frozenset({"messages", "nonblocking", "one_sided", "fortran_calls", "fortran_module", "groups", "flags", "unseen"}),
    has_descriptors=False,
)
MPICH = Installation(
    "mpich",
    ("mpirun.mpich",),
    Path("/usr/include/x86_64-linux-gnu/mpich"),
    ("-lmpichfort", "-lmpich"),
    frozenset(
        {"collectives", "probing", "modes", "planned", "endings", "fortran_f08", "constant_side", "shared", "second"}
    ),
    has_descriptors=True,
)
LIBRARIES = (OPENMPI, MPICH)


def run(folder: Path, *words: str | Path, seconds: int = 120) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(word) for word in words],
        cwd=folder,
        env={**ENVIRONMENT, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        timeout=seconds,
    )


def cases(pattern: str) -> pytest.MarkDecorator:
    """Each program with each library; those that are not usual are slow."""
    parameters = [
        pytest.param(
            library,
            source,
            id=f"{library.name}-{source.stem}",
            marks=() if source.stem in library.usual else pytest.mark.slow,
        )
        for library in LIBRARIES
        for source in sorted(HERE.glob(pattern))
    ]
    return pytest.mark.parametrize(("library", "source"), parameters)


@pytest.fixture(autouse=True)
def installed(library: Installation) -> None:
    if shutil.which(library.wrapper) is None:
        pytest.skip(f"{library.wrapper} is not installed (Debian: lib{library.name}-dev)")


def build(library: Installation, folder: Path, source: Path, *flags: str | Path) -> subprocess.CompletedProcess[str]:
    wrapper = library.wrapper_of_cxx if source.suffix == ".cpp" else library.wrapper
    return run(folder, wrapper, *flags, source, "-o", "program", "-lm")


def build_fortran(library: Installation, folder: Path, source: Path) -> subprocess.CompletedProcess[str]:
    """Builds a program with mpif.h. Open MPI's also declares numbers of 16 bytes, which flang does not know."""
    text = (library.headers / "mpif.h").read_text()
    (folder / "mpif.h").write_text(re.sub(r".*mpif-sizeof.*\n", "", text))
    own = ROOT / "toolchain" / "include" / "enzyme" / "enzyme.f90"
    headers = (f"-I{folder}", f"-I{library.headers}")
    (folder / "mpi_f08.f90").write_text(module(library.has_descriptors))
    (folder / "mpi.f90").write_text("module mpi\n  include 'mpif.h'\nend module\n")
    modules = [f"mpi{kind}.f90" for word, kind in (("f08", "_f08"), ("module", "")) if word in source.stem]
    sources = [own, *modules, source]
    return run(folder, BIN / "enzyme-fc", "-O2", *headers, *sources, "-o", "program", *library.fortran)


def start(library: Installation, folder: Path, ranks: int, *words: str | Path) -> subprocess.CompletedProcess[str]:
    return run(folder, *library.starting, "-np", str(ranks), *words, seconds=60)


def check(
    library: Installation, folder: Path, built: subprocess.CompletedProcess[str], has_windows: bool = False
) -> None:
    assert built.returncode == 0, built.stdout
    counted = folder / "handles.so"
    compiled = run(folder, library.wrapper, "-fPIC", "-shared", HERE / "counted" / "handles.c", "-o", counted)
    assert compiled.returncode == 0, compiled.stdout
    for ranks in (2, 3) if has_windows else (1, 2, 3):  # Open MPI may have no windows on one rank
        done = start(library, folder, ranks, "env", f"LD_PRELOAD={counted}", "./program")
        assert done.returncode == 0, f"on {ranks} ranks: {done.stdout}"
        assert done.stdout.count("HANDLES COUNTED") == ranks, done.stdout
        assert "NOT FREED" not in done.stdout, f"on {ranks} ranks: {done.stdout}"


@cases("*.c*")
def test_gradient(library: Installation, source: Path, tmp_path: Path) -> None:
    level = "-O0" if library is MPICH else "-O2"
    check(library, tmp_path, build(library, tmp_path, source, level))


@cases("*.f90")
def test_fortran(library: Installation, source: Path, tmp_path: Path) -> None:
    check(library, tmp_path, build_fortran(library, tmp_path, source))


@pytest.mark.parametrize(
    "library", [OPENMPI, pytest.param(MPICH, marks=pytest.mark.slow)], ids=lambda library: library.name
)
def test_messages_of_the_reverse_sweep(library: Installation, tmp_path: Path) -> None:
    counter, source = tmp_path / "messages.so", HERE / "counted" / "reverse_sweep.c"
    shared = ("-fPIC", "-shared", "--enzyme-no-library-units")
    compiled = run(tmp_path, library.wrapper, *shared, HERE / "counted" / "messages.c", "-o", counter)
    assert compiled.returncode == 0, compiled.stdout
    built = build(library, tmp_path, source, "-O2", counter)
    assert built.returncode == 0, built.stdout
    for ranks in (2, 3):
        done = start(library, tmp_path, ranks, "env", f"LD_PRELOAD={counter}", "./program")
        assert done.returncode == 0, done.stdout
        assert done.stdout.count("rank 0") == 3


@pytest.mark.slow
@pytest.mark.parametrize("library", LIBRARIES, ids=lambda library: library.name)
@pytest.mark.parametrize("seed", range(1, 9))
def test_random_messages(library: Installation, seed: int, tmp_path: Path) -> None:
    source = tmp_path / "random.c"
    source.write_text(program(seed))
    check(library, tmp_path, build(library, tmp_path, source, "-O2", f"-I{HERE}"), has_windows=True)


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("valgrind") is None, reason="valgrind is not installed")
@pytest.mark.parametrize("library", LIBRARIES, ids=lambda library: library.name)
@pytest.mark.parametrize("name", ["messages", "collectives"])
def test_memory(library: Installation, name: str, tmp_path: Path) -> None:
    """On one rank, no read or write of wrong or undefined memory, and nothing lost but by the library itself."""
    built = build(library, tmp_path, HERE / f"{name}.c", "-O1", "-g")
    assert built.returncode == 0, built.stdout
    suppressions = f"--suppressions={HERE / 'counted' / 'library.supp'}"
    leaks = ("--leak-check=full", "--show-leak-kinds=definite", "--errors-for-leak-kinds=definite")
    checked = ("valgrind", "-q", *leaks, "--num-callers=60", "--error-exitcode=9", suppressions)
    done = start(library, tmp_path, 1, *checked, "./program")
    assert done.returncode == 0, done.stdout


@cases("refused/*.c")
def test_refused(library: Installation, source: Path, tmp_path: Path) -> None:
    id_, name = re.findall(r"\S+", source.read_text())[1:3]
    built = build(library, tmp_path, source, "-O2")
    assert built.returncode != 0
    assert f"[{id_}]" in built.stdout and name in built.stdout


@cases("stopped/*.c")
def test_stopped(library: Installation, source: Path, tmp_path: Path) -> None:
    built = build(library, tmp_path, source, "-O2")
    assert built.returncode == 0, built.stdout
    for id_, case in re.findall(r"(EZ\d+) (\w+)", source.read_text().splitlines()[0]):
        done = start(library, tmp_path, 2, "./program", case)
        assert done.returncode != 0, case
        assert f"[{id_}]" in done.stdout and re.search(r"rank \d", done.stdout), f"{case}: {done.stdout}"
