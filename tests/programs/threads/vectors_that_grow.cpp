/* Handlers of the C++ library that clean up and throw again, in regions and threads: these run on teams all the same.
 * flags: -fopenmp */
#include "on_teams.h"
#include <list>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

/* copying one may throw, so a vector destroys those it has copied before */
struct pair_of {
  double a, b;
  pair_of(double x = 0.0) : a(x), b(x * x) {}
  pair_of(const pair_of &other) noexcept(false) : a(other.a), b(other.b) {}
  ~pair_of() { a = 0; }
};

static double vectors(double *x) {
  double s = 0;
#pragma omp parallel for reduction(+ : s)
  for (int i = 0; i < N; i++) {
    std::vector<double> v(3, x[i]);
    std::vector<pair_of> w(2);
    std::vector<std::vector<double>> rows;
    for (int k = 0; k < 5; k++) {
      v.push_back(x[(i + k) % N] * v[k]);
      w.push_back(pair_of(v.back()));
      rows.emplace_back(v);
    }
    for (double d : v)
      s += std::sin(d);
    for (auto &p : w)
      s += p.a * p.b;
    for (auto &row : rows)
      s += row.back() * row[1];
  }
  return s;
}

static double nodes(double *x) {
  double y[N], s = 0;
#pragma omp parallel for schedule(dynamic)
  for (int i = 0; i < N; i++) {
    std::map<int, double> found;
    std::list<std::unique_ptr<double>> kept;
    for (int k = 0; k < 4; k++) {
      found[(i * k) % 5] += x[(i + k) % N] * x[i];
      kept.push_back(std::make_unique<double>(x[(i * k) % N]));
    }
    y[i] = 0;
    for (auto &[key, value] : found)
      y[i] += value * (key + 1);
    for (auto &one : kept)
      y[i] += *one * x[i];
  }
  for (int i = 0; i < N; i++)
    s += y[i] * y[(i + 1) % N];
  return s;
}

/* a handler of the program's own that throws again, and a call that may throw */
static NOINLINE double checked(double v) {
  if (v > 100)
    throw std::runtime_error("too large");
  return v * v;
}
static NOINLINE void fill(double *out, const double *x, int i) {
  std::unique_ptr<double[]> own(new double[2]);
  try {
    own[0] = checked(x[i]);
    own[1] = checked(x[(i + 5) % N]);
  } catch (...) {
    out[i] = 0;
    throw;
  }
  out[i] = own[0] * own[1];
}
static double own_handlers(double *x) {
  double y[N], s = 0;
#pragma omp parallel for
  for (int i = 0; i < N; i++)
    fill(y, x, i);
  for (int i = 0; i < N; i++)
    s += y[i] * x[i];
  return s;
}

/* a handler around a region takes nothing from its threads */
static double around(double *x) {
  double y[N], s = 0;
  try {
    if (x[0] > 50)
      throw 2.0;
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
      std::vector<double> v;
      for (int k = 0; k < 4; k++)
        v.push_back(x[(i + k) % N]);
      y[i] = v[0] * v[3];
    }
    fill(y, x, 3);
    if (x[1] > 0)
      throw x[1] * x[2];
  } catch (double v) {
    s = v;
  }
  for (int i = 0; i < N; i++)
    s += y[i] * y[i];
  return s;
}

GRADIENT(vectors)
GRADIENT(nodes)
GRADIENT(own_handlers)
GRADIENT(around)

int main() {
  ON_TEAMS(vectors);
  ON_TEAMS(nodes);
  ON_TEAMS(own_handlers);
  ON_TEAMS(around);
  return failures;
}
