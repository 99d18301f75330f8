// Sweeps of successive over-relaxation, in place, for a matrix with a band; what is computed is how far the result is
// from a target. Derivatives: by all numbers of the band and by the right-hand side, of the sweeps as they are.
#include "adbench.hpp"
#include <algorithm>

const std::vector<int> default_sizes = {30, 3, 6}; // n, numbers beside the diagonal, sweeps

static constexpr auto relaxation = 1.2;

static void sweep(int n, int width, const double *a, const double *b, double *x) {
  for (int i = 0; i < n; i++) {
    const double *row = a + i * (2 * width + 1) + width; // at the diagonal
    const int first = i < width ? -i : -width, last = i + width < n ? width : n - 1 - i;
    double rest = b[i];
    for (int k = first; k < 0; k++)
      rest -= row[k] * x[i + k];
    for (int k = 1; k <= last; k++)
      rest -= row[k] * x[i + k];
    x[i] = (1 - relaxation) * x[i] + relaxation * rest / row[0];
  }
}

static double objective(int n, int width, int sweeps, const double *a, const double *b, const double *target) {
  double *x = new double[n], sum = 0;
  for (int i = 0; i < n; i++)
    x[i] = 0;
  for (int s = 0; s < sweeps; s++)
    sweep(n, width, a, b, x);
  for (int i = 0; i < n; i++)
    sum += (x[i] - target[i]) * (x[i] - target[i]);
  delete[] x;
  return sum / 2;
}

// `old` and `now` are before and after a sweep; dx goes from after to before.
static void sweep_adjoint(int n, int width, const double *a, double *d_a, double *d_b, const double *old,
                          const double *now, double *dx) {
  for (int i = n - 1; i >= 0; i--) {
    const double *row = a + i * (2 * width + 1) + width;
    double *d_row = d_a + i * (2 * width + 1) + width, d_rest = relaxation * dx[i] / row[0];
    const int first = i < width ? -i : -width, last = i + width < n ? width : n - 1 - i;
    d_b[i] += d_rest;
    for (int k = first; k < 0; k++) {
      d_row[k] -= d_rest * now[i + k];
      dx[i + k] -= d_rest * row[k];
    }
    for (int k = 1; k <= last; k++) {
      d_row[k] -= d_rest * old[i + k];
      dx[i + k] -= d_rest * row[k];
    }
    d_row[0] -= dx[i] * (now[i] - (1 - relaxation) * old[i]) / row[0];
    dx[i] *= 1 - relaxation;
  }
}

static void gradient_by_hand(int n, int width, int sweeps, const double *a, double *d_a, const double *b, double *d_b,
                             const double *target) {
  numbers all((sweeps + 1ul) * n), dx(n);
  auto after = [&](int s) { return &all[(std::size_t)s * n]; };
  for (int s = 1; s <= sweeps; s++) {
    std::copy(after(s - 1), after(s), after(s));
    sweep(n, width, a, b, after(s));
  }
  for (int i = 0; i < n; i++)
    dx[i] = after(sweeps)[i] - target[i];
  for (int s = sweeps; s > 0; s--)
    sweep_adjoint(n, width, a, d_a, d_b, after(s - 1), after(s), dx.data());
}

struct sparse_solve final : problem {
  int n, width, sweeps;
  numbers a, b, target;

  sparse_solve(int n, int width, int sweeps) : n(n), width(width), sweeps(sweeps) {
    generator random;
    a = random((std::size_t)n * (2 * width + 1), -1, 1), b = random(n, -1, 1), target = random(n, -1, 1);
    for (int i = 0; i < n; i++)
      a[i * (2 * width + 1) + width] += 1.5 * width + 2;
    result.resize(a.size() + n);
  }
  double primal() override { return objective(n, width, sweeps, a.data(), b.data(), target.data()); }
  void derivative() override {
    result.assign(result.size(), 0);
    __enzyme_autodiff((void *)objective, enzyme_const, n, enzyme_const, width, enzyme_const, sweeps, enzyme_dup,
                      a.data(), result.data(), enzyme_dup, b.data(), result.data() + a.size(), enzyme_const,
                      target.data());
  }
  void by_hand() override {
    result.assign(result.size(), 0);
    gradient_by_hand(n, width, sweeps, a.data(), result.data(), b.data(), result.data() + a.size(), target.data());
  }
};

problem *make_problem(const std::vector<int> &s) { return new sparse_solve(s[0], s[1], s[2]); }
