// A charged particle among two charges, one of which is placed by w so that the particle lands at x = 0 (Siskind and
// Pearlmutter 2008): Euler's method for the motion, whose force is the gradient of a potential, and descent for w.
#include "descent.hpp"

const std::vector<int> default_sizes = {forward, reverse}; // outer, inner: 0 is forward, 1 reverse

static double potential(const double *x, const double *w) {
  const double charges[2][2] = {{10, 10 - *w}, {10, 0}};
  double sum = 0;
  for (auto &c : charges)
    sum += 1 / std::sqrt((x[0] - c[0]) * (x[0] - c[0]) + (x[1] - c[1]) * (x[1] - c[1]));
  return sum;
}

static void force_by_hand(const double *x, const double *w, double *out) {
  const double charges[2][2] = {{10, 10 - *w}, {10, 0}};
  out[0] = out[1] = 0;
  for (auto &c : charges) {
    double dx = x[0] - c[0], dy = x[1] - c[1], square = dx * dx + dy * dy, cube = square * std::sqrt(square);
    out[0] -= dx / cube, out[1] -= dy / cube;
  }
}

template <mode inner> constexpr derivative_of slope_of_potential = gradient_of<2, potential, inner>;
template <> constexpr derivative_of slope_of_potential<hand> = force_by_hand;

// the square of where the particle lands
template <mode inner> double landing(const double *w, const double *) {
  const double h = 0.1;
  double x[2] = {0, 8}, v[2] = {0.75, 0};
  for (;;) {
    double g[2], next[2] = {x[0] + h * v[0], x[1] + h * v[1]};
    slope_of_potential<inner>(x, w, g);
    if (next[1] <= 0) {
      double rest = -x[1] / v[1], end = x[0] + rest * v[0];
      return end * end;
    }
    for (int i = 0; i < 2; i++)
      x[i] = next[i], v[i] -= h * g[i];
  }
}

// forward, by hand: tangents of place and speed
static void landing_by_hand(const double *w, const double *, double *out) {
  const double h = 0.1;
  double x[2] = {0, 8}, v[2] = {0.75, 0}, xt[2] = {0, 0}, vt[2] = {0, 0};
  for (;;) {
    const double charges[2][2] = {{10, 10 - *w}, {10, 0}}, moves[2] = {-1, 0};
    double g[2] = {0, 0}, gt[2] = {0, 0};
    for (int c = 0; c < 2; c++) {
      double d[2] = {x[0] - charges[c][0], x[1] - charges[c][1]}, dt[2] = {xt[0], xt[1] - moves[c]};
      double square = d[0] * d[0] + d[1] * d[1], cube = square * std::sqrt(square);
      double along = 3 * (d[0] * dt[0] + d[1] * dt[1]) / square;
      for (int i = 0; i < 2; i++)
        g[i] -= d[i] / cube, gt[i] -= (dt[i] - d[i] * along) / cube;
    }
    if (x[1] + h * v[1] <= 0) {
      double rest = -x[1] / v[1], rest_t = -(xt[1] + rest * vt[1]) / v[1], end = x[0] + rest * v[0];
      *out = 2 * end * (xt[0] + rest_t * v[0] + rest * vt[0]);
      return;
    }
    for (int i = 0; i < 2; i++) {
      x[i] += h * v[i], xt[i] += h * vt[i];
      v[i] -= h * g[i], vt[i] -= h * gt[i];
    }
  }
}

template <mode outer, mode inner> constexpr derivative_of outer_gradient = gradient_of<1, landing<inner>, outer>;
template <> constexpr derivative_of outer_gradient<hand, hand> = landing_by_hand;

template <mode outer, mode inner> void solve(double *out) {
  const double nothing[4] = {0};
  *out = 0;
  descend<1, landing<inner>, outer_gradient<outer, inner>>(out, nothing);
}

struct particle final : problem {
  int outer, inner;
  particle(int outer, int inner) : outer(outer), inner(inner) { result.resize(1); }
  double primal() override {
    const double w = 0.2;
    return landing<hand>(&w, &w);
  }
  void derivative() override {
    static void (*const solvers[2][2])(double *) = {{solve<forward, forward>, solve<forward, reverse>},
                                                    {solve<reverse, forward>, solve<reverse, reverse>}};
    solvers[outer][inner](result.data());
  }
  void by_hand() override { solve<hand, hand>(result.data()); }
};

problem *make_problem(const std::vector<int> &s) { return new particle(s[0], s[1]); }
