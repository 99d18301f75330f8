"""Second derivatives of random functions, by each mode over each mode, against differences of the complex step."""

from __future__ import annotations

from .generate import INPUTS
from .program import DIFFERENTIATED, POINTS, Program

#: the change along V of the derivative along W. The shadow of a global holds what a request leaves there, so that each
#: clears what the one before left; the names are those of the shadows in the rounds.
_MAIN = """
extern double __enzyme_autodiff(void *, ...), __enzyme_fwddiff(void *, ...);
extern void __enzyme_autodiff_void(void *, ...), __enzyme_fwddiff_void(void *, ...);
extern int enzyme_const, enzyme_dup;
double state_d_shadow[%(inputs)d], state_d_round1_shadow[%(inputs)d];
double shadow_of_shadow[%(inputs)d] __asm__("state_d_shadow_round1_shadow");
extern const double points[][%(inputs)d], V[%(inputs)d], W[%(inputs)d];
extern void judge(int k, int point, double forward_reverse, double reverse_forward, double forward_forward,
                  double reverse_reverse);
static void clear(double *of) { memset(of, 0, %(inputs)d * sizeof *of); }
static void clear_all(void) { clear(state_d_shadow), clear(state_d_round1_shadow), clear(shadow_of_shadow); }
static double dot(const double *a, const double *b) {
  double sum = 0;
  for (int i = 0; i < %(inputs)d; i++)
    sum += a[i] * b[i];
  return sum;
}
%(functions)s
int main(int argc, char **argv) {
  for (int k = argc > 1 ? atoi(argv[1]) : 0; k < %(count)d; k++) {
    printf("%%d:", k);
    for (int point = 0; point < %(points)d; point++) {
      double x[%(inputs)d], dx[%(inputs)d], g[%(inputs)d], dg[%(inputs)d], c[%(inputs)d], fr, rf, ff, rr;
      fflush(stdout);
      memcpy(x, points[point], sizeof x);
      switch (k) {
%(cases)s
      }
      judge(k, point, fr, rf, ff, rr);
    }
    puts("");
  }
}
"""

_FUNCTIONS = """
static void gradient%(k)d(double *x, double *g) {
  double y[%(inputs)d];
  memcpy(y, x, sizeof y);
  clear(g), clear(state_d_shadow);
  __enzyme_autodiff_void((void *)%(name)s_d, y, g);
}
static double along%(k)d(double *x, double *v) {
  double y[%(inputs)d], u[%(inputs)d];
  memcpy(y, x, sizeof y), memcpy(u, v, sizeof u), clear(state_d_shadow);
  return __enzyme_fwddiff((void *)%(name)s_d, y, u);
}
static double weighed%(k)d(double *x, double *w) {
  double g[%(inputs)d];
  gradient%(k)d(x, g);
  return dot(g, w);
}
"""

_CASE = """      case %(k)d:
        clear_all(), memcpy(dx, V, sizeof dx);
        __enzyme_fwddiff_void((void *)gradient%(k)d, x, dx, g, dg), fr = dot(dg, W);
        clear_all(), clear(dx), memcpy(c, V, sizeof c);
        __enzyme_autodiff_void((void *)along%(k)d, x, dx, enzyme_const, c), rf = dot(dx, W);
        clear_all(), memcpy(dx, W, sizeof dx), memcpy(c, V, sizeof c);
        ff = __enzyme_fwddiff((void *)along%(k)d, x, dx, enzyme_const, c);
        clear_all(), clear(dx), memcpy(c, W, sizeof c);
        __enzyme_autodiff_void((void *)weighed%(k)d, x, dx, enzyme_const, c), rr = dot(dx, V);
        break;"""

_JUDGE = """
const double points[][%(inputs)d] = {%(table)s};
const double V[] = {0.3, -0.7, 0.5, 0.9}, W[] = {-0.2, 0.6, 0.8, -0.4};

/* the derivative along W at points[point] + t V, by the complex step */
static double slope(int k, int point, double t, unsigned long *trace) {
  complex_number z[%(inputs)d];
  for (int i = 0; i < %(inputs)d; i++)
    z[i] = points[point][i] + t * V[i] + 1e-30 * I * W[i];
  trace_hash = 0;
  complex_number r = complex_functions[k](z);
  *trace = trace_hash;
  return cimag(r) * 1e30;
}

/* a central difference of fourth order; whether the same branches were taken at all points */
static int difference(int k, int point, double h, unsigned long trace, double *change) {
  const double step[] = {-2, -1, 1, 2}, weight[] = {1, -8, 8, -1};
  *change = 0;
  for (int j = 0; j < 4; j++) {
    unsigned long here;
    *change += weight[j] * slope(k, point, step[j] * h, &here) / (12 * h);
    if (here != trace)
      return 0;
  }
  return 1;
}

void judge(int k, int point, double fr, double rf, double ff, double rr) {
  const double got[] = {fr, rf, ff, rr};
  const char *names[] = {"forward over reverse", "reverse over forward", "forward over forward",
                         "reverse over reverse"};
  double x[%(inputs)d], want, near;
  unsigned long trace;
  double scale = fabs(slope(k, point, 0, &trace));
  memcpy(x, points[point], sizeof x);
  trace_hash = 0;
  real_functions[k](x);
  int same = trace == trace_hash && difference(k, point, 1e-3, trace, &near) &&
             difference(k, point, 5e-4, trace, &want);
  scale += fabs(want);
  if (!same || !isfinite(scale) || scale > 1e10 || fabs(want - near) > 1e-5 * scale) {
    printf(" skipped");
    return;
  }
  for (int j = 0; j < 4; j++)
    if (!(fabs(got[j] - want) <= 1e-6 * (1 + scale) + 2 * fabs(want - near)) ||
        !(fabs(got[j] - got[0]) <= 1e-9 * (1 + scale))) {
      printf(" WRONG at point %%d: %%s %%.15g, %%s %%.15g, expected %%.10g", point, names[j], got[j], names[0], got[0],
             want);
      return;
    }
  printf(" right");
}
"""


class NestedProgram(Program):
    """The second derivatives of random functions."""

    judge = _JUDGE

    def main(self) -> str:
        rows = [{"k": k, "name": s.name, "inputs": INPUTS} for k, s in enumerate(self.sources)]
        values = {
            "inputs": INPUTS,
            "points": len(POINTS),
            "count": len(rows),
            "functions": "".join(_FUNCTIONS % row for row in rows),
            "cases": "\n".join(_CASE % row for row in rows),
        }
        return DIFFERENTIATED + _MAIN % values
