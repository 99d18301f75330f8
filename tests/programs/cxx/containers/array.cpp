/* std::array, also of arrays, copied and filled. */
#include "../../check.h"
#include <array>

static double arrays(double *x) {
  std::array<double, 4> a{x[0], x[1], x[2], 1.5};
  std::array<std::array<double, 2>, 2> m{{{x[0], x[1]}, {x[1], x[2]}}};
  auto b = a;
  b[0] *= b[3];
  b.at(2) += a.front();
  a.fill(x[1]);
  return b[0] * b[1] + b[2] * a[3] + m[0][0] * m[1][1] - m[0][1] * m[1][0];
}

int main() {
  CHECK(arrays, 0.5, 1.6, 0.7);
  return failures;
}
