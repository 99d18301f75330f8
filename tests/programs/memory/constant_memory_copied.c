/* Copies and fills of memory that turns out to be constant when the program runs: an array that is its own shadow, or that
 * a global pointed at. What lies there stays, and its numbers are constants. */
#include "../check.h"

extern int enzyme_runtime_activity;
static double *work, *from, x[2] = {1.5, -0.5}, a[4], b[4] = {5, 6, 7, 8};

static double by_globals(double *x, int n) {
  if (n > 100)
    work[0] = from[0] = x[0];
  memset(work, 0, n * sizeof(double));
  work[1] = 3;
  memcpy(work + 2, from, 2 * sizeof(double));
  memmove(work, work + 1, 2 * sizeof(double));
  double s = 0;
  for (int i = 0; i < n; i++)
    s += work[i] * (i + 1);
  return s * x[0] * x[1];
}
static double copied(double *x, double *a, double *b, int n) {
  memcpy(a, b, n * sizeof(double));
  double s = 0;
  for (int i = 0; i < n; i++)
    s += a[i];
  return s * x[0] * x[1];
}
static double filled(double *x, double *a, int n) {
  memset(a, 0, n * sizeof(double));
  a[1] = 2;
  double s = 0;
  for (int i = 0; i < n; i++)
    s += a[i] * x[i & 1];
  return s;
}

static double first, second, third, *rows[3];
static double of_rows(double *x, double **rows, int n) {
  if (n > 100)
    rows[0] = x;
  memmove(rows, rows + 1, 2 * sizeof *rows);
  return *rows[0] * x[0] + *rows[1] * x[1];
}

#define DERIVATIVES(f, v0, v1, ...)                                                                                    \
  do {                                                                                                                 \
    double d[2] = {0}, v[2] = {0.5, 2};                                                                                \
    __enzyme_autodiff((void *)f, enzyme_runtime_activity, enzyme_dup, x, d, __VA_ARGS__);                              \
    SAME(d[0], v0), SAME(d[1], v1);                                                                                    \
    SAME(__enzyme_fwddiff((void *)f, enzyme_runtime_activity, enzyme_dup, x, v, __VA_ARGS__), 0.5 * (v0) + 2 * (v1));  \
  } while (0)

int main(void) {
  double here[4] = {0}, there[4] = {5, 6, 7, 8};
  for (int round = 0; round < 2; round++) {
    work = here, from = there;
    DERIVATIVES(by_globals, -0.5 * 52, 1.5 * 52, enzyme_const, 4);
    SAME(here[0], 3), SAME(here[3], 6), SAME(there[1], 6);
  }
  DERIVATIVES(copied, -0.5 * 26, 1.5 * 26, enzyme_dup, a, a, enzyme_dup, b, b, enzyme_const, 4);
  SAME(a[2], 7), SAME(b[2], 7);
  DERIVATIVES(filled, 0, 2, enzyme_dup, a, a, enzyme_const, 4);
  SAME(a[1], 2), SAME(a[2], 0);
  first = 2, second = 3, third = 4;
  for (int mode = 0; mode < 2; mode++) {
    double d[2] = {0}, v[2] = {0.5, 2};
    rows[0] = &first, rows[1] = &second, rows[2] = &third;
    if (mode)
      d[0] = __enzyme_fwddiff((void *)of_rows, enzyme_runtime_activity, enzyme_dup, x, v, enzyme_dup, rows, rows, enzyme_const, 3);
    else
      __enzyme_autodiff((void *)of_rows, enzyme_runtime_activity, enzyme_dup, x, d, enzyme_dup, rows, rows, enzyme_const, 3);
    SAME(d[0], mode ? 0.5 * 3 + 2 * 4 : 3), SAME(*rows[0], 3), SAME(*rows[1], 4);
  }
  return failures;
}
