/* Regions of OpenMP on teams of threads in C++: lambdas, vectors, virtual functions, declared reductions.
 * flags: -fopenmp */
#include "on_teams.h"
#include <vector>
#include <cmath>
#include <cstring>
#include <numeric>
#include <functional>
#include <algorithm>
#include <memory>

static double lambdas(double *x) {
  std::vector<double> y(N), z;
  auto g = [&](int i) { return std::sin(x[i]) * x[(i + 1) % N]; };
#pragma omp parallel for
  for (int i = 0; i < N; i++) y[i] = g(i);
  z = y;
#pragma omp parallel for schedule(dynamic)
  for (std::size_t i = 0; i < y.size(); i++) z[i] += y[i] * y[i];
  return std::accumulate(z.begin(), z.end(), 0.0);
}
static double iterators(double *x) {
  std::vector<double> y(x, x + N);
#pragma omp parallel for
  for (auto it = y.begin(); it < y.end(); ++it) *it = std::exp(*it) * *it;
  double s = 0;
#pragma omp parallel for reduction(+:s)
  for (int i = 0; i < N; i++) s += y[i] * y[N - 1 - i];
  return s;
}
static double own_vectors(double *x) {
  double s = 0;
#pragma omp parallel
  {
    std::vector<double> mine(x, x + N);
    for (auto &m : mine) m *= m;
#pragma omp for reduction(+:s)
    for (int i = 0; i < N; i++) { std::vector<double> t(mine.begin(), mine.begin() + i % 5 + 1); t.push_back(x[i]); double p = 1; for (double v : t) p *= v; s += p; }
  }
  return s;
}
struct vec { double x, y, z; vec operator+(const vec &o) const { return {x + o.x, y + o.y, z + o.z}; } vec &operator+=(const vec &o) { x += o.x; y += o.y; z += o.z; return *this; } };
#pragma omp declare reduction(+ : vec : omp_out += omp_in) initializer(omp_priv = vec{0, 0, 0})
static double declared(double *x) {
  vec s{0, 0, 0};
#pragma omp parallel for reduction(+ : s)
  for (int i = 0; i < N; i++) s += vec{x[i], x[i] * x[i], std::sin(x[i])};
  return s.x * s.y * s.z;
}
struct body { double m; vec p, v; };
static double bodies(double *x) {
  std::vector<body> b(6);
  for (int i = 0; i < 6; i++) b[i] = {x[i] + 1, {x[i + 6], x[i + 12], x[i + 18]}, {0, 0, 0}};
  for (int t = 0; t < 3; t++) {
    std::vector<vec> a(6);
#pragma omp parallel for
    for (int i = 0; i < 6; i++) {
      vec s{0, 0, 0};
      for (int j = 0; j < 6; j++) if (j != i) {
        vec d{b[j].p.x - b[i].p.x, b[j].p.y - b[i].p.y, b[j].p.z - b[i].p.z};
        double r = d.x * d.x + d.y * d.y + d.z * d.z + 0.1, f = b[j].m / (r * std::sqrt(r));
        s += vec{d.x * f, d.y * f, d.z * f};
      }
      a[i] = s;
    }
#pragma omp parallel for
    for (int i = 0; i < 6; i++) { b[i].v += vec{a[i].x * .01, a[i].y * .01, a[i].z * .01}; b[i].p += b[i].v; }
  }
  double e = 0; for (auto &q : b) e += q.p.x * q.v.y + q.p.z;
  return e;
}
static double functions(double *x) {
  std::function<double(double)> f = [&](double t) { return t * t * x[0]; };
  double y[N], s = 0;
#pragma omp parallel for
  for (int i = 0; i < N; i++) y[i] = f(x[i]);
  for (int i = 0; i < N; i++) s += y[i] * i;
  return s;
}
struct base { virtual double at(double) const = 0; virtual ~base() {} };
struct one : base { double c; one(double c) : c(c) {} double at(double t) const override { return c * t * t; } };
struct two : base { double c; two(double c) : c(c) {} double at(double t) const override { return std::sin(c * t); } };
static double virtuals(double *x) {
  std::vector<std::unique_ptr<base>> l;
  for (int i = 0; i < N; i++) if (i % 2) l.push_back(std::make_unique<one>(x[i])); else l.push_back(std::make_unique<two>(x[i]));
  double s = 0;
#pragma omp parallel for reduction(+ : s)
  for (int i = 0; i < N; i++) s += l[i]->at(x[(i + 3) % N]);
  return s;
}
static double copies(double *x) {
  double a[N][4], b[N][4], s = 0;
#pragma omp parallel for
  for (int i = 0; i < N; i++) { for (int k = 0; k < 4; k++) a[i][k] = x[i] * x[(i + k) % N]; }
#pragma omp parallel for
  for (int i = 0; i < N; i++) std::memcpy(b[i], a[(i * 2) % N], sizeof b[i]);
  for (int i = 0; i < N; i++) for (int k = 0; k < 4; k++) s += b[i][k] * b[i][k] * (k + 1);
  return s;
}

GRADIENT(lambdas)
GRADIENT(iterators)
GRADIENT(own_vectors)
GRADIENT(declared)
GRADIENT(bodies)
GRADIENT(functions)
GRADIENT(virtuals)
GRADIENT(copies)

int main(void) {
  ON_TEAMS(lambdas);
  ON_TEAMS(iterators);
  ON_TEAMS(own_vectors);
  ON_TEAMS(declared);
  ON_TEAMS(bodies);
  ON_TEAMS(functions);
  ON_TEAMS(virtuals);
  ON_TEAMS(copies);
  return failures;
}
