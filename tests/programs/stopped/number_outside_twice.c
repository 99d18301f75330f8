/* expect: number_outside_twice.c:9:54: a number that carries a derivative is stored in memory without a shadow
 * Work space that main made, in a function that is differentiated twice: the first derivative keeps the number's shadow
 * in a table, which the second one cannot follow. */
#include "../check.h"

static struct {
  double *work;
} *solver;
NOINLINE static void put(double v) { solver->work[0] = v; }
static double f(double *x) {
  put(x[0] * x[1]);
  return solver->work[0] * x[0];
}
static double slope(double *x) {
  double dx[2] = {1, 0};
  return __enzyme_fwddiff((void *)f, x, dx);
}

int main(int argc, char **argv) {
  double x[] = {0.5, 0.7}, dx[2] = {0}, table[8] = {0};
  solver = malloc(argc * sizeof *solver);
  solver->work = argv ? table : NULL;
  __enzyme_autodiff((void *)slope, x, dx);
  return 0;
}
