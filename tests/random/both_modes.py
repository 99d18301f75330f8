"""Builds functions into one program that calls a judge with the gradient and the tangents of each, at each point."""

from __future__ import annotations

from typing import Any

from .generate import INPUTS
from .program import DIFFERENTIATED, POINTS, Program

_MAIN = """
extern double __enzyme_autodiff(void *, ...), __enzyme_fwddiff(void *, ...);
extern const double points[][%(inputs)d];
extern void judge(int k, int point, const double *gradient, const double *tangents);

int main(int argc, char **argv) {
  for (int k = argc > 1 ? atoi(argv[1]) : 0; k < %(count)d; k++) {
    printf("%%d:", k);
    for (int point = 0; point < %(points)d; point++) {
      double x[%(inputs)d], dx[%(inputs)d] = {0}, tangents[%(inputs)d];
      fflush(stdout);
      switch (k) {
%(cases)s
      }
      judge(k, point, dx, tangents);
    }
    puts("");
  }
}
"""

_CASE = """      case %(k)d: {
        %(before)s
        memcpy(x, points[point], sizeof x);
        __enzyme_autodiff((void *)%(primal)s, x, dx%(more)s);
        for (int i = 0; i < %(inputs)d; i++) {
          double v[%(inputs)d] = {0};
          v[i] = 1;
          memcpy(x, points[point], sizeof x);
          tangents[i] = __enzyme_fwddiff((void *)%(primal)s, x, v%(more)s);
        }
        break;
      }"""


class BothModesProgram(Program):
    """Functions in reverse mode, and in forward mode in one direction after the other."""

    def main(self) -> str:
        cases = (self._case(k, source) for k, source in enumerate(self.sources))
        values = {"inputs": INPUTS, "points": len(POINTS), "count": len(self.sources), "cases": "\n".join(cases)}
        return DIFFERENTIATED + _MAIN % values

    def _case(self, k: int, source: Any) -> str:
        before, more = self.more_arguments(source)
        values = {"k": k, "inputs": INPUTS, "primal": self.primal(source), "before": before, "more": more}
        return _CASE % values

    def more_arguments(self, source: Any) -> tuple[str, str]:
        """Returns declarations, and the arguments behind x that name them."""
        return "", ""
