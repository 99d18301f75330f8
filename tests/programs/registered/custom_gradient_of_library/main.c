/* The function's body is in a static library without bitcode; its derivatives are the program's own. */
#include "../../check.h"

extern void solve(const double *a, double *x, int n);

static void *augment_solve(const double *a, double *da, double *x, double *dx, int n) {
  double *kept = malloc(n * sizeof *kept);
  solve(a, x, n);
  memcpy(kept, x, n * sizeof *kept);
  return kept;
}
static void reverse_solve(const double *a, double *da, double *x, double *dx, int n, void *tape) {
  double *kept = tape;
  for (int i = 0; i < n; i++) {
    dx[i] /= a[i];
    da[i] -= kept[i] * dx[i];
  }
  free(kept);
}
void *__enzyme_register_gradient_solve[] = {(void *)solve, (void *)augment_solve, (void *)reverse_solve};

static void derivative_solve(const double *a, const double *da, double *x, double *dx, int n) {
  solve(a, x, n);
  for (int i = 0; i < n; i++)
    dx[i] = (dx[i] - da[i] * x[i]) / a[i];
}
void *__enzyme_register_derivative_solve[] = {(void *)solve, (void *)derivative_solve};

static double f(double *a) {
  double x[3] = {1, 2, 3};
  solve(a, x, 3);
  return x[0] * x[1] + x[2];
}

int main(void) {
  CHECK(f, 2.0, 3.0, 5.0);
  return failures;
}
