/* Insertion sort: the inner loop's length depends on the data. */
#include "../check.h"

static double sorted(double *x) {
  double y[6];
  for (int i = 0; i < 6; i++) {
    double v = x[i] * x[i];
    int j = i;
    while (j > 0 && y[j - 1] > v) {
      y[j] = y[j - 1];
      j--;
    }
    y[j] = v;
  }
  double s = 0;
  for (int i = 0; i < 6; i++)
    s += y[i] * y[i] * (i + 1);
  return s;
}

int main(void) {
  CHECK(sorted, 0.9, 1.2, 0.7, -1.4, 3.3, 0.1);
  return failures;
}
