/* Dynamic matrices: a linear system by LU decomposition. */
#include "check.h"
#include <Eigen/Dense>
static double dyn(double *x) {
  Eigen::MatrixXd a = Eigen::MatrixXd::Identity(4, 4) * 3;
  for (int i = 0; i < 4; i++) a(i, (i + 1) % 4) += x[i % 3] * i;
  Eigen::VectorXd b(4);
  b << x[0], x[1], x[2], 1;
  Eigen::VectorXd s = a.partialPivLu().solve(b);
  return s.squaredNorm() + b.dot(s);
}
int main() { CHECK(dyn, 0.5, 1.6, 0.7); return failures; }
