// The Brusselator, two substances that react and diffuse on a periodic grid. Derivatives: of the mean square of the
// last state, by the three parameters (inflow, rate, diffusion) and by the first state.
#include "runge_kutta.hpp"

const std::vector<int> default_sizes = {4, 10}; // side of the grid, steps

struct brusselator_system {
  static int side(int n) { return (int)std::lround(std::sqrt(n / 2)); }

  static void slope(int n, const double *x, const double *y, double *out) {
    const int m = side(n), cells = m * m;
    const double *u = y, *v = y + cells, inflow = x[0], rate = x[1], diffusion = x[2] * m * m;
    for (int i = 0; i < m; i++) {
      int up = i == 0 ? m - 1 : i - 1, down = i == m - 1 ? 0 : i + 1;
      for (int j = 0; j < m; j++) {
        int left = j == 0 ? m - 1 : j - 1, right = j == m - 1 ? 0 : j + 1, at = i * m + j;
        double square = u[at] * u[at] * v[at];
        double flow_u = u[up * m + j] + u[down * m + j] + u[i * m + left] + u[i * m + right] - 4 * u[at];
        double flow_v = v[up * m + j] + v[down * m + j] + v[i * m + left] + v[i * m + right] - 4 * v[at];
        out[at] = rate + square - (inflow + 1) * u[at] + diffusion * flow_u;
        out[cells + at] = inflow * u[at] - square + diffusion * flow_v;
      }
    }
  }

  static void adjoint(int n, const double *x, double *dx, const double *y, double *dy, const double *dout) {
    const int m = side(n), cells = m * m;
    const double *u = y, *v = y + cells, *a = dout, *b = dout + cells, diffusion = x[2] * m * m;
    double d_inflow = 0, d_rate = 0, d_diffusion = 0;
    for (int i = 0; i < m; i++) {
      int up = i == 0 ? m - 1 : i - 1, down = i == m - 1 ? 0 : i + 1;
      for (int j = 0; j < m; j++) {
        int left = j == 0 ? m - 1 : j - 1, right = j == m - 1 ? 0 : j + 1, at = i * m + j;
        double flow_a = a[up * m + j] + a[down * m + j] + a[i * m + left] + a[i * m + right] - 4 * a[at];
        double flow_b = b[up * m + j] + b[down * m + j] + b[i * m + left] + b[i * m + right] - 4 * b[at];
        double by_square = a[at] - b[at];
        dy[at] += by_square * 2 * u[at] * v[at] - (x[0] + 1) * a[at] + x[0] * b[at] + diffusion * flow_a;
        dy[cells + at] += by_square * u[at] * u[at] + diffusion * flow_b;
        d_inflow -= by_square * u[at];
        d_rate += a[at];
        d_diffusion += u[at] * flow_a + v[at] * flow_b; // the Laplacian is symmetric
      }
    }
    dx[0] += d_inflow, dx[1] += d_rate, dx[2] += d_diffusion * m * m;
  }
};

static double length_of_step(int side) { return 1. / (side * side); }

static double objective(int side, int steps, const double *x, const double *start) {
  const int n = 2 * side * side;
  numbers y(start, start + n);
  runge_kutta<brusselator_system>(n, steps, length_of_step(side), x, y.data());
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += y[i] * y[i];
  return sum / n;
}

struct brusselator final : problem {
  int side, steps, n;
  numbers x = {3.4, 1, 0.1}, start;

  brusselator(int side, int steps) : side(side), steps(steps), n(2 * side * side) {
    start = generator()(n, 0, 2);
    result.resize(3 + n);
  }
  double primal() override { return objective(side, steps, x.data(), start.data()); }
  void derivative() override {
    result.assign(result.size(), 0);
    __enzyme_autodiff((void *)objective, enzyme_const, side, enzyme_const, steps, enzyme_dup, x.data(), result.data(),
                      enzyme_dup, start.data(), result.data() + 3);
  }
  void by_hand() override {
    using system = brusselator_system;
    result.assign(result.size(), 0);
    numbers y(start), dy(n);
    runge_kutta<system>(n, steps, length_of_step(side), x.data(), y.data());
    for (int i = 0; i < n; i++)
      result[3 + i] = 2 * y[i] / n;
    y = start;
    runge_kutta_adjoint<system>(n, steps, length_of_step(side), x.data(), result.data(), y.data(), &result[3]);
  }
};

problem *make_problem(const std::vector<int> &s) { return new brusselator(s[0], s[1]); }
