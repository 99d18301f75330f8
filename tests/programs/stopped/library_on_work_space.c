/* Work space behind a constant argument, given to a routine of a library, in a second derivative: the inner derivative has
 * no shadows to lend.
 * expect: dgemm: numbers that carry a derivative, or get one, lie in memory without a shadow
 * flags: -lopenblas */
#include "../check.h"

extern void dgemm_(const char *, const char *, const int *, const int *, const int *, const double *, const double *,
                   const int *, const double *, const int *, const double *, double *, const int *);

struct solver {
  double *a, *b;
};

static double squared(struct solver *s, double *x) {
  const double one = 1, zero = 0;
  const int n = 2;
  for (int i = 0; i < 4; i++) s->a[i] = x[i] * x[i];
  dgemm_("N", "N", &n, &n, &n, &one, s->a, &n, s->a, &n, &zero, s->b, &n);
  return s->b[0] + s->b[3];
}

static void gradient(struct solver *s, double *x, double *dx) {
  __enzyme_autodiff((void *)squared, enzyme_const, s, x, dx);
}

int main(void) {
  double a[4], b[4], x[4] = {1, 2, 3, 4}, v[4] = {1, 0, 0, 0}, dx[4] = {0}, h[4] = {0};
  struct solver s = {a, b};
  __enzyme_fwddiff((void *)gradient, enzyme_const, &s, x, v, dx, h);
  printf("%g\n", h[0]);
  return 0;
}
