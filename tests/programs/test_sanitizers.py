"""Sanitizers see what the link emits: mistakes in shadows are found, with a line, and the primal keeps its checks."""

from __future__ import annotations

import pytest

from .conftest import ENZYME_CC, Builder, Result

PROGRAM = """\
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
extern int enzyme_dup, enzyme_const;
extern double __enzyme_autodiff(void *, ...);
static double factor = 2;
double f(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s += factor * x[i] * x[i]; /* line 10 */
  return s;
}
int main(int count, char **words) {
  const char *word = count > 1 ? words[1] : "";
  int small = strcmp(word, "small") == 0, beyond = strcmp(word, "beyond") == 0;
  double *x = malloc(5 * sizeof *x), *dx = malloc((small ? 4 : 5) * sizeof *dx);
  for (int i = 0; i < 5; i++) {
    x[i] = i;
    if (strcmp(word, "uninitialised")) dx[i] = 0;
    if (small && i == 3) break;
  }
  x[4] = 4;
  factor = 2 + (f(x, 5 + beyond) > 1e9);
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, 5);
  if (dx[3] == 12) puts("right"); /* line 25 */
  free(x);
  free(dx);
  return 0;
}
"""


def built(builder: Builder, sanitizer: str, level: str) -> None:
    (builder.folder / "f.c").write_text(PROGRAM)
    done = builder.run(ENZYME_CC, level, "-g", f"-fsanitize={sanitizer}", "f.c", "-o", "program")
    if "libclang_rt" in done.text:
        pytest.skip(f"no library of {sanitizer}")
    assert done == Result(0, ""), done.text


@pytest.mark.parametrize("level", [pytest.param("-O0", marks=pytest.mark.slow), "-O2"])
def test_addresses(builder: Builder, level: str) -> None:
    """The global changes, so that the whole unit is compiled again."""
    built(builder, "address,undefined", level)
    assert builder.run("./program") == Result(0, "right\n")
    small, beyond = (builder.run("./program", word) for word in ("small", "beyond"))
    assert small.status and "heap-buffer-overflow" in small.text and "f.c:10" in small.text, small.text
    assert beyond.status and "heap-buffer-overflow" in beyond.text and "f.c:10" in beyond.text, beyond.text
    assert "__ez_gradient.f" in small.text and "__ez_gradient.f" not in beyond.text


@pytest.mark.slow
@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_uninitialised_memory(builder: Builder, level: str) -> None:
    built(builder, "memory", level)
    assert builder.run("./program") == Result(0, "right\n")
    done = builder.run("./program", "uninitialised")
    assert done.status and "use-of-uninitialized-value" in done.text and "f.c:25" in done.text, done.text


@pytest.mark.slow
@pytest.mark.parametrize("sanitizer", ["thread", "numerical", "leak"])
def test_others(builder: Builder, sanitizer: str) -> None:
    built(builder, sanitizer, "-O2")
    assert builder.run("./program") == Result(0, "right\n")


@pytest.mark.slow
def test_program_goes_on_after_a_report_if_it_was_compiled_so(builder: Builder) -> None:
    (builder.folder / "f.c").write_text(PROGRAM)
    options = ("-fsanitize=address", "-fsanitize-recover=address")
    assert builder.run(ENZYME_CC, "-O2", "-g", *options, "f.c", "-o", "program") == Result(0, "")
    done = builder.run("env", "ASAN_OPTIONS=halt_on_error=0:detect_leaks=0", "./program", "small")
    assert "f.c:10" in done.text and "right\n" in done.text and done.status == 0, done.text
