// Iterations of the method of conjugate gradients for a sparse, symmetric, positive definite matrix (five points of a
// grid; compressed rows); what is computed is how far the result is from a target. Derivatives: by the right-hand side
// and by all numbers of the matrix, of the iterations as they are.
#include "adbench.hpp"
#include <algorithm>

const std::vector<int> default_sizes = {6, 10}; // side of the grid, iterations

struct pattern {
  int n;
  const int *starts, *columns; // of the rows
};

static void multiply(int n, const int *starts, const int *columns, const double *a, const double *p, double *q) {
  for (int i = 0; i < n; i++) {
    double sum = 0;
    for (int e = starts[i]; e < starts[i + 1]; e++)
      sum += a[e] * p[columns[e]];
    q[i] = sum;
  }
}

static double dot(int n, const double *x, const double *y) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += x[i] * y[i];
  return sum;
}

static double objective(const pattern *rows, int iterations, const double *a, const double *b, const double *target) {
  const int n = rows->n, *starts = rows->starts, *columns = rows->columns;
  double *x = new double[n], *r = new double[n], *p = new double[n], *q = new double[n], rho = dot(n, b, b);
  for (int i = 0; i < n; i++)
    x[i] = 0, r[i] = p[i] = b[i];
  for (int k = 0; k < iterations; k++) {
    multiply(n, starts, columns, a, p, q);
    double alpha = rho / dot(n, p, q);
    for (int i = 0; i < n; i++) {
      x[i] += alpha * p[i];
      r[i] -= alpha * q[i];
    }
    double next = dot(n, r, r), beta = next / rho;
    for (int i = 0; i < n; i++)
      p[i] = r[i] + beta * p[i];
    rho = next;
  }
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += (x[i] - target[i]) * (x[i] - target[i]);
  delete[] x, delete[] r, delete[] p, delete[] q;
  return sum / 2;
}

// All r, p and q are kept.
static void gradient_by_hand(const pattern *rows, int iterations, const double *a, double *d_a, const double *b,
                             double *d_b, const double *target) {
#pragma clang fp reassociate(on)
  const int n = rows->n, *starts = rows->starts, *columns = rows->columns;
  numbers x(n), kept(3ul * n * (iterations + 1)), rho(iterations + 1), curvature(iterations);
  auto residual = [&](int k) { return &kept[3ul * n * k]; };
  auto direction = [&](int k) { return &kept[3ul * n * k + n]; };
  auto image = [&](int k) { return &kept[3ul * n * k + 2ul * n]; };
  std::copy(b, b + n, residual(0));
  std::copy(b, b + n, direction(0));
  for (int i = 0; i < n; i++)
    rho[0] += b[i] * b[i];
  for (int k = 0; k < iterations; k++) {
    const double *r = residual(k), *p = direction(k);
    double *q = image(k), *next_r = residual(k + 1), *next_p = direction(k + 1), product = 0, square = 0;
    multiply(n, starts, columns, a, p, q);
    for (int i = 0; i < n; i++)
      product += p[i] * q[i];
    double alpha = rho[k] / product;
    for (int i = 0; i < n; i++) {
      x[i] += alpha * p[i];
      next_r[i] = r[i] - alpha * q[i];
      square += next_r[i] * next_r[i];
    }
    double beta = square / rho[k];
    for (int i = 0; i < n; i++)
      next_p[i] = next_r[i] + beta * p[i];
    curvature[k] = product, rho[k + 1] = square;
  }
  numbers d_x(n), d_r(n), d_p(n), d_q(n);
  for (int i = 0; i < n; i++)
    d_x[i] = x[i] - target[i];
  double d_rho = 0;
  for (int k = iterations - 1; k >= 0; k--) {
    const double *p = direction(k), *q = image(k), *next_r = residual(k + 1);
    double alpha = rho[k] / curvature[k], beta = rho[k + 1] / rho[k], d_alpha = 0, d_beta = 0;
    for (int i = 0; i < n; i++)
      d_beta += d_p[i] * p[i];
    double d_next = d_rho + d_beta / rho[k];
    for (int i = 0; i < n; i++) {
      d_r[i] += d_p[i] + 2 * d_next * next_r[i];
      d_alpha += d_x[i] * p[i] - d_r[i] * q[i];
    }
    d_rho = (d_alpha * alpha - d_beta * rho[k + 1] / rho[k]) / rho[k];
    double d_curvature = -d_alpha * alpha / curvature[k];
    for (int i = 0; i < n; i++) {
      d_q[i] = d_curvature * p[i] - alpha * d_r[i];
      d_p[i] = beta * d_p[i] + alpha * d_x[i] + d_curvature * q[i];
    }
    for (int i = 0; i < n; i++)
      for (int e = starts[i]; e < starts[i + 1]; e++) {
        d_a[e] += d_q[i] * p[columns[e]];
        d_p[columns[e]] += a[e] * d_q[i];
      }
  }
  for (int i = 0; i < n; i++)
    d_b[i] = d_r[i] + d_p[i] + 2 * d_rho * b[i];
}

struct cg final : problem {
  int iterations, n;
  std::vector<int> starts = {0}, columns;
  numbers a, b, target;
  pattern rows;

  cg(int side, int iterations) : iterations(iterations), n(side * side) {
    generator random;
    numbers across = random(n, 0.5, 1.5), down = random(n, 0.5, 1.5); // to the cell on the right, and below
    b = random(n, -1, 1), target = random(n, -1, 1);
    for (int i = 0; i < n; i++) {
      double up = i >= side ? down[i - side] : 0, left = i % side ? across[i - 1] : 0;
      double right = i % side < side - 1 ? across[i] : 0, below = i < n - side ? down[i] : 0;
      const double values[5] = {-up, -left, up + left + right + below + 0.1, -right, -below};
      const int places[5] = {i - side, i - 1, i, i + 1, i + side};
      for (int k = 0; k < 5; k++)
        if (values[k] != 0)
          columns.push_back(places[k]), a.push_back(values[k]);
      starts.push_back(columns.size());
    }
    rows = {n, starts.data(), columns.data()};
    result.resize(a.size() + n);
  }
  double primal() override { return objective(&rows, iterations, a.data(), b.data(), target.data()); }
  void derivative() override {
    result.assign(result.size(), 0);
    __enzyme_autodiff((void *)objective, enzyme_const, &rows, enzyme_const, iterations, enzyme_dup, a.data(),
                      result.data(), enzyme_dup, b.data(), result.data() + a.size(), enzyme_const, target.data());
  }
  void by_hand() override {
    result.assign(result.size(), 0);
    gradient_by_hand(&rows, iterations, a.data(), result.data(), b.data(), result.data() + a.size(), target.data());
  }
};

problem *make_problem(const std::vector<int> &s) { return new cg(s[0], s[1]); }
