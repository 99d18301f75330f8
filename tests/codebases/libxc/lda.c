/* The correlation energy of Perdew and Wang (LDA), spin polarised. */
#include "check.h"
#include <xc.h>

static xc_func_type before;

static void make(xc_func_type *functional) { xc_func_init(functional, XC_LDA_C_PW, XC_POLARIZED); }

static double energy(const xc_func_type *functional, const double *x) {
  double per_particle = 0;
  xc_lda_exc(functional, 1, x, &per_particle);
  return (x[0] + x[1]) * per_particle;
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
  CHECK_HANDLE(inside, outside, 0.31, 0.22);
  return failures;
}
