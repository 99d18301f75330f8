// Bodies that attract each other, with softened gravity, moved by leapfrog steps; what is computed is the kinetic energy
// less the potential one at the end. Derivatives: by the places and speeds at the start.
#include "adbench.hpp"
#include <algorithm>

const std::vector<int> default_sizes = {6, 20}; // n, steps

static constexpr auto softening = 0.01, length_of_step = 0.01;

// x, y and z of all bodies, one after the other; speeds change by h times acceleration
static void kick(int n, double h, const double *mass, const double *at, double *speed) {
  const double *x = at, *y = at + n, *z = at + 2 * n;
  double *u = speed, *v = speed + n, *w = speed + 2 * n;
  for (int i = 0; i < n; i++) {
    double a = 0, b = 0, c = 0;
    for (int j = 0; j < i; j++) {
      double dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i];
      double square = dx * dx + dy * dy + dz * dz + softening, pull = h / (square * std::sqrt(square));
      a += mass[j] * pull * dx, b += mass[j] * pull * dy, c += mass[j] * pull * dz;
      u[j] -= mass[i] * pull * dx, v[j] -= mass[i] * pull * dy, w[j] -= mass[i] * pull * dz;
    }
    u[i] += a, v[i] += b, w[i] += c;
  }
}

static void drift(int n, double h, double *at, const double *speed) {
  for (int i = 0; i < 3 * n; i++)
    at[i] += h * speed[i];
}

static double energy(int n, const double *mass, const double *at, const double *speed) {
  const double *x = at, *y = at + n, *z = at + 2 * n, *u = speed, *v = speed + n, *w = speed + 2 * n;
  double sum = 0;
  for (int i = 0; i < n; i++) {
    sum += mass[i] * (u[i] * u[i] + v[i] * v[i] + w[i] * w[i]) / 2;
    for (int j = 0; j < i; j++) {
      double dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i];
      sum += mass[i] * mass[j] / std::sqrt(dx * dx + dy * dy + dz * dz + softening);
    }
  }
  return sum;
}

static double objective(int n, int steps, const double *mass, const double *start) {
  const double h = length_of_step;
  numbers at(start, start + 3 * n), speed(start + 3 * n, start + 6 * n);
  kick(n, h / 2, mass, at.data(), speed.data());
  for (int s = 1; s <= steps; s++) {
    drift(n, h, at.data(), speed.data());
    kick(n, s < steps ? h : h / 2, mass, at.data(), speed.data());
  }
  return energy(n, mass, at.data(), speed.data());
}

// from the adjoints of speeds after a kick to those of places
static void kick_adjoint(int n, double h, const double *mass, const double *at, double *d_at, const double *d_speed) {
#pragma clang fp reassociate(on)
  const double *x = at, *y = at + n, *z = at + 2 * n, *a = d_speed, *b = d_speed + n, *c = d_speed + 2 * n;
  double *d_x = d_at, *d_y = d_at + n, *d_z = d_at + 2 * n;
  for (int i = 0; i < n; i++) {
    double sum_x = 0, sum_y = 0, sum_z = 0;
#pragma clang loop vectorize(assume_safety)
    for (int j = 0; j < i; j++) {
      double dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i];
      double p = mass[j] * a[i] - mass[i] * a[j], q = mass[j] * b[i] - mass[i] * b[j];
      double r = mass[j] * c[i] - mass[i] * c[j];
      double inverse = 1 / (dx * dx + dy * dy + dz * dz + softening), pull = h * inverse * std::sqrt(inverse);
      double along = 3 * inverse * (p * dx + q * dy + r * dz);
      double gx = pull * (p - along * dx), gy = pull * (q - along * dy), gz = pull * (r - along * dz);
      d_x[j] += gx, d_y[j] += gy, d_z[j] += gz;
      sum_x += gx, sum_y += gy, sum_z += gz;
    }
    d_x[i] -= sum_x, d_y[i] -= sum_y, d_z[i] -= sum_z;
  }
}

static void energy_adjoint(int n, const double *mass, const double *at, const double *speed, double *d_at,
                           double *d_speed) {
  const double *x = at, *y = at + n, *z = at + 2 * n;
  for (int i = 0; i < n; i++) {
    for (int k = i; k < 3 * n; k += n)
      d_speed[k] = mass[i] * speed[k];
    for (int j = 0; j < i; j++) {
      double dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i];
      double square = dx * dx + dy * dy + dz * dz + softening;
      double pull = mass[i] * mass[j] / (square * std::sqrt(square));
      d_at[j] -= pull * dx, d_at[j + n] -= pull * dy, d_at[j + 2 * n] -= pull * dz;
      d_at[i] += pull * dx, d_at[i + n] += pull * dy, d_at[i + 2 * n] += pull * dz;
    }
  }
}

// the places of all kicks are kept
static void gradient_by_hand(int n, int steps, const double *mass, const double *start, double *d_start) {
  const double h = length_of_step;
  numbers all(3ul * n * (steps + 1)), speed(start + 3 * n, start + 6 * n);
  std::copy(start, start + 3 * n, all.begin());
  kick(n, h / 2, mass, all.data(), speed.data());
  for (int s = 1; s <= steps; s++) {
    double *at = &all[3ul * n * s];
    std::copy(at - 3 * n, at, at);
    drift(n, h, at, speed.data());
    kick(n, s < steps ? h : h / 2, mass, at, speed.data());
  }
  double *d_at = d_start, *d_speed = d_start + 3 * n;
  energy_adjoint(n, mass, &all[3ul * n * steps], speed.data(), d_at, d_speed);
  for (int s = steps; s > 0; s--) {
    kick_adjoint(n, s < steps ? h : h / 2, mass, &all[3ul * n * s], d_at, d_speed);
    drift(n, h, d_speed, d_at);
  }
  kick_adjoint(n, h / 2, mass, all.data(), d_at, d_speed);
}

struct nbody final : problem {
  int n, steps;
  numbers mass, start;

  nbody(int n, int steps) : n(n), steps(steps) {
    generator random;
    mass = random(n, 0.5 / n, 1.5 / n), start = random(6 * n, -1, 1);
    result.resize(6 * n);
  }
  double primal() override { return objective(n, steps, mass.data(), start.data()); }
  void derivative() override {
    result.assign(result.size(), 0);
    __enzyme_autodiff((void *)objective, enzyme_const, n, enzyme_const, steps, enzyme_const, mass.data(), enzyme_dup,
                      start.data(), result.data());
  }
  void by_hand() override {
    result.assign(result.size(), 0);
    gradient_by_hand(n, steps, mass.data(), start.data(), result.data());
  }
};

problem *make_problem(const std::vector<int> &s) { return new nbody(s[0], s[1]); }
