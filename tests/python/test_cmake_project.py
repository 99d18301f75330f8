"""`enzyme_cc.library` of a CMake project: a target of several files and languages."""

from __future__ import annotations

import os
import pickle
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import enzyme_cc

from .conftest import SOURCES

X = np.array([0.0, 1, 3])


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return Path(shutil.copytree(SOURCES / "project", tmp_path_factory.mktemp("project") / "springs"))


@pytest.fixture(scope="module")
def springs(project: Path) -> Any:
    return enzyme_cc.library(project, "solver")


def test_gradient_of_a_target_in_three_languages(springs: Any) -> None:
    energy = springs.function("energy", "x[n], n -> return")
    springs.springs.stiffness = 2.0
    assert energy(X) == 2 * (1 + 4)
    np.testing.assert_allclose(energy.grad(X), [-4, -4, 8])
    springs.springs.stiffness = 10.0
    np.testing.assert_allclose(energy.grad(X), [-20, -20, 40])
    assert pickle.loads(pickle.dumps(springs)).springs.stiffness == 10
    with pytest.raises(RuntimeError, match="one mass has no spring"):
        energy(X[:1])


def test_what_changed_is_compiled_again(springs: Any, project: Path) -> None:
    assert enzyme_cc.library(project, "solver").path == springs.path
    source = project / "main.c"
    assert enzyme_cc.library(project, "run").function("shifted", "x -> return").value_and_grad(3.0) == (10, 6)
    source.write_text(source.read_text().replace("+ 1", "* x"))
    os.utime(source, (2**31, 2**31))  # make compares times
    assert enzyme_cc.library(project, "run").function("shifted", "x -> return").value_and_grad(3.0) == (27, 27)


def test_options_of_cmake(project: Path) -> None:
    hard = enzyme_cc.library(project, "solver", cmake="-DHARD=ON")
    assert hard.function("energy", "x[n], n -> return")(X) == 100 * 2 * (1 + 4)


@pytest.mark.parametrize(
    ("target", "told"),
    [
        ("solvr", "no target solvr with code\n  remedy: did you mean solver"),
        ("", "needs a target\n  remedy: its targets are helpers, run, solver"),
    ],
)
def test_a_target_that_is_missing(project: Path, target: str, told: str) -> None:
    with pytest.raises(enzyme_cc.CompileError, match=told) as raised:
        enzyme_cc.library(project, target)
    (message,) = raised.value.diagnostics
    assert message.file == str(project / "CMakeLists.txt")


def test_a_build_that_fails_and_is_mended(tmp_path: Path) -> None:
    (tmp_path / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.19)\nproject(p C)\nadd_library(p p.c)\ntarget_link_libraries(p missing)\n"
    )
    (tmp_path / "p.c").write_text("double f(double x) { return y; }\n")
    with pytest.raises(enzyme_cc.CompileError, match="undeclared identifier 'y'") as raised:
        enzyme_cc.library(tmp_path, "p")
    message = raised.value.diagnostics[0]
    assert (message.file, message.line) == (str(tmp_path / "p.c"), 1)
    (tmp_path / "p.c").write_text("double f(double x) { return x; }\n")
    with pytest.raises(enzyme_cc.CompileError, match="-lmissing"):
        enzyme_cc.library(tmp_path, "p")
    (tmp_path / "CMakeLists.txt").write_text("cmake_minimum_required(VERSION 3.19)\nproject(p C)\nfail()\n")
    with pytest.raises(enzyme_cc.CompileError, match='Unknown CMake command "fail"'):
        enzyme_cc.library(tmp_path, "p", flags="-O1")


def test_what_is_no_project(tmp_path: Path, project: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"no CMakeLists\.txt in"):
        enzyme_cc.library(tmp_path, "p")
    with pytest.raises(ValueError, match="are for CMake projects"):
        enzyme_cc.library(SOURCES / "shapes.c", "p")
    with pytest.raises(ValueError, match=r"enzyme_cc\.library makes a target of it"):
        enzyme_cc.function(project, "energy")
