/* A request inside a function that takes the function as an argument and is inlined. */
#include "../check.h"

typedef double scalar(double);

static inline __attribute__((always_inline)) double slope(scalar *f, double x) { return __enzyme_autodiff((void *)f, x); }
static double f(double x) { return x * x * x; }
static double g(double x) { return exp(2 * x); }

int main(void) {
  SAME(slope(f, 2), 12);
  SAME(slope(g, 0.5), 2 * exp(1));
  return failures;
}
