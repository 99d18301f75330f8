/* Loads from one place in a loop: they move out of it only where the loop writes other memory. */
#include "../check.h"

static volatile int length = 4;

/* as a vector of C++ has it: null if there is nothing */
static double *vector(int n) { return n ? calloc(n, sizeof(double)) : NULL; }

/* out = L x, by columns: x[i] is the same in each inner loop, and no store to out changes it */
static double apart(double *l) {
  int n = length;
  double *x = vector(n), *out = vector(n), s = 0;
  for (int i = 0; i < n; i++)
    x[i] = l[i] * l[i];
  for (int i = 0; i < n; i++)
    for (int j = i; j < n; j++)
      out[j] += l[j] * x[i];
  for (int i = 0; i < n; i++)
    s += out[i] * out[i];
  free(x), free(out);
  return s;
}

/* both pointers lead to the same block, or to one of two */
static double together(double *l) {
  int n = length;
  double *x = vector(n), *other = vector(n), s = 0;
  for (int i = 0; i < n; i++)
    x[i] = l[i] * l[i], other[i] = l[i];
  for (int i = 0; i < n; i++) {
    double *out = i % 2 ? x : other;
    for (int j = 0; j < n; j++)
      out[j] += l[j] * x[i];
  }
  for (int i = 0; i < n; i++)
    s += x[i] * other[i];
  free(x), free(other);
  return s;
}

/* a block whose address is in memory, too */
static double found_again(double *l) {
  int n = length;
  double *x = vector(n), *volatile kept = x, s = 0;
  for (int i = 0; i < n; i++)
    x[i] = l[i];
  double *out = kept;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      out[j] += 0.1 * l[j] * x[i];
  for (int i = 0; i < n; i++)
    s += x[i] * x[i];
  free(x);
  return s;
}

/* the argument may be the place that is written, and a loop may do nothing at all */
static double of_argument(double *l) {
  int n = length;
  for (int i = 0; i < n; i++)
    for (int j = i + 1; j < n; j++)
      l[j] += l[j] * l[i];
  return l[n - 1] * l[1];
}

int main(void) {
  CHECK(apart, 0.5, 1.2, 0.7, 0.9);
  CHECK(together, 0.5, 1.2, 0.7, 0.9);
  CHECK(found_again, 0.5, 1.2, 0.7, 0.9);
  CHECK(of_argument, 0.5, 1.2, 0.7, 0.9);
  length = 0;
  double x[4] = {1, 2, 3, 4}, dx[4] = {0};
  __enzyme_autodiff((void *)apart, enzyme_dup, x, dx);
  SAME(dx[0], 0);
  return failures;
}
