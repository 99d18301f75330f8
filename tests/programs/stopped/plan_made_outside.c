/* A plan in a global variable was made outside of the function, for arrays that only this plan leads to: nothing tells that
 * the output carries derivatives.
 * expect: fftw_execute is given a plan without a shadow, for arrays that the derivative does not know by name
 * flags: -lfftw3 */
#include "../check.h"
#include <fftw3.h>

static double in[4], out[4];
static fftw_plan plan;

static double first(double *x) {
  for (int i = 0; i < 4; i++) in[i] = x[i] * x[0];
  fftw_execute(plan);
  return out[0];
}

int main(void) {
  double x[4] = {1, 2, 3, 4}, dx[4] = {0};
  plan = fftw_plan_r2r_1d(4, in, out, FFTW_DHT, FFTW_ESTIMATE);
  __enzyme_autodiff((void *)first, x, dx);
  return 0;
}
