/* A constant table of functions, chosen by an index and by the data. */
#include "../check.h"

NOINLINE static double half(double x, double *w) { return x * 0.5 * w[0]; }
NOINLINE static double square(double x, double *w) { return w[1] = x * x * w[1]; }
NOINLINE static double none(double x, double *w) { return w[2] > 100 ? x : 1.5; }
static double (*const table[])(double, double *) = {half, square, none};

static double run(double *x) {
  double s = x[0];
  for (int i = 0; i < 8; i++)
    s = table[s > 3 ? 0 : i % 3](s, x) + 1;
  return s;
}

int main(void) {
  CHECK(run, 0.9, 1.2, 0.7);
  CHECK(run, 5.9, 2.2, 0.7);
  return failures;
}
