"""The GNU Scientific Library built by enzyme-cc in place of cc: what its archives and shared libraries hold.

`pytest -m codebase tests/codebases/gsl` (about ten minutes at first). Its derivatives are a row of tests/codebases/run.
"""

from __future__ import annotations

import os
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from tests.codebases import builds
from tests.codebases.builds import ENZYME_CC, Build, build, sections
from tests.codebases.gsl.overhead import compile_time_ratio
from tests.codebases.rows import GSL
from tests.codebases.sources import WORK, source_or_skip

pytestmark = pytest.mark.codebase
PROGRAMS = Path(__file__).parent / "programs"
ROOT = Path(__file__).parents[3]
CHECK = Path(__file__).parents[1]
BITCODE = {".enzybc", ".enzycmd", ".llvmbc", ".llvmcmd", ".llvm.lto"}
BAR = 1.25


@pytest.fixture(scope="session", autouse=True)
def source() -> Path:
    return source_or_skip("gsl")


@pytest.fixture(scope="session")
def static(source: Path) -> Build:
    return build(GSL, WORK, builds.enzyme())


@pytest.fixture(scope="session")
def static_and_shared(source: Path) -> Build:
    """libtool compiles each file twice, moves the objects, and links convenience archives."""
    return build(replace(GSL, build=("./configure --quiet", *GSL.build[1:])), WORK, builds.enzyme())


@pytest.fixture(scope="session")
def plain(source: Path) -> Build:
    return build(GSL, WORK, builds.plain())


@pytest.fixture(params=["static", "static_and_shared"])
def either(request: pytest.FixtureRequest) -> Build:
    found = request.getfixturevalue(request.param)
    assert isinstance(found, Build)
    return found


def archives(made: Build) -> list[Path]:
    return [made.folder / name for name in GSL.archives]


def shared_libraries(made: Build) -> list[Path]:
    found = [path.with_suffix(".so") for path in archives(made)]
    return [path.resolve() for path in found if path.exists()]


def test_every_archive_member_holds_bitcode(either: Build) -> None:
    for archive in archives(either):
        members = dict(sections(archive))
        assert len(members) > 100
        assert [name for name, found in members.items() if ".enzybc" not in found] == []


def test_native_tools_see_all_symbols(either: Build, plain: Build) -> None:
    for ours, theirs in zip(archives(either), archives(plain), strict=True):
        assert symbols(ours) == symbols(theirs)


def symbols(archive: Path) -> list[str]:
    """What the archive's index lists, and what nm finds in the members."""
    command = ["nm", "-s", "-P", "--defined-only", str(archive)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return sorted(" ".join(line.split()[:2]) for line in done.stdout.splitlines() if "/" not in line)


def test_shared_libraries_hold_no_bitcode(static_and_shared: Build) -> None:
    assert len(shared_libraries(static_and_shared)) == 2
    for library in shared_libraries(static_and_shared):
        for _, found in sections(library):
            assert not found & BITCODE


def test_programs_of_the_build_hold_no_bitcode_and_run(static: Build) -> None:
    program = static.folder / "gsl-randist"
    for _, found in sections(program):
        assert not found & BITCODE
    done = subprocess.run([str(program), "1", "3", "gaussian", "1"], check=True, capture_output=True, text=True)
    assert len(done.stdout.split()) == 3


def test_compiling_is_about_as_fast_as_plain_clang(
    static: Build, plain: Build, capsys: pytest.CaptureFixture[str]
) -> None:
    """The builds ran at different times, on a machine that was busy with other things or not: they are told only."""
    ratio = compile_time_ratio(static.folder)
    with capsys.disabled():
        print(f"\nGSL, the same files by turns: {ratio:.3f} of clang's processor time")
        whole = static.seconds / plain.seconds
        print(f"GSL, make: {static.seconds:.1f} s of processor time, {plain.seconds:.1f} s by clang: {whole:.3f}")
    assert ratio <= BAR


def test_archives_beside_shared_libraries_serve_as_well(static_and_shared: Build, tmp_path: Path) -> None:
    link(static_and_shared, "expint_E1", tmp_path, *map(str, archives(static_and_shared)))
    check(tmp_path / "expint_E1")


def test_shared_library_is_named_as_code_without_bitcode(static_and_shared: Build, tmp_path: Path) -> None:
    libraries = [str(path) for path in shared_libraries(static_and_shared)]
    done = try_link(static_and_shared, "erf", tmp_path, *libraries)
    assert done.returncode != 0
    assert "gsl_sf_erf" in done.stderr and "libgsl.so" in done.stderr and "EZ" in done.stderr
    assert not (tmp_path / "erf").exists()


def try_link(library: Build, name: str, folder: Path, *libraries: str) -> subprocess.CompletedProcess[str]:
    source, output = str(PROGRAMS / f"{name}.c"), str(folder / name)
    command = [str(ENZYME_CC), "-O2", f"-I{CHECK}", f"-I{library.folder}", source, *libraries, "-lm", "-o", output]
    path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    environment = {**os.environ, "PYTHONPATH": path}
    return subprocess.run(command, capture_output=True, text=True, cwd=folder, env=environment, timeout=1200)


def link(library: Build, name: str, folder: Path, *libraries: str) -> None:
    done = try_link(library, name, folder, *libraries)
    assert done.returncode == 0, done.stderr
    for _, found in sections(folder / name):
        assert not found & BITCODE


def check(program: Path) -> None:
    done = subprocess.run([str(program)], capture_output=True, text=True, timeout=300)
    print(done.stdout)
    assert done.returncode == 0, done.stdout + done.stderr
