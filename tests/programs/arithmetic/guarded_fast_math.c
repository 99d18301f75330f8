/* -ffast-math promises finite numbers, but not in branches that are not taken: LLVM computes both sides of a choice.
 * flags: -ffast-math -fopenmp-simd */
#include "../check.h"

#define N 8

/* Where x is 0, no quotient and no root is wanted. Distances are wanted everywhere. */
static double choices(double *x) {
  double distance[N], sum = 0;
#pragma omp simd
  for (int i = 0; i < N; i++)
    distance[i] = sqrt(x[i] * x[i] + x[N] * x[N]);
#pragma omp simd reduction(+ : sum)
  for (int i = 0; i < N; i++) {
    double d = distance[i] - 1;
    int near = d < 0;
    sum += (near ? 2.0 : 0.5) * d;
    sum += near ? 0 : 3 * (1 - d * (x[N + 1] < 0 ? 0.25 : 0.5));
    sum += x[i] == 0 ? x[N] : x[N] / x[i];
    sum += x[i] > 0 ? sqrt(x[i]) * x[N + 1] : 0;
  }
  return sum;
}

/* The same for two conditions, one of which is fixed. */
static double both(double *x) {
  double sum[N] = {0}, total = 0;
  for (int k = 0; k < 3; k++) {
    int is_fixed = x[k] != 0;
    double inverse = is_fixed ? 1 / x[k] : 7;
#pragma omp simd
    for (int i = 0; i < N; i++) {
      double d = x[i] - x[N];
      sum[i] -= d * d < 2 && is_fixed ? inverse * d * d : 0;
    }
  }
  for (int i = 0; i < N; i++)
    total += sum[i] * (i + 1);
  return total;
}

int main(void) {
  CHECK(choices, 0.5, 1.5, 2.5, 0.25, 3.5, 0.75, 1.25, 4, 0.3, -1);
  CHECK(both, 0.5, 1.5, 2.5, 0.25, 3.5, 0.75, 1.25, 4, 0.3, -1);
  double x[N + 2] = {0, 1, 2, 0, 4, 0, -3, 5, 0.5, 2}, dx[N + 2] = {0};
  __enzyme_autodiff((void *)choices, x, dx);
  double want = 0;
  for (int i = 0; i < N; i++) {
    double r = sqrt(x[i] * x[i] + x[N] * x[N]);
    double slope = r < 1 ? 2 : 0.5 - 3 * 0.5;
    double root = x[i] > 0 ? x[N + 1] / (2 * sqrt(x[i])) : 0;
    double by_x = slope * x[i] / r - (x[i] == 0 ? 0 : x[N] / (x[i] * x[i])) + root;
    SAME(dx[i], by_x);
    want += slope * x[N] / r + (x[i] == 0 ? 1 : 1 / x[i]);
  }
  SAME(dx[N], want);
  return failures;
}
