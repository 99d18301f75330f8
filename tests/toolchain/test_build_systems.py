"""Meson and CMake by the files that enzyme-cc installs for them: static and shared libraries, with -flto too."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PREFIX = Path(sys.prefix)
BIN = Path(sys.executable).parent

SOURCES = {
    "inner.c": "double inner(double x) { return x * x; }\n",
    "outer.c": "double outer(double x) { return x * x * x; }\n",
    "main.cpp": """\
#include <cstdio>
#include <enzyme/enzyme.h>
extern "C" double inner(double), outer(double);
static double f(double x) { return inner(x) + outer(x); }
int main() { std::printf("%g\\n", __enzyme_autodiff<double>((void *)f, 3.0)); }
""",
    "meson.build": """\
project('gradients', 'c', 'cpp', default_options: ['buildtype=release'])
inner = static_library('inner', 'inner.c')
outer = library('outer', 'outer.c', install: true)
executable('gradient', 'main.cpp', link_with: [inner, outer], install: true)
""",
    "CMakeLists.txt": """\
cmake_minimum_required(VERSION 3.20)
project(gradients LANGUAGES C CXX)
add_library(inner STATIC inner.c)
add_library(outer ${KIND} outer.c)
add_executable(gradient main.cpp)
target_link_libraries(gradient PRIVATE inner outer)
""",
}


def run(*words: str | Path, cwd: Path) -> str:
    environment = {**os.environ, "PATH": f"{BIN}:{os.environ['PATH']}"}
    done = subprocess.run(
        [str(word) for word in words], cwd=cwd, env=environment, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, f"{words}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def build_tool(name: str) -> str:
    found = shutil.which(name, path=f"{BIN}:{os.environ['PATH']}")
    if found is None:
        pytest.skip(f"{name} is not installed: pip install meson ninja")
    return found


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for name, text in SOURCES.items():
        (tmp_path / name).write_text(text)
    return tmp_path


@pytest.mark.parametrize("kind, lto", [("shared", "false"), ("static", "true")])
def test_meson(project: Path, kind: str, lto: str) -> None:
    meson, _ = build_tool("meson"), build_tool("ninja")
    machine = PREFIX / "share" / "meson" / "native" / "enzyme-cc.ini"
    options = [f"--native-file={machine}", f"--prefix={project}/to", "--libdir=lib", f"-Ddefault_library={kind}"]
    run(meson, "setup", *options, f"-Db_lto={lto}", "build", cwd=project)
    run(meson, "install", "-C", "build", "--strip", cwd=project)
    assert run("build/gradient", cwd=project) == "33\n"
    if kind == "shared":
        environment = {**os.environ, "LD_LIBRARY_PATH": str(project / "to" / "lib")}
        done = subprocess.run([project / "to" / "bin" / "gradient"], env=environment, capture_output=True, text=True)
        assert (done.returncode, done.stdout) == (0, "33\n"), done.stderr


def test_cmake_with_lto(project: Path) -> None:
    toolchain = PREFIX / "share" / "cmake" / "EnzymeCC" / "enzyme_cc.cmake"
    options = [f"-DCMAKE_TOOLCHAIN_FILE={toolchain}", "-DCMAKE_BUILD_TYPE=Release", "-DKIND=STATIC"]
    run("cmake", "-S", ".", "-B", "build", *options, "-DCMAKE_INTERPROCEDURAL_OPTIMIZATION=ON", cwd=project)
    assert "-flto" in run("cmake", "--build", "build", "--verbose", cwd=project)
    assert run("build/gradient", cwd=project) == "33\n"
