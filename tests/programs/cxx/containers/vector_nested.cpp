/* Vectors of vectors: grown, erased, copied. */
#include "../../check.h"
#include <vector>

static double nested(double *x) {
  std::vector<std::vector<double>> rows;
  for (int i = 0; i < 5; i++) {
    rows.emplace_back();
    for (int j = 0; j <= i; j++)
      rows.back().push_back(x[j % 3] * x[i % 3]);
  }
  rows.erase(rows.begin() + 1);
  auto copy = rows;
  copy[2][1] *= x[1];
  double s = 0;
  for (const auto &row : copy)
    for (double a : row)
      s += sin(a);
  return s * rows[2][1];
}

int main() {
  CHECK(nested, 0.5, 1.6, 0.7);
  return failures;
}
