/* A constant handle is work space, though the function itself touches nothing there: others store and read it. */
#include "../check.h"

struct handle {
  double result, *rows[2];
};

NOINLINE static void put(struct handle *h, double x) { h->result = x * x; }
NOINLINE static double get(const struct handle *h) { return h->result; }
NOINLINE static double f(struct handle *h, const double *x) {
  put(h, x[0]);
  return get(h) * x[1];
}

/* two calls deep, behind a pointer in the handle */
NOINLINE static void put_row(double *row, double x) { row[1] = sin(x); }
NOINLINE static void put_deep(struct handle *h, int k, double x) { put_row(h->rows[k], x); }
NOINLINE static double get_deep(const struct handle *h, int k) { return h->rows[k][1]; }
NOINLINE static double deep(struct handle *h, const double *x) {
  put_deep(h, 0, x[0]);
  put_deep(h, 1, x[1]);
  return get_deep(h, 0) * get_deep(h, 1);
}

int main(void) {
  double rows[2][2] = {{1, 2}, {3, 4}}, x[] = {0.7, 1.3};
  struct handle *h = malloc(sizeof *h);
  *h = (struct handle){5, {rows[0], rows[1]}};
  double wanted[][2] = {{2 * x[0] * x[1], x[0] * x[0]}, {cos(x[0]) * sin(x[1]), sin(x[0]) * cos(x[1])}};
  double got[2] = {0};
  __enzyme_autodiff((void *)f, enzyme_const, h, enzyme_dup, x, got);
  for (int i = 0; i < 2; i++) {
    double seed[] = {i == 0, i == 1};
    SAME(got[i], wanted[0][i]);
    SAME(__enzyme_fwddiff((void *)f, enzyme_const, h, enzyme_dup, x, seed), wanted[0][i]);
  }
  memset(got, 0, sizeof got);
  __enzyme_autodiff((void *)deep, enzyme_const, h, enzyme_dup, x, got);
  for (int i = 0; i < 2; i++) {
    double seed[] = {i == 0, i == 1};
    SAME(got[i], wanted[1][i]);
    SAME(__enzyme_fwddiff((void *)deep, enzyme_const, h, enzyme_dup, x, seed), wanted[1][i]);
  }
  free(h);
  return failures;
}
