"""Builds random machines into one program, whose gradients and tangents are compared with the complex step."""

from __future__ import annotations

from typing import Any

from ..both_modes import BothModesProgram
from .machines import ROOM

#: The machines round to floats, so numbers are compared to five digits. Where conditions of the complex and the real
#: machine differ, there is nothing to compare.
_JUDGE = """
extern const double points[][%(inputs)d];
const double points[][%(inputs)d] = {%(table)s};

void judge(int k, int point, const double *gradient, const double *tangents) {
  double x[%(inputs)d], scale = 1;
  memcpy(x, points[point], sizeof x);
  trace_hash = 0;
  double value = real_functions[k](x), want[%(inputs)d];
  unsigned long trace = trace_hash;
  for (int i = 0; i < %(inputs)d; i++) {
    complex_number z[%(inputs)d];
    for (int j = 0; j < %(inputs)d; j++)
      z[j] = points[point][j] + (i == j ? 1e-30 * I : 0);
    trace_hash = 0;
    complex_number r = complex_functions[k](z);
    want[i] = cimag(r) * 1e30, scale = fmax(scale, fabs(want[i]));
    if (trace != trace_hash || !(fabs(creal(r) - value) <= 1e-5 * (1 + fabs(value))) || !(scale < 1e4)) {
      printf(" skipped");
      return;
    }
  }
  for (int i = 0; i < %(inputs)d; i++)
    if (!(fabs(gradient[i] - want[i]) <= 1e-4 * scale) || !(fabs(tangents[i] - want[i]) <= 1e-4 * scale)) {
      printf(" WRONG at point %%d: d[%%d] = %%.9g, forward %%.9g, expected %%.9g", point, i, gradient[i], tangents[i],
             want[i]);
      return;
    }
  printf(" right");
}
"""


class UnionProgram(BothModesProgram):
    """Machines in reverse and forward mode, against the complex step."""

    judge = _JUDGE

    def primal(self, source: Any) -> str:
        return f"run_{source.name}_d" if source.storage == "caller" else super().primal(source)

    def more_arguments(self, source: Any) -> tuple[str, str]:
        if source.storage != "caller":
            return "", ""
        return f"struct V_{source.name}_d room[{ROOM}] = {{0}}, shadow[{ROOM}] = {{0}};", ", room, shadow"
