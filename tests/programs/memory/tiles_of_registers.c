/* A product of matrices whose inner loops keep a tile of sums in a local array: its length is a constant that C counts as
   a variable, so that each iteration allocates it. */
#include "../check.h"

enum { ROWS = 8, INNER = 3, COLUMNS = 2 };

static NOINLINE void multiply(double *to, const double *a, const double *b, const double *start, int n, int m) {
  const int tile = 4;
  for (int row = 0; row < ROWS; row += tile)
    for (int column = 0; column < m; column++) {
      double sum[tile];
      for (int i = 0; i < tile; i++) sum[i] = start != NULL ? start[column] : 0;
      for (int k = 0; k < n; k++)
        for (int i = 0; i < tile; i++) sum[i] += a[(row + i) * n + k] * b[k * m + column];
      for (int i = 0; i < tile; i++) to[(row + i) * m + column] = sum[i] * sum[i];
    }
}

static double f(double *x) {
  double a[ROWS * INNER], b[INNER * COLUMNS], c[ROWS * COLUMNS], y = 0;
  for (int i = 0; i < ROWS * INNER; i++) a[i] = x[i % 4] * (1 + i % 5);
  for (int i = 0; i < INNER * COLUMNS; i++) b[i] = x[(i + 1) % 4] - i;
  multiply(c, a, b, x + 1, INNER, COLUMNS);
  for (int i = 0; i < ROWS * COLUMNS; i++) y += c[i] / (1 + i);
  multiply(c, a, b, NULL, INNER, COLUMNS);
  for (int i = 0; i < ROWS * COLUMNS; i++) y -= c[i] / (3 + i);
  return y / 100;
}

int main(void) {
  CHECK(f, 0.7, -1.3, 0.4, 0.9);
  return failures;
}
