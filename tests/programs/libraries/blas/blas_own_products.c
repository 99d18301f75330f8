/* Products of a matrix with its own transpose by gemm: alone, added to a matrix, with an active factor, and of two
 * matrices that only begin at the same address.
 * flags: -lopenblas */
#include "../../check.h"

typedef const char *C;
typedef const int *I;
typedef const double *X;
extern void dgemm_(C, C, I, I, I, X, X, I, X, I, X, double *, I);

static double product(double *x, C ta, C tb, int m, int n, int k, int ld, double alpha, double beta) {
  double c[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9}, sum = 0;
  dgemm_(ta, tb, &m, &n, &k, &alpha, x, &ld, x, &ld, &beta, c, &m);
  for (int i = 0; i < m * n; i++)
    sum += sin(i + 1.0) * c[i] * c[i];
  return sum;
}
static double by_transpose(double *x) { return product(x, "N", "T", 2, 2, 3, 2, 1.3, 0); }
static double of_transpose(double *x) { return product(x, "T", "N", 3, 3, 2, 2, 1.3, 0); }
static double added(double *x) { return product(x, "C", "N", 2, 2, 3, 3, 1.3, 0.5); }
static double not_square(double *x) { return product(x, "N", "T", 2, 3, 2, 3, 1.3, 0); }
static double with_factor(double *x) { return product(x, "N", "T", 2, 2, 3, 2, x[0], 0); }

int main(void) {
  CHECK(by_transpose, 0.3, 0.7, -0.2, 1.1, 0.6, 0.9);
  CHECK(of_transpose, 0.3, 0.7, -0.2, 1.1, 0.6, 0.9);
  CHECK(added, 0.3, 0.7, -0.2, 1.1, 0.6, 0.9);
  CHECK(not_square, 0.3, 0.7, -0.2, 1.1, 0.6, 0.9);
  CHECK(with_factor, 0.3, 0.7, -0.2, 1.1, 0.6, 0.9);
  return failures;
}
