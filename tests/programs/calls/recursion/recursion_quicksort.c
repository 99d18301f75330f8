/* Quicksort in place, then a weighted sum: the weight of each number depends on the data. */
#include "../../check.h"

NOINLINE static void sort(double *v, int n) {
  if (n < 2)
    return;
  double pivot = v[n / 2];
  int i = 0, j = n - 1;
  for (;; i++, j--) {
    while (v[i] < pivot)
      i++;
    while (v[j] > pivot)
      j--;
    if (i >= j)
      break;
    double t = v[i];
    v[i] = v[j];
    v[j] = t;
  }
  sort(v, i);
  sort(v + i, n - i);
}

static double run(double *x) {
  sort(x, 7);
  double s = 0;
  for (int i = 0; i < 7; i++)
    s += x[i] * x[i] * (i + 1);
  return s;
}

int main(void) {
  CHECK(run, 0.9, 1.2, 0.7, -1.4, 3.3, 0.1, 2.2);
  return failures;
}
