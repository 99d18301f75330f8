/* The energy of the functional PBE (exchange) by the density and its gradient: a table of functionals, then of kernels. */
#include "check.h"
#include <xc.h>

static xc_func_type before;

static void make(xc_func_type *functional) { xc_func_init(functional, XC_GGA_X_PBE, XC_UNPOLARIZED); }

static double energy(const xc_func_type *functional, const double *x) {
  double per_particle = 0;
  xc_gga_exc(functional, 1, x, x + 1, &per_particle);
  return x[0] * per_particle;
}

static double outside(double *x) { return energy(&before, x); }

static double inside(double *x) {
  xc_func_type functional;
  make(&functional);
  double value = energy(&functional, x);
  xc_func_end(&functional);
  return value;
}

int main(void) {
  make(&before);
  CHECK_HANDLE(inside, outside, 0.31, 0.12);
  return failures;
}
