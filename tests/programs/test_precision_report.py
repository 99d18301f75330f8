"""--enzyme-precision-report: which source lines have the errors of truncated code, and of an estimate."""

from __future__ import annotations

import re

import pytest

from .conftest import Builder

_PROGRAM = """\
typedef double function(double);
extern function *__enzyme_truncate_op_func(function *, int, int);
extern double __enzyme_error_estimate(void *, ...);
double f(double x) {
  double exact = x * 2;
  double third = exact / 3;
  return third * __builtin_cos(x);
}
int main(void) {
  __enzyme_truncate_op_func(f, 64, 16)(0.875);
  return __enzyme_error_estimate((void *)f, 0.875, 0.0) > 1e-15;
}
"""


@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_errors_by_source_line(builder: Builder, level: str) -> None:
    source = builder.folder / "f.c"
    source.write_text(_PROGRAM)
    built = builder.build(source, level, "-g", "--enzyme-precision-report")
    assert built.status == 0, built.text
    done = builder.run("./program")
    assert done.status == 0, done.text
    noted = re.findall(r"f.c:(\d+): (\d+) operations?, largest relative error (\S+),", done.text)
    errors = {int(line): float(error) for line, _, error in noted}
    assert errors[5] == 0
    assert 1e-5 < errors[6] < 2**-11
    assert 0 < errors[7] < 2**-10
    assert [error for _, _, error in noted] == sorted((e for _, _, e in noted), key=float, reverse=True)
    parts = [float(part) for part in re.findall(r"^enzyme-cc:   .*f.c:\d+: (\S+) \(", done.text, re.MULTILINE)]
    total = re.search(r"f: estimated error (\S+)", done.text)
    assert total is not None and abs(sum(parts) - float(total[1])) < 1e-2 * float(total[1])
