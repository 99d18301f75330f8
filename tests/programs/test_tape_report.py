"""--enzyme-tape-report: how many bytes each source line has stored on tapes."""

from __future__ import annotations

import re

import pytest

from .conftest import Builder

_PROGRAM = """\
#include <math.h>
#include <stdlib.h>
#include <string.h>
double __enzyme_autodiff(void *, ...);
static double f(double *u, int n) {
  double kept[100];
  for (int i = 1; i < n; i++)
    u[i] = sin(u[i]) * u[i - 1];
  memcpy(kept, u, 8 * n);
  memcpy(u, kept, 8 * n);
  return u[n - 1] * u[n - 1] + kept[0];
}
int main(int count, char **words) {
  double u[100], d[100] = {0};
  int n = atoi(words[1]);
  for (int k = 0; k < n; k++)
    u[k] = 1;
  __enzyme_autodiff((void *)f, u, d, n);
  return !(d[0] > 0);
}
"""


def stored(text: str) -> dict[int, tuple[int, int]]:
    """Returns bytes and times by line; they must sum up to what the first line says."""
    rows = re.findall(r"^enzyme-cc: (?:.*/)?f.c:(\d+): (\d+) bytes, stored (\d+) times$", text, re.M)
    sizes = [int(size) for _, size, _ in rows]
    assert f"enzyme-cc: {sum(sizes)} bytes were stored on tapes\n" in text
    assert sizes == sorted(sizes, reverse=True)
    return {int(line): (int(size), int(times)) for line, size, times in rows}


@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_bytes_by_source_line(builder: Builder, level: str) -> None:
    source = builder.folder / "f.c"
    source.write_text(_PROGRAM)
    built = builder.build(source, level, "-g", "--enzyme-tape-report")
    assert built.status == 0, built.text
    few, many = (builder.run("./program", count) for count in ("11", "91"))
    assert few.status == many.status == 0, few.text + many.text
    of_few, of_many = stored(few.text), stored(many.text)
    (size, times), (more, more_times) = of_few[8], of_many[8]
    assert size >= 8 * 10 and times % 10 == 0
    assert (more, more_times) == (9 * size, 9 * times)


def test_without_the_option_nothing_is_told(builder: Builder) -> None:
    source = builder.folder / "f.c"
    source.write_text(_PROGRAM)
    assert builder.build(source, "-O2", "-g").status == 0
    assert builder.run("./program", "11").text == ""
