// A chain of ordinary differential equations (GradBench), y₀' = x₀ and yᵢ' = xᵢ yᵢ₋₁, from 0 to 2. Derivatives: of the
// last state's last number by x.
#include "runge_kutta.hpp"

const std::vector<int> default_sizes = {4, 100}; // n, steps

struct chain {
  static void slope(int n, const double *x, const double *y, double *out) {
    out[0] = x[0];
    for (int i = 1; i < n; i++)
      out[i] = x[i] * y[i - 1];
  }
  static void adjoint(int n, const double *x, double *dx, const double *y, double *dy, const double *dout) {
    dx[0] += dout[0];
    for (int i = 1; i < n; i++) {
      dx[i] += dout[i] * y[i - 1];
      dy[i - 1] += dout[i] * x[i];
    }
  }
};

static double objective(int n, int steps, const double *x) {
  numbers y(n);
  runge_kutta<chain>(n, steps, 2. / steps, x, y.data());
  return y[n - 1];
}

struct ode final : problem {
  int n, steps;
  numbers x;

  ode(int n, int steps) : n(n), steps(steps), x(generator()(n, 0.5, 1.5)) { result.resize(n); }
  double primal() override { return objective(n, steps, x.data()); }
  void derivative() override {
    result.assign(n, 0);
    __enzyme_autodiff((void *)objective, enzyme_const, n, enzyme_const, steps, enzyme_dup, x.data(), result.data());
  }
  void by_hand() override {
    result.assign(n, 0);
    numbers y(n), dy(n);
    dy[n - 1] = 1;
    runge_kutta_adjoint<chain>(n, steps, 2. / steps, x.data(), result.data(), y.data(), dy.data());
  }
};

problem *make_problem(const std::vector<int> &s) { return new ode(s[0], s[1]); }
