// A linear system, singular values and a determinant by Armadillo, through reference LAPACK.
#define ARMA_DONT_USE_WRAPPER
#include "check.h"
#include <armadillo>

static double f(double *x) {
  arma::mat a(4, 4);
  for (int i = 0; i < 16; i++)
    a(i / 4, i % 4) = x[i % 3] * sin(i + 1) + (i % 5 == 0) * 4;
  arma::vec b = {x[0], x[1], x[2], 1};
  arma::vec s = arma::solve(a, b), v = arma::svd(a);
  return arma::dot(s, b) + v(0) + 0.5 * v(2) + arma::det(a);
}

int main() {
  CHECK(f, 0.5, 1.6, 0.7);
  return failures;
}
