// Heat in a plate with variable conductivity, by explicit steps, which are Fortran (heat_kernel.f90); what is computed is
// how far the last temperatures are from a target. Derivatives: by conductivity and by the temperatures at the start.
#include "adbench.hpp"
#include <algorithm>

const std::vector<int> default_sizes = {8, 10}; // side of the grid, steps

static constexpr auto ratio = 0.1;

extern "C" void heat_steps(int n, int steps, double ratio, const double *conductivity, double *temperature, double *next);

static double objective(int n, int steps, const double *conductivity, const double *start, const double *target) {
  double *temperature = new double[n * n], *next = new double[n * n], sum = 0;
  for (int i = 0; i < n * n; i++)
    temperature[i] = start[i];
  heat_steps(n, steps, ratio, conductivity, temperature, next);
  for (int i = 0; i < n * n; i++)
    sum += (temperature[i] - target[i]) * (temperature[i] - target[i]);
  delete[] temperature, delete[] next;
  return sum / 2;
}

// What flows through the faces of a cell, from there to a neighbour inside; `moved` are adjoints, zero at the border.
static void step_adjoint(int n, const double *k, double *d_k, const double *t, double *d_t, double *moved) {
  for (int j = 1; j < n - 1; j++)
    std::copy(d_t + j * n + 1, d_t + j * n + n - 1, moved + j * n + 1);
  auto face = [=](int at, int beside) {
    double difference = moved[beside] - moved[at];
    d_t[at] += ratio / 2 * (k[at] + k[beside]) * difference;
    d_k[at] += ratio / 2 * (t[at] - t[beside]) * difference;
  };
  for (int j = 1; j < n - 1; j++)
#pragma clang loop vectorize(assume_safety)
    for (int i = 1; i < n - 1; i++)
      for (int beside : {-1, 1, -n, n})
        face(j * n + i, j * n + i + beside);
  for (int i = 1; i < n - 1; i++) {
    face(i, n + i), face((n - 1) * n + i, (n - 2) * n + i);
    face(i * n, i * n + 1), face(i * n + n - 1, i * n + n - 2);
  }
}

// The temperatures of all steps are kept.
static void gradient_by_hand(int n, int steps, const double *k, double *d_k, const double *start, double *d_start,
                             const double *target) {
  const std::size_t cells = n * n;
  numbers all((steps + 1) * cells), work(cells);
  std::copy(start, start + cells, all.begin());
  for (int s = 1; s <= steps; s++) {
    double *now = &all[s * cells];
    std::copy(now - cells, now, now);
    heat_steps(n, 1, ratio, k, now, work.data());
  }
  for (std::size_t i = 0; i < cells; i++)
    d_start[i] = all[steps * cells + i] - target[i];
  work.assign(cells, 0);
  for (int s = steps - 1; s >= 0; s--)
    step_adjoint(n, k, d_k, &all[s * cells], d_start, work.data());
}

struct heat final : problem {
  int n, steps;
  numbers conductivity, start, target;

  heat(int n, int steps) : n(n), steps(steps) {
    generator random;
    conductivity = random(n * n, 0.5, 1.5), start = random(n * n, 0, 1), target = random(n * n, 0, 1);
    result.resize(2 * n * n);
  }
  double primal() override { return objective(n, steps, conductivity.data(), start.data(), target.data()); }
  void derivative() override {
    result.assign(result.size(), 0);
    __enzyme_autodiff((void *)objective, enzyme_const, n, enzyme_const, steps, enzyme_dup, conductivity.data(),
                      result.data(), enzyme_dup, start.data(), result.data() + n * n, enzyme_const, target.data());
  }
  void by_hand() override {
    result.assign(result.size(), 0);
    gradient_by_hand(n, steps, conductivity.data(), result.data(), start.data(), result.data() + n * n, target.data());
  }
};

problem *make_problem(const std::vector<int> &s) { return new heat(s[0], s[1]); }
