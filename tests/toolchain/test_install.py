"""A wheel, installed into an empty environment, works there with nothing of the source tree."""

from __future__ import annotations

import os
import shutil
import site
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]

CMAKE_PROJECT = """cmake_minimum_required(VERSION 3.20)
project(demo LANGUAGES C CXX Fortran)
find_package(EnzymeCC 0.1 REQUIRED)
add_library(parts STATIC part.c solve.f90)
add_executable(demo main.cpp)
target_link_libraries(demo PRIVATE parts EnzymeCC::headers)
"""
CMAKE_SOURCES = {
    "CMakeLists.txt": CMAKE_PROJECT,
    "part.c": "double part(double x) { return x * x; }\n",
    "solve.f90": (
        'function solve(x) bind(C, name="solve")\n'
        "  real(8), value :: x\n  real(8) :: solve\n  solve = 2 * x\nend function\n"
    ),
    "main.cpp": (
        "#include <enzyme/enzyme.h>\n"
        'extern "C" double part(double), solve(double);\n'
        "int main() { return part(3) + solve(1) != 11; }\n"
    ),
}


def run(*words: str | Path, cwd: Path, env: dict[str, str] | None = None) -> str:
    done = subprocess.run(
        [str(w) for w in words], cwd=cwd, capture_output=True, text=True, timeout=300, env={**os.environ, **(env or {})}
    )
    assert done.returncode == 0, f"{words}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The prefix of an environment with the wheel in it, made from a copy of the tree that is gone then."""
    base = tmp_path_factory.mktemp("install")
    tree = base / "tree"
    keep_out = shutil.ignore_patterns(".git", ".venv", "build", "tests", "__pycache__", ".*_cache", ".scratch")
    shutil.copytree(ROOT, tree, ignore=keep_out)
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
    run(*pip, "wheel", "--no-build-isolation", "--no-deps", "-w", base / "wheels", tree, cwd=base)
    shutil.rmtree(tree)
    [wheel] = (base / "wheels").glob("enzyme_cc-*.whl")
    prefix = base / "venv"
    run(sys.executable, "-m", "venv", "--without-pip", prefix, cwd=base)
    [packages] = prefix.glob("lib/python*/site-packages")
    run(*pip, f"--python={prefix / 'bin' / 'python'}", "install", "--no-deps", wheel, cwd=base)
    # the dependencies, without fetching them again
    (packages / "dependencies.pth").write_text("\n".join(site.getsitepackages()) + "\n")
    return prefix


def test_wheel_holds_everything(installed: Path) -> None:
    for name in ["enzyme-cc", "enzyme-c++", "enzyme-fc", "enzyme-ld"]:
        assert (installed / "bin" / name).read_bytes()[:4] == b"\x7fELF"  # no Python start-up
    assert os.access(installed / "libexec" / "enzyme-cc" / "ld", os.X_OK)
    assert (installed / "include" / "enzyme" / "enzyme.h").exists()
    assert (installed / "share" / "cmake" / "EnzymeCC" / "enzyme_cc.cmake").exists()
    assert (installed / "share" / "meson" / "native" / "enzyme-cc.ini").exists()


def test_runtime_is_there_for_python_and_readable(installed: Path) -> None:
    program = (
        "import enzyme_cc, importlib.resources as r, llvmlite.binding as llvm\n"
        "data = r.files('enzyme_cc').joinpath('data/x86_64/runtime.bc').read_bytes()\n"
        "print(enzyme_cc.__file__); llvm.parse_bitcode(data).verify()"
    )
    assert run(installed / "bin" / "python", "-c", program, cwd=installed).startswith(str(installed))


def test_compiles_links_and_runs(installed: Path, shell: Any) -> None:
    cc = installed / "bin" / "enzyme-cc"
    shell.check(cc, "-O2", "-c", "a.c", "b.c")
    shell.check(cc, "a.o", "b.o", "-o", "prog")
    shell.check("./prog")


def test_python_is_the_environments_own(installed: Path, shell: Any) -> None:
    shell.check(installed / "bin" / "enzyme-cc", "-c", "asks.c")
    result = shell.run(installed / "bin" / "enzyme-ld", "--enzyme-verbose", "asks.o", "-o", "out")
    assert f"enzyme-ld: {installed}/bin/python -P -m enzyme_cc.link" in result.err


@pytest.mark.parametrize("found_by", ["prefix", "path"])
def test_cmake_project(installed: Path, tmp_path: Path, found_by: str) -> None:
    for name, text in CMAKE_SOURCES.items():
        (tmp_path / name).write_text(text)
    toolchain = installed / "share" / "cmake" / "EnzymeCC" / "enzyme_cc.cmake"
    words = [f"-DCMAKE_TOOLCHAIN_FILE={toolchain}", "-DCMAKE_BUILD_TYPE=Release"]
    env = {}
    if found_by == "path":
        words = [f"-DCMAKE_{x}_COMPILER=enzyme-{y}" for x, y in [("C", "cc"), ("CXX", "c++"), ("Fortran", "fc")]]
        env = {"PATH": f"{installed / 'bin'}:{os.environ['PATH']}"}
    run("cmake", "-S", ".", "-B", "build", *words, cwd=tmp_path, env=env)
    verbose = run("cmake", "--build", "build", "--verbose", cwd=tmp_path, env=env)
    run("build/demo", cwd=tmp_path)
    if found_by == "prefix":
        assert any("enzyme-fc" in line and "-O3" in line for line in verbose.splitlines())
        assert "-O3" in next(line for line in verbose.splitlines() if "enzyme-c++" in line)
