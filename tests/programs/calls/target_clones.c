/* A function that clang compiles for two kinds of processors: a resolver chooses one when the program starts. */
#include "../check.h"

__attribute__((target_clones("avx2", "default"))) static double dot(const double *a, const double *b, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s += a[i] * b[i];
  return s;
}

static double f(double *x) { return dot(x, x, 3) * x[0]; }

int main(void) {
  CHECK(f, 0.5, 1.2, -0.7);
  return failures;
}
