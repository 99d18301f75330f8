/* Work space behind a constant argument, given to a routine of a library: the runtime keeps the shadows of its numbers in
 * blocks, which the library's derivative cannot use.
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

int main(void) {
  double a[4], b[4], x[4] = {1, 2, 3, 4}, dx[4] = {0};
  struct solver s = {a, b};
  __enzyme_autodiff((void *)squared, enzyme_const, &s, x, dx);
  return 0;
}
