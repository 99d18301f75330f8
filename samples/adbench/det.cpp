// The determinant by expansion in minors, recursively (GradBench): n! products. Derivatives: by the n×n numbers.
#include "adbench.hpp"

const std::vector<int> default_sizes = {6}; // n

// the minor of the rows from `row` on, in the columns that are not used yet
static double minor(int n, const double *a, int row, unsigned used) {
  if (row == n)
    return 1;
  double sum = 0, sign = 1;
  for (int j = 0; j < n; j++)
    if (!(used >> j & 1)) {
      sum += sign * a[row * n + j] * minor(n, a, row + 1, used | 1u << j);
      sign = -sign;
    }
  return sum;
}

static double determinant(int n, const double *a) { return minor(n, a, 0, 0); }

// The minor is linear in each of its numbers: its weight in the determinant is known on the way down.
static double minor_by_hand(int n, const double *a, double *da, int row, unsigned used, double weight) {
  if (row == n)
    return 1;
  double sum = 0, sign = 1;
  for (int j = 0; j < n; j++)
    if (!(used >> j & 1)) {
      double factor = sign * a[row * n + j];
      double value = minor_by_hand(n, a, da, row + 1, used | 1u << j, weight * factor);
      da[row * n + j] += weight * sign * value;
      sum += factor * value;
      sign = -sign;
    }
  return sum;
}

struct det final : problem {
  int n;
  numbers a;

  explicit det(int n) : n(n), a(generator()(n * n, 0, 1)) { result.resize(n * n); }
  double primal() override { return determinant(n, a.data()); }
  void derivative() override {
    result.assign(result.size(), 0);
    __enzyme_autodiff((void *)determinant, enzyme_const, n, enzyme_dup, a.data(), result.data());
  }
  void by_hand() override {
    result.assign(result.size(), 0);
    minor_by_hand(n, a.data(), result.data(), 0, 0, 1);
  }
};

problem *make_problem(const std::vector<int> &s) { return new det(s[0]); }
