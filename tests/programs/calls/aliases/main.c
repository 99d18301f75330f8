/* Aliases of functions that another file overrides: an alias keeps what it stands for, and a weak alias gives way. */
#include "../../check.h"

/* other.c has a `step` of its own, plain_scale.c a `scale` */
__attribute__((weak)) double step(double x) { return x * x; }
double first_step(double) __attribute__((alias("step")));
static int unit(int i) { return i; }
int scale(int) __attribute__((weak, alias("unit")));
static double own(double x) { return exp(x); }
double shape(double) __attribute__((weak, alias("own")));

double both(double *x) { return step(x[0]) * first_step(x[1]) + shape(x[0] * x[1]) * scale(1); }

extern int enzyme_inactive_scale(int) __asm__("scale");
void *__enzyme_inactivefn_scale[] = {(void *)enzyme_inactive_scale};

int main(void) {
  double x[] = {2, 3};
  same("primal", 0, both(x), 8 * 9 + sin(6) * 5, 1e-14);
  CHECK(both, 2, 3);
  return failures;
}
