/* Registered derivatives with constant memory of numbers: with enzyme_runtime_activity, it is its own shadow. */
#include "../check.h"
extern int enzyme_runtime_activity;

static void scaled(const double *x, const double *by, double *y) { *y = *x * *by; }
static void *augment_scaled(const double *x, double *dx, const double *by, double *dby, double *y, double *dy) {
  scaled(x, by, y);
  return NULL;
}
static void reverse_scaled(const double *x, double *dx, const double *by, double *dby, double *y, double *dy,
                           void *tape) {
  if (dx != x)
    *dx += *by * *dy;
  if (dby != by)
    *dby += *x * *dy;
  *dy = 0;
}
static void forward_scaled(const double *x, double *dx, const double *by, double *dby, double *y, double *dy) {
  scaled(x, by, y);
  *dy = (dx == x ? 0 : *dx * *by) + (dby == by ? 0 : *x * *dby);
}
void *__enzyme_register_gradient_scaled[] = {(void *)scaled, (void *)augment_scaled, (void *)reverse_scaled};
void *__enzyme_register_derivative_scaled[] = {(void *)scaled, (void *)forward_scaled};

static double f(const double *x, const double *by) {
  double y;
  scaled(x, by, &y);
  return y * y;
}

int main(void) {
  double x = 3, dx = 0, by = 2, dby = 0;
  __enzyme_autodiff((void *)f, enzyme_runtime_activity, enzyme_dup, &x, &dx, enzyme_const, &by);
  SAME(dx, 2 * 3 * 4);
  SAME(by, 2);
  __enzyme_autodiff((void *)f, enzyme_runtime_activity, enzyme_const, &x, enzyme_dup, &by, &dby);
  SAME(dby, 2 * 9 * 2);
  SAME(x, 3);
  dx = 1;
  SAME(__enzyme_fwddiff((void *)f, enzyme_runtime_activity, enzyme_dup, &x, &dx, enzyme_const, &by), 24);
  dx = 0;
  __enzyme_autodiff((void *)f, enzyme_dup, &x, &dx, enzyme_dup, &by, &dby);
  SAME(dx, 24);
  return failures;
}
