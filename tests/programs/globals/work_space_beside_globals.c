/* Work space that main made of static arrays: they lie beside an array that the function uses by its name. */
#include "../check.h"

static double first[2], named[2], last[2];
static struct {
  double *work[2];
} handle, *solver;

NOINLINE static void solve(const double *x) {
  solver->work[0][1] = x[0] * x[1];
  solver->work[1][0] = sin(x[1]);
}
static double f(double *x) {
  named[0] = x[0] * x[0];
  named[1] = exp(x[1]);
  solve(x);
  return solver->work[0][1] * solver->work[1][0] + named[0] * named[1];
}

int main(int argc, char **argv) {
  solver = argv ? &handle : NULL;
  handle.work[0] = argc ? first : NULL;
  handle.work[1] = argc ? last : NULL;
  CHECK(f, 0.5, 0.7);
  return failures;
}
