"""Functions and variables of a program with the names of libc's and libm's: the program's own are meant."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest

import enzyme_cc

#: functions of libc, libm, libpthread, librt and libcrypt; `step` and `advance` match regular expressions
NAMES = """gamma j0 j1 jn y0 y1 yn drem significand scalb step advance error index rindex random srandom signal select
send recv accept connect listen bind link unlink pause alarm time clock truncate sync yield daemon group shutdown stat
access dup""".split()
SOURCE = "\n".join(f"double {name}(double x) {{ return {k + 2} * x * x; }}" for k, name in enumerate(NAMES))
#: not inlined: native code of the library calls `step`, too
SHARED = """
double timezone = 3; long daylight = 2;
__attribute__((noinline)) double step(double x) { return timezone * x * x; }
double total(double x, int n) { double s = 0; for (int i = 0; i < n; i++) s += step(x + i) * daylight; return s; }
double set_up(double zone) { return timezone = zone; }
"""


def source(folder: Path, text: str) -> Path:
    path = folder / "named.c"
    path.write_text(text)
    return path


def test_functions_of_a_library(tmp_path: Path) -> None:
    assert len(NAMES) == 40
    library = enzyme_cc.library(source(tmp_path, SOURCE), flags="-fno-builtin")
    for k, name in enumerate(NAMES):
        f = library.function(name, "x -> return")
        assert f(3.0) == 9 * (k + 2)
        assert f.grad(3.0) == 6 * (k + 2)


def test_functions_of_sources(tmp_path: Path) -> None:
    path = source(tmp_path, SOURCE)
    for k in range(0, 40, 10):
        f = enzyme_cc.function(path, NAMES[k], "x -> return", flags="-fno-builtin")
        assert (f(3.0), f.grad(3.0)) == (9 * (k + 2), 6 * (k + 2))


def linked(folder: Path) -> Any:
    """Returns a library that is linked as other build systems do it: its symbols are not bound to itself."""
    path = source(folder, SHARED)
    output = folder / "libnamed.so"
    subprocess.run(["enzyme-cc", "-O2", "-g", "-fPIC", "-shared", path, "-o", output], check=True)
    return enzyme_cc.library(output)


@pytest.mark.parametrize("make", [linked, lambda folder: enzyme_cc.library(source(folder, SHARED))])
def test_calls_and_variables_inside_a_library(tmp_path: Path, make: Any) -> None:
    library = make(tmp_path)
    total, set_up = library.function("total", "x, n -> return"), library.function("set_up", "zone -> return")
    assert (total(2.0, 2), total.grad(2.0, 2)) == (2 * 3 * 13, 2 * 3 * 10)
    set_up(5.0)
    assert (total(2.0, 2), total.grad(2.0, 2)) == (2 * 5 * 13, 2 * 5 * 10)
    assert library.function("step", "x -> return").grad(2.0) == 20
