// Linear least squares (GradBench): how far a polynomial with m coefficients is from a step, at n places in [-1, 1].
// Derivatives: the gradient by which descent finds the coefficients.
#include "adbench.hpp"

const std::vector<int> default_sizes = {64, 128}; // m, n

static double place(int n, int i) { return -1 + 2. * i / (n - 1); }
static double step(double t) { return t < 0 ? -1 : t > 0; }

// How far the polynomial is from the step at t.
static double distance(int m, const double *x, double t) {
  double power = 1, model = 0;
  for (int j = 0; j < m; j++) {
    model += x[j] * power;
    power *= t;
  }
  return step(t) - model;
}

static double objective(int m, int n, const double *x) {
  double sum = 0;
  for (int i = 0; i < n; i++) {
    double error = distance(m, x, place(n, i));
    sum += error * error;
  }
  return sum / 2;
}

static void gradient_by_hand(int m, int n, const double *x, double *dx) {
  for (int i = 0; i < n; i++) {
    double t = place(n, i), error = distance(m, x, t), power = 1;
    for (int j = 0; j < m; j++) {
      dx[j] -= error * power;
      power *= t;
    }
  }
}

struct llsq final : problem {
  int m, n;
  numbers x;

  llsq(int m, int n) : m(m), n(n), x(generator()(m, -1, 1)) { result.resize(m); }
  double primal() override { return objective(m, n, x.data()); }
  void derivative() override {
    result.assign(m, 0);
    __enzyme_autodiff((void *)objective, enzyme_const, m, enzyme_const, n, enzyme_dup, x.data(), result.data());
  }
  void by_hand() override {
    result.assign(m, 0);
    gradient_by_hand(m, n, x.data(), result.data());
  }
};

problem *make_problem(const std::vector<int> &s) { return new llsq(s[0], s[1]); }
