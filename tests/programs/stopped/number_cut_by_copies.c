/* expect: two adjoints meet where numbers of several types, or parts of numbers
 *
 * Rows behind a header are copied in two pieces, which cut a number. */
#include <string.h>

double __enzyme_autodiff(void *, ...);

static double f(double *x) {
  char from[4 + 8 * 6], to[4 + 8 * 6];
  double rows[6], back[6], sum = 0;
  int count = 6, found;
  for (int i = 0; i < count; i++)
    rows[i] = x[i] * x[(i + 1) % 6];
  memcpy(from, &count, 4);
  memcpy(from + 4, rows, sizeof rows);
  memcpy(to, from, 23);
  memcpy(to + 23, from + 23, sizeof to - 23);
  memcpy(&found, to, 4);
  memcpy(back, to + 4, found * sizeof(double));
  for (int i = 0; i < found; i++)
    sum += back[i] * (i + 1);
  return sum;
}

int main(void) {
  double x[6] = {0.3, 0.7, 1.1, 0.4, 0.8, 0.2}, d[6] = {0};
  __enzyme_autodiff((void *)f, x, d);
  return 0;
}
