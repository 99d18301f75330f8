"""Random functions that are run again on memory as it was: as checkpointed steps of a loop, against the plain loop; and
by forward mode after the first half, against forward mode."""

from __future__ import annotations

from .generate import INPUTS
from .program import DIFFERENTIATED, Program

_MAIN = """
extern double __enzyme_autodiff(void *, ...), __enzyme_fwddiff(void *, ...), __enzyme_fwdsplit(void *, ...);
struct taped {
  void *tape;
  double value;
};
extern struct taped __enzyme_augmentfwd(void *, ...);
typedef double numbers[2][%(inputs)d];
double state_d_shadow[%(inputs)d];
static double state_at_first[%(inputs)d];
extern const double points[][%(inputs)d];
extern void judge(int point, numbers gradient, numbers left, numbers tangent, numbers left_by_split);
static void begin(double *x, const double *point) {
  memset(state_d_shadow, 0, sizeof state_d_shadow);
  memcpy(state_d, state_at_first, sizeof state_d);
  memcpy(x, point, %(inputs)d * sizeof *x);
}
#define STEP(f) \\
  double y[%(inputs)d]; \\
  memcpy(y, x, sizeof y); \\
  double v = f(y); \\
  for (int i = 0; i < %(inputs)d; i++) \\
    x[i] = 0.6 * x[i] + 0.3 * sin(v + y[i] + i); \\
  *sum += v * x[t %% %(inputs)d] + y[1];
#define LOOP(step) \\
  double sum = 0, factor = 1; \\
  for (int t = 0; t < 7; t++) { \\
    step(x, &sum, t); \\
    factor += x[0] * sum; \\
  } \\
  return sum + factor + x[2];
#define LOOPS(f) \\
  static void plain_##f(double *x, double *sum, int t) { STEP(f) } \\
  __attribute__((annotate("enzyme:checkpoint", 3))) static void marked_##f(double *x, double *sum, int t) { STEP(f) } \\
  static double plainly_##f(double *x) { LOOP(plain_##f) } \\
  static double checkpointed_##f(double *x) { LOOP(marked_##f) }
#define COMPARE(f) \\
  begin(left[0], points[point]), __enzyme_autodiff((void *)plainly_##f, left[0], d[0]); \\
  begin(left[1], points[point]), __enzyme_autodiff((void *)checkpointed_##f, left[1], d[1]); \\
  begin(y[0], points[point]), y_d[0][0] = __enzyme_fwddiff((void *)f, y[0], v[0]); \\
  begin(y[1], points[point]), t = __enzyme_augmentfwd((void *)f, y[1], unused); \\
  memset(state_d_shadow, 0, sizeof state_d_shadow); \\
  y_d[1][0] = __enzyme_fwdsplit((void *)f, y[1], v[1], t.tape);
%(loops)s
int main(int argc, char **argv) {
  memcpy(state_at_first, state_d, sizeof state_d);
  for (int k = argc > 1 ? atoi(argv[1]) : 0; k < %(count)d; k++) {
    printf("%%d:", k);
    for (int point = 0; point < %(points)d; point++) {
      numbers d = {{0}}, left, y, v = {{1, -2, 0.5, 3}, {1, -2, 0.5, 3}}, y_d;
      double unused[%(inputs)d] = {0};
      struct taped t;
      fflush(stdout);
      switch (k) {
%(cases)s
      }
      for (int j = 0; j < 2; j++)
        for (int i = 1; i < %(inputs)d; i++)
          y_d[j][i] = v[j][i];
      judge(point, d, left, y_d, y);
    }
    puts("");
  }
}
"""

#: the results must be the same, to rounding errors; a point where they are not finite is skipped
_JUDGE = """
extern const double points[][%(inputs)d];
const double points[][%(inputs)d] = {%(table)s};
typedef double numbers[2][%(inputs)d];

static int differ(int point, const char *what, numbers of, double tolerance) {
  double scale = 0;
  for (int i = 0; i < %(inputs)d; i++)
    scale = isfinite(of[0][i]) ? fmax(scale, fabs(of[0][i])) : INFINITY;
  for (int i = 0; i < %(inputs)d && scale < 1e12; i++)
    if (!(fabs(of[1][i] - of[0][i]) <= tolerance * (1 + scale))) {
      printf(" WRONG at point %%d: %%s[%%d] = %%.15g, expected %%.15g", point, what, i, of[1][i], of[0][i]);
      return 1;
    }
  return 0;
}

void judge(int point, numbers gradient, numbers left, numbers tangent, numbers left_by_split) {
  (void)complex_functions, (void)real_functions, (void)trace_hash;
  if (!isfinite(gradient[0][0]) || !isfinite(tangent[0][0]))
    printf(" skipped");
  else if (!differ(point, "gradient", gradient, 1e-9) && !differ(point, "x after the loop", left, 0) &&
           !differ(point, "tangent", tangent, 1e-11) && !differ(point, "x after the split", left_by_split, 0))
    printf(" right");
}
"""


class AgainProgram(Program):
    """Random functions as steps, and in halves."""

    judge = _JUDGE

    def main(self) -> str:
        names = [f"{s.name}_d" for s in self.sources]
        values = {
            "inputs": INPUTS,
            "points": 2,
            "count": len(names),
            "loops": "\n".join(f"LOOPS({name})" for name in names),
            "cases": "\n".join(f"      case {k}:\n        COMPARE({name}) break;" for k, name in enumerate(names)),
        }
        return DIFFERENTIATED + _MAIN % values
