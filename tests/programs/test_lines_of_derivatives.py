"""With -g, each instruction of a derivative has the line of the primal instruction that it comes from."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from . import source_lines
from .conftest import ENZYME_CC, Builder
from .test_programs import PROGRAMS

pytestmark = pytest.mark.skipif(not source_lines.has_tools(), reason="no llvm-objdump and llvm-symbolizer")

PROGRAM = """\
#include <math.h>
#include <stdio.h>
extern int enzyme_dup, enzyme_const;
extern double __enzyme_autodiff(void *, ...);
static inline double inlined(double v) {
  return v * sinh(v);
}
__attribute__((noinline)) double called(double v) {
  return v * atan(v);
}
__attribute__((noinline)) double f(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    s += inlined(x[i]) *
         sin(x[i]) *
         called(x[i]);
  }
  return s;
}
int main(int argc, char **argv) {
  double x[4] = {1, 2, 3, 4}, dx[4] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, argc);
  printf("%.6f\\n", dx[0]);
}
"""
GRADIENT = "__ez_gradient.f"  # the outermost function has the name of its symbol
#: in it: what is called, the line, and the functions that the call lies in
CALLS = {
    ("sinh", 6, ("inlined", GRADIENT)),
    ("cosh", 6, ("inlined", "f.adjoint", GRADIENT)),
    ("sin", 15, (GRADIENT,)),
    ("cos", 15, ("f.adjoint", GRADIENT)),
    ("called.copy", 16, (GRADIENT,)),
    ("__ez_gradient.called", 16, ("f.adjoint", GRADIENT)),
}
#: the least share of instructions with a line in 20 programs together
SHARE = 0.95
COUNTED = 20


@pytest.fixture
def program(builder: Builder) -> Path:
    (builder.folder / "f.c").write_text(PROGRAM)
    done = builder.run(ENZYME_CC, "-O2", "-g", "f.c", "-o", "program", "-lm")
    assert done.status == 0, done.text
    return builder.folder / "program"


def test_calls_in_a_gradient_have_the_lines_of_the_primal(program: Path) -> None:
    found = source_lines.rows(program)
    calls = [row for row in found if "call" in row.text and row.frames[-1][0] == GRADIENT and "<" in row.text]
    called = {(row.text.partition("<")[2].strip(">"), row.line, tuple(name for name, _ in row.frames)) for row in calls}
    assert {(name.removesuffix("@plt"), *rest) for name, *rest in called} >= CALLS
    with_line, all_of_them = source_lines.share_with_lines(program)
    assert with_line > SHARE * all_of_them


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("gdb") is None, reason="no gdb")
def test_a_debugger_stops_in_both_sweeps(builder: Builder, program: Path) -> None:
    words = [word for command in ("break f.c:15", "run", "bt", "continue", "bt") for word in ("-ex", command)]
    told = builder.run("gdb", "-q", "-batch", *words, program.name).text
    assert "f.gradient () at f.c:15" in told and "f.adjoint () at f.c:15" in told and "at f.c:22" in told, told


@pytest.mark.slow
def test_programs(builder: Builder, record_property: Callable[[str, object], None]) -> None:
    programs = [path for path in PROGRAMS if path.parent.name in ("algorithms", "memory", "cxx", "fortran")]
    counts = []
    for path in programs[:: len(programs) // COUNTED][:COUNTED]:
        assert (done := builder.build(path, "-O2", "-g")).status == 0, done.text
        counts.append(source_lines.share_with_lines(builder.folder / "program"))
        record_property(path.name, counts[-1])
    with_line, all_of_them = (sum(numbers) for numbers in zip(*counts, strict=True))
    assert with_line > SHARE * all_of_them, (with_line, all_of_them)
