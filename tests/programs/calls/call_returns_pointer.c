/* Functions that return pointers: into their argument, and to memory that they allocate. */
#include "../check.h"

NOINLINE static double *largest(double *v, int n) {
  double *best = v;
  for (int i = 1; i < n; i++)
    if (v[i] > *best)
      best = v + i;
  return best;
}
NOINLINE static double *squares(const double *v, int n) {
  double *out = malloc(n * sizeof *out);
  for (int i = 0; i < n; i++)
    out[i] = v[i] * v[i];
  return out;
}

static double run(double *x) {
  *largest(x, 4) *= x[0];
  double *s = squares(x, 4), *t = squares(s, 4);
  *largest(s, 4) = 2 * x[1];
  double r = s[0] * t[1] + s[2] * t[3];
  free(s);
  free(t);
  return r;
}

int main(void) {
  CHECK(run, 0.5, 1.2, 0.7, 0.9);
  return failures;
}
