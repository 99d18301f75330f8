"""<enzyme/enzyme>: derivatives by it are right at every level, and what is wrong in a program is said when it is
compiled, in the words of the interface."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

INCLUDE = Path(__file__).parents[2] / "toolchain" / "include"
HEAD = """
#include <enzyme/enzyme>
#include <string>
using namespace enzyme;
double f(double x);
double g(double *x);
double &h(double &x);
struct pair { double a, b; };
pair two(double x);
"""
MISTAKES = {
    "autodiff<Reverse>(f, 1.0)": "each argument must be wrapped in Const, Active, Duplicated or DuplicatedNoNeed",
    "autodiff<Reverse>(f, Active{1.0}, Active{2.0})": "the function cannot be called with these arguments",
    "autodiff<int>(f, Active{1.0})": "the mode is Reverse, ReverseWithPrimal, Forward or ForwardWithPrimal",
    "autodiff<Forward>(f, Active{1.0})": "Active has no meaning in forward mode",
    "autodiff<Reverse>(f, Duplicated{1.0, 2.0})": "in reverse mode a number is Active or Const",
    "double x; autodiff<Reverse>(g, Active{&x})": "a pointer or a reference is Duplicated or Const, not Active",
    "autodiff<Reverse>(f, Active{1})": "only floating-point numbers, and structs of them, are Active",
    "autodiff<Reverse>(two, Active{1.0})": "reverse mode seeds a result that is one number",
    "double x; autodiff<Reverse>(h, Duplicated<double &>{x, x})": "must return a value, not a reference",
}


@pytest.mark.parametrize("level", ["-O0", "-O1", "-O2", "-O3"])
@pytest.mark.parametrize("name", ["header", "requests"])
def test_derivatives(tmp_path: Path, name: str, level: str) -> None:
    source = Path(__file__).parent / "programs" / f"{name}.cpp"
    compiler = Path(sys.executable).parent / "enzyme-c++"
    built = subprocess.run([compiler, level, source, "-o", tmp_path / "program"], capture_output=True, text=True)
    assert built.returncode == 0, built.stderr
    done = subprocess.run([tmp_path / "program"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def compile_text(text: str, *flags: str) -> subprocess.CompletedProcess[str]:
    command = ["clang-22", "-x", "c++", f"-I{INCLUDE}", "-fsyntax-only", "-Wall", "-Wextra", *flags, "-"]
    return subprocess.run(command, input=text, capture_output=True, text=True)


@pytest.mark.parametrize("call", MISTAKES)
def test_mistake_is_named(call: str) -> None:
    done = compile_text(f"{HEAD}\nvoid test() {{ {call}; }}")
    assert done.returncode != 0
    assert f"enzyme: {MISTAKES[call]}" in done.stderr or MISTAKES[call] in done.stderr, done.stderr


@pytest.mark.parametrize("standard", ["c++17", "c++20", "c++23"])
def test_compiles_without_warnings(standard: str) -> None:
    done = compile_text(f"{HEAD}\nauto test() {{ return autodiff<Reverse>(f, Active{{1.0}}); }}", f"-std={standard}")
    assert done.returncode == 0 and not done.stderr, done.stderr


def test_older_standards_are_refused_by_name() -> None:
    assert "needs C++17" in compile_text(HEAD, "-std=c++14").stderr
