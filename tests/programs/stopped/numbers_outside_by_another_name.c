/* expect: that memory is also a global that differentiated code uses by its name
 * A handle that main made points at an array that f reads by its name; another function stored there before. */
#include "../check.h"

static struct {
  double *work;
} *solver;
static double result[2];
NOINLINE static void solve(double v) { solver->work[0] = v; }
static double by_handle(double *x) {
  solve(x[0] * x[1]);
  return solver->work[0];
}
static double f(double *x) {
  solve(x[0] * x[1]);
  return result[0] * x[0];
}

int main(int argc, char **argv) {
  double x[] = {0.5, 0.7}, dx[2] = {0};
  solver = malloc(argc * sizeof *solver);
  solver->work = argv ? result : NULL;
  __enzyme_autodiff((void *)by_handle, x, dx);
  SAME(dx[0], x[1]);
  if (failures)
    return 1;
  __enzyme_autodiff((void *)f, x, dx);
  return 0;
}
