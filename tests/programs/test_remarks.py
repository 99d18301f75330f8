"""`--enzyme-remarks` tells what the tape holds, and why; with a file, as records that LLVM's tools read."""

from __future__ import annotations

import re
import shutil

import pytest

from .conftest import ENZYME_CC, Builder

REMARKS_TOOL = "llvm-remarkutil-22"
SOURCE = """
#include <math.h>
extern double __enzyme_autodiff(void *, ...);
extern int enzyme_dup, enzyme_const;
double decay(double *restrict x, int n) {
  double s = 1;
  for (int i = 0; i < n; i++) {
    double a = x[i];
    x[i] = 0.5;
    s = sin(s) * a * a;
  }
  return s;
}
int main(void) {
  double x[] = {2, 3}, dx[] = {0, 0};
  __enzyme_autodiff((void *)decay, enzyme_dup, x, dx, enzyme_const, 2);
  return !(dx[0] != 0);
}
"""


def build(builder: Builder, *options: str) -> str:
    (builder.folder / "remarks.c").write_text(SOURCE)
    built = builder.run(ENZYME_CC, "-g", "-O2", "remarks.c", "-o", "program", "-lm", *options)
    assert built.status == 0, built.text
    return built.text


@pytest.mark.parametrize("option", ["--enzyme-remarks", "-Rpass=enzyme"])
def test_remarks(builder: Builder, option: str) -> None:
    text = build(builder, option)
    assert re.search(r"remarks.c:5: remark: the tape holds \d+ bytes in each iteration \[-Rpass=enzyme\]", text), text
    assert "remarks.c:8:16: remark: the value of this load is stored: 8 bytes in each iteration; " in text, text
    assert "the memory that it reads may be overwritten by the store at remarks.c:9:10" in text, text


def test_parallel_regions_say_which_threads_run_them(builder: Builder) -> None:
    region = SOURCE.replace("  for (int", "#pragma omp parallel for reduction(* : s)\n  for (int")
    (builder.folder / "region.c").write_text(region.replace("s = sin(s) * a * a", "s *= a"))
    options = ["-fopenmp", "-g", "-O2", "region.c", "-o", "program", "-lm", "--enzyme-remarks"]
    on_team = builder.run(ENZYME_CC, *options).text
    assert "region.c:7:1: remark: this parallel region runs on a team of threads [-Rpass=enzyme]" in on_team, on_team
    assert "is added" in on_team, on_team
    alone = builder.run(ENZYME_CC, *options, "--enzyme-serial-regions").text
    assert "region.c:7:1: remark: this parallel region runs in one thread [-Rpass=enzyme]" in alone, alone


THREADS = """
#include <pthread.h>
extern double __enzyme_autodiff(void *, double *, double *);
static void *square(void *x) { *(double *)x *= *(double *)x; IDENTITY return 0; }
double squared(double *x) {
  pthread_t threads[2];
  for (int k = 0; k < 2; k++) pthread_create(&threads[k], 0, square, x + k);
  for (int k = 0; k < 2; k++) pthread_join(threads[k], 0);
  return x[0] + x[1];
}
int main(void) { double x[] = {2, 3}, dx[2] = {0}; __enzyme_autodiff((void *)squared, x, dx); return dx[1] != 6; }
"""


def test_threads_say_how_they_run(builder: Builder) -> None:
    (builder.folder / "threads.c").write_text(THREADS)
    options = ["-pthread", "-O2", "threads.c", "-o", "program", "--enzyme-remarks"]
    on_team = builder.run(ENZYME_CC, *options, "-DIDENTITY=").text
    assert "remark: this parallel region runs on a team of threads [-Rpass=enzyme]" in on_team, on_team
    assert builder.run("./program").status == 0
    in_turns = builder.run(ENZYME_CC, *options, "-DIDENTITY=if (pthread_self() == 0) return x;").text
    said = "squared: remark: threads that this function makes run in one thread, one after the other: "
    assert f"{said}a thread asks what it is called in square [-Rpass=enzyme]" in in_turns, in_turns
    assert builder.run("./program").status == 0


BISECTION = """
#include <math.h>
extern double __enzyme_autodiff(void *, double);
double root(double a) {
  double low = 0, width = 8, size = 1;
  for (int i = 0; i < 50; i++) {
    double middle = low + (width *= 0.5);
    if (middle * middle < a) low = middle;
  }
  while (size * a > 1) size *= 0.5;
  return low * size;
}
int main(void) { return __enzyme_autodiff((void *)root, 2.0) != 0; }
"""


def test_bisections_are_told(builder: Builder) -> None:
    (builder.folder / "root.c").write_text(BISECTION)
    built = builder.run(ENZYME_CC, "-g", "-O2", "root.c", "-o", "program", "--enzyme-remarks")
    assert re.findall(r"(\S+): remark: this comparison halves the bracket", built.text) == ["root.c:8:25"], built.text


RECORD = re.compile(
    r"""--- !(Passed|Missed|Analysis)
Pass:            enzyme
Name:            \w+
(?:DebugLoc:        \{ File: '([^']*)', Line: (\d+), Column: (\d+) \}
)?Function:        'decay'
Args:
((?:  - \w+: +'(?:[^']|'')*'\n)+)\.\.\.
"""
)


def test_records(builder: Builder) -> None:
    assert build(builder, "--enzyme-remarks=remarks.yaml") == ""
    text = (builder.folder / "remarks.yaml").read_text()
    found = list(RECORD.finditer(text))
    assert "".join(r[0] for r in found) == text
    assert {r[1] for r in found} == {"Passed", "Missed", "Analysis"}
    stored = [r for r in found if r[1] == "Missed"]
    assert all(r[2] == "remarks.c" and int(r[3]) >= 5 for r in stored)
    assert any("Reason:" in r[5] and "Bytes:" in r[5] for r in stored)
    if shutil.which(REMARKS_TOOL):
        converted = builder.run(REMARKS_TOOL, "yaml2bitstream", "remarks.yaml", "-o", "remarks.bitstream")
        assert converted.status == 0, converted.text
