/* Fixed-size matrices: products, norms, a determinant. */
#include "check.h"
#include <Eigen/Dense>
static double fixed(double *x) {
  Eigen::Matrix3d a;
  a << x[0], 1, x[1], 2, x[2], 0.5, x[0], x[1], 3;
  Eigen::Vector3d b(x[0], x[1], x[2]);
  return (a * b).dot(b) + a.norm() + a.determinant();
}
int main() { CHECK(fixed, 0.5, 1.6, 0.7); return failures; }
