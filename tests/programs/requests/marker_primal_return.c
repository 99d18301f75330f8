/* enzyme_primal_return: the primal's result comes first. */
#include "../check.h"

struct both {
  double value, slope;
};
struct all {
  double value, dx, dy;
};
extern struct both __enzyme_autodiff_both(void *, ...);
extern struct all __enzyme_autodiff_all(void *, ...);
extern double __enzyme_autodiff_value(void *, ...);

static double f(double x) { return x * x * x; }
static double g(double x, double y) { return x * y * y; }
static double h(double *x) { return x[0] * x[1]; }

int main(void) {
  struct both b = __enzyme_autodiff_both((void *)f, enzyme_primal_return, enzyme_out, 2.0);
  SAME(b.value, 8);
  SAME(b.slope, 12);
  struct all a = __enzyme_autodiff_all((void *)g, enzyme_primal_return, 2.0, 3.0);
  SAME(a.value, 18);
  SAME(a.dx, 9);
  SAME(a.dy, 12);
  double x[] = {2, 3}, dx[2] = {0};
  SAME(__enzyme_autodiff_value((void *)h, enzyme_primal_return, enzyme_dup, x, dx), 6);
  SAME(dx[0], 3);
  SAME(dx[1], 2);
  return failures;
}
