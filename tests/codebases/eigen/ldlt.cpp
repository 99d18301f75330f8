/* Dynamic matrices: products, LDLT and Householder QR. */
#include "check.h"
#include <Eigen/Dense>

static double f(double *x) {
  Eigen::MatrixXd a(3, 3);
  for (int i = 0; i < 9; i++)
    a(i / 3, i % 3) = x[i % 3] * (i + 1) + (i % 4 == 0) * 5;
  Eigen::MatrixXd s = a * a.transpose();
  Eigen::VectorXd b = Eigen::Map<Eigen::VectorXd>(x, 3);
  Eigen::VectorXd u = s.ldlt().solve(b), v = a.householderQr().solve(b);
  return u.dot(b) + v.squaredNorm();
}

int main() {
  CHECK(f, 0.5, 1.6, 0.7);
  return failures;
}
