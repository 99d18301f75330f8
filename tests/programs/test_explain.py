"""`--enzyme-explain` tells what is active, by which rule, and where the reverse sweep finds each value."""

from __future__ import annotations

from .conftest import ENZYME_CC, Builder

SOURCE = """
#include <math.h>
extern double __enzyme_autodiff(void *, ...);
__attribute__((noinline)) static void turn(double *x) {
  x[0] = sin(x[0]) * x[1];
}
double orbit(double *x, int n) {
  double s = x[1];
  for (int i = 0; i < n; i++) {
    turn(x);
    s = exp(s) / x[0];
  }
  return s + log(x[1]) / x[1];
}
int main(void) {
  double x[] = {2, 3}, dx[] = {0, 0};
  __enzyme_autodiff((void *)orbit, x, dx, 1);
  return !(fabs(dx[0] + exp(3) * cos(2) / (3 * pow(sin(2), 2))) < 1e-9);
}
"""

EXPECTED = """\
enzyme-cc: adjoint of orbit (explain.c:7)
    explain.c:10:5: call turn: split: augmented and reverse
    explain.c:11:9: call exp: rule exp: r
    explain.c:11:16: fdiv: rule fdiv: 1/y | -r/y
    explain.c:13:14: call log: rule log: 1/x
  stored per iteration, depth 1
  computed again
enzyme-cc: adjoint, split, of turn (explain.c:4)
  reached by: orbit calls turn
    explain.c:5:10: call sin: rule sin: cos(x)
    explain.c:5:8: store: taken from shadow memory, which is then zero
"""


def test_explain(builder: Builder) -> None:
    (builder.folder / "explain.c").write_text(SOURCE)
    built = builder.run(ENZYME_CC, "-g", "-O2", "explain.c", "-o", "program", "-lm", "--enzyme-explain")
    assert built.status == 0
    for line in EXPECTED.splitlines():
        assert line in built.text, built.text
    assert builder.run("./program").status == 0


def test_silent_otherwise(builder: Builder) -> None:
    (builder.folder / "explain.c").write_text(SOURCE)
    assert builder.run(ENZYME_CC, "-O2", "explain.c", "-o", "program", "-lm").text == ""
