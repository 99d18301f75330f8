/* Second derivatives of a function that executes a plan made outside: the arrays of the plan have no shadows there.
 * expect: fftw_execute is given a plan without a shadow, for arrays that the derivative does not know by name
 * flags: -lfftw3 */
#include "../check.h"
#include <fftw3.h>

static double *in, *out;
static fftw_plan plan;

static double first(double *x) {
  for (int i = 0; i < 4; i++) in[i] = x[i] * x[0];
  fftw_execute(plan);
  return out[0] * out[1];
}
static void gradient(double *x, double *dx) { __enzyme_autodiff((void *)first, x, dx); }

int main(void) {
  double x[4] = {1, 2, 3, 4}, v[4] = {1, 0, 0, 0}, dx[4] = {0}, h[4] = {0};
  in = fftw_alloc_real(4), out = fftw_alloc_real(4);
  plan = fftw_plan_r2r_1d(4, in, out, FFTW_DHT, FFTW_ESTIMATE);
  __enzyme_fwddiff((void *)gradient, x, v, dx, h);
  printf("%g\n", h[0]);
  return 0;
}
