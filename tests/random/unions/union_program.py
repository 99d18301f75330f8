"""Builds random machines into one program, whose gradients and tangents are compared with the complex step."""

from __future__ import annotations

from ..generate import INPUTS
from ..program import DIFFERENTIATED, POINTS, Program
from .machines import ROOM, StackMachine

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
        %(room)s
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


class UnionProgram(Program):
    """Machines in reverse and forward mode, against the complex step."""

    judge = _JUDGE

    def main(self) -> str:
        return DIFFERENTIATED + _MAIN % {
            "inputs": INPUTS,
            "points": len(POINTS),
            "count": len(self.sources),
            "cases": "\n".join(self._case(k, s) for k, s in enumerate(self.sources)),
        }

    def _case(self, k: int, machine: StackMachine) -> str:
        is_caller = machine.storage == "caller"
        room = f"struct V_{machine.name}_d room[{ROOM}] = {{0}}, shadow[{ROOM}] = {{0}};"
        return _CASE % {
            "k": k,
            "inputs": INPUTS,
            "room": room if is_caller else "",
            "primal": f"run_{machine.name}_d" if is_caller else f"{machine.name}_d",
            "more": ", room, shadow" if is_caller else "",
        }
