/* __enzyme_ignore_derivatives: the value with its derivative cut, in both modes; outside derivatives, the value. */
#include "../check.h"

extern double __enzyme_ignore_derivatives(double);
extern float __enzyme_ignore_derivatives_float(float);
extern double *__enzyme_ignore_derivatives_pointer(double *);
extern double __enzyme_fwddiff(void *, ...);

static double half(double x) { return x * __enzyme_ignore_derivatives(x); }
static double in_loop(double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s += x[i] * __enzyme_ignore_derivatives(s * x[i]) + __enzyme_ignore_derivatives_float((float)x[0]);
  return s;
}
static double through_memory(double *x) {
  double *constant = __enzyme_ignore_derivatives_pointer(x);
  return x[0] * constant[1];
}

int main(void) {
  SAME(half(3), 9);
  SAME(__enzyme_autodiff((void *)half, 3.0), 3);
  SAME(__enzyme_fwddiff((void *)half, 3.0, 2.0), 6);
  double x[] = {2, 3, 5}, dx[3] = {0}, s = 0;
  __enzyme_autodiff((void *)in_loop, x, dx, 3);
  for (int i = 0; i < 3; i++) {
    SAME(dx[i], s * x[i]);
    s += x[i] * s * x[i] + x[0];
  }
  dx[0] = dx[1] = 0;
  __enzyme_autodiff((void *)through_memory, x, dx);
  SAME(dx[0], 3);
  SAME(dx[1], 0);
  return failures;
}
