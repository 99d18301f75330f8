/* Functions with a version for each processor: called, and asked for by name. */
#include "../check.h"

__attribute__((target_clones("avx2", "default"))) double weighted(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s += x[i] * x[i] * (i + 1);
  return s;
}

static double called(double *x) { return weighted(x, 3) * x[0]; }

__attribute__((target_clones("avx2", "default"))) double product(double *x) { return x[0] * x[1] * sin(x[2]); }

int main(void) {
  CHECK(called, 0.5, 1.2, -0.7);
  CHECK(product, 0.5, 1.2, -0.7);
  return failures;
}
