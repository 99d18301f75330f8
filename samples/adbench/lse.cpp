// The logarithm of a sum of exponentials (GradBench). Derivatives: by all n numbers.
#include "adbench.hpp"

const std::vector<int> default_sizes = {1000}; // n

static double objective(int n, const double *x) {
  double top = -INFINITY, sum = 0;
  for (int i = 0; i < n; i++)
    top = x[i] > top ? x[i] : top;
  for (int i = 0; i < n; i++)
    sum += std::exp(x[i] - top);
  return top + std::log(sum);
}

struct lse final : problem {
  numbers x;

  explicit lse(int n) : x(generator()(n, -1, 1)) { result.resize(n); }
  double primal() override { return objective(x.size(), x.data()); }
  void derivative() override {
    result.assign(result.size(), 0);
    __enzyme_autodiff((void *)objective, enzyme_const, (int)x.size(), enzyme_dup, x.data(), result.data());
  }
  void by_hand() override {
    double all = objective(x.size(), x.data());
    for (std::size_t i = 0; i < x.size(); i++)
      result[i] = std::exp(x[i] - all);
  }
};

problem *make_problem(const std::vector<int> &s) { return new lse(s[0]); }
