/* Copies and fills overwrite memory that the reverse sweep needs: local memory and the caller's. */
#include "../check.h"

enum { N = 4 };

static double products(const double *a) {
  double sum = 0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      sum += a[i] * a[j] * (1 + i);
  return sum;
}

static double local(double *x) {
  double a[N], b[N], sum = 0;
  memcpy(a, x, sizeof a);
  for (int t = 0; t < 3; t++) {
    sum += products(a);
    for (int i = 0; i < N; i++)
      b[i] = cos(a[i]) * x[i];
    memcpy(a, b, sizeof a);
  }
  memset(a, 0, sizeof a / 2);
  return sum + products(a);
}

static double of_caller(double *x) {
  double sum = 0, b[N];
  for (int t = 0; t < 3; t++) {
    sum += products(x);
    for (int i = 0; i < N; i++)
      b[i] = cos(x[i]);
    memmove(x, b, sizeof b);
  }
  memset(x + 1, 0, 2 * sizeof *x);
  sum += products(x);
  x[3] = 7;
  return sum + products(x);
}

int main(void) {
  CHECK(local, 0.5, 1.2, 0.7, -0.4);
  CHECK(of_caller, 0.5, 1.2, 0.7, -0.4);
  return failures;
}
