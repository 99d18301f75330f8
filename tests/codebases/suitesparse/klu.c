/* A sparse system by KLU: the analysis of the pattern (the handle) is made before or in the differentiated function. */
#include "check.h"
#include <klu.h>
enum { N = 5, ENTRIES = 12 };

static int columns[N + 1] = {0, 2, 5, 9, 10, 12};
static int rows[ENTRIES] = {0, 1, 0, 2, 4, 1, 2, 3, 4, 2, 1, 4};

struct handle { klu_common common; klu_symbolic *symbolic; };
static struct handle before;

static void make(struct handle *h) {
  klu_defaults(&h->common);
  h->symbolic = klu_analyze(N, columns, rows, &h->common);
}

static double solved(struct handle *h, const double *x) {
  double a[ENTRIES] = {2, 3, 3, -1, 4, 4, -3, 1, 2, 2, 6, 1}, b[N] = {8, 45, -3, 3, 19}, sum = 0;
  for (int i = 0; i < ENTRIES; i++)
    a[i] *= 1 + 0.1 * x[i % 3];
  for (int i = 0; i < N; i++)
    b[i] += x[(i + 1) % 3] * i;
  klu_numeric *numeric = klu_factor(columns, rows, a, h->symbolic, &h->common);
  klu_solve(h->symbolic, numeric, N, 1, b, &h->common);
  klu_free_numeric(&numeric, &h->common);
  for (int i = 0; i < N; i++)
    sum += b[i] * (i + 1);
  return sum;
}

static double outside(double *x) { return solved(&before, x); }

static double inside(double *x) {
  struct handle h;
  make(&h);
  double value = solved(&h, x);
  klu_free_symbolic(&h.symbolic, &h.common);
  return value;
}

int main(void) {
  make(&before);
  CHECK_HANDLE(inside, outside, 0.4, -0.3, 1.2);
  return failures;
}
