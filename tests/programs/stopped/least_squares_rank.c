/* expect: least squares by singular values (gelsd, gelss) have a derivative for matrices of full rank
 * flags: -lopenblas
 * The matrix has two equal columns. */
#include <string.h>

extern void __enzyme_autodiff(void *, ...);
extern void dgelss_(int *, int *, int *, double *, int *, double *, int *, double *, double *, int *, double *, int *, int *);

static double f(const double *x) {
  double a[6] = {x[0], x[1], x[2], x[0], x[1], x[2]}, b[3] = {1, x[1], 2}, sigma[2], work[64], rcond = 1e-8;
  int m = 3, n = 2, one = 1, rank, size = 64, info;
  dgelss_(&m, &n, &one, a, &m, b, &m, sigma, &rcond, &rank, work, &size, &info);
  return b[0] + b[1];
}

int main(void) {
  double x[3] = {1, 2, 3}, dx[3] = {0};
  __enzyme_autodiff((void *)f, x, dx);
  return dx[0] == 0;
}
