/* A plan that is passed as a constant works on arrays that carry derivatives: only a plan of the shadows could tell where
 * these are.
 * expect: pass the memory that holds the pointer with a shadow
 * flags: -lfftw3 */
#include "../check.h"
#include <fftw3.h>

static double first(fftw_plan p, double *in, double *out) {
  in[1] *= in[0];
  fftw_execute(p);
  return out[0];
}

int main(void) {
  double in[4] = {1, 2, 3, 4}, out[4], din[4] = {0}, dout[4] = {0};
  fftw_plan p = fftw_plan_r2r_1d(4, in, out, FFTW_DHT, FFTW_ESTIMATE | FFTW_UNALIGNED);
  __enzyme_autodiff((void *)first, enzyme_const, p, in, din, out, dout);
  return 0;
}
