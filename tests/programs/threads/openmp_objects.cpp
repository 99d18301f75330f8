/* OpenMP in C++: objects and containers in regions that run on teams.
 * flags: -fopenmp */
#include "../check.h"
#include <algorithm>
#include <deque>
#include <functional>
#include <memory>
#include <omp.h>
#include <vector>

enum { N = 6 };

static double vectors(double *x) {
  std::vector<double> y(20), z;
  double s = 0;
#pragma omp parallel for firstprivate(y) lastprivate(z)
  for (int i = 0; i < 20; i++) {
    y[i] = x[i % N];
    z.push_back(y[i] * i);
    if (i == 19)
      z.assign(3, x[1] * x[0]);
  }
  for (double v : z)
    s += v * v;
  return s;
}

static double iterators(double *x) {
  std::vector<double> y(20);
  double s = 0;
  for (int i = 0; i < 20; i++)
    y[i] = x[i % N] * i;
#pragma omp parallel for reduction(+ : s)
  for (auto it = y.begin(); it != y.end(); ++it)
    s += *it * *it;
#pragma omp parallel for reduction(+ : s)
  for (auto &v : y) {
    v *= 2;
    s += v;
  }
  return s;
}

static double deque_iterators(double *x) {
  std::deque<double> y(20);
  double s = 0;
  for (int i = 0; i < 20; i++)
    y[i] = x[i % N] * i;
#pragma omp parallel for reduction(+ : s)
  for (auto it = y.begin(); it < y.end(); it += 2)
    s += *it * *it;
  return s;
}

static double lambdas(double *x) {
  double y[20], s = 0;
  auto g = [&](int i) { return x[i % N] * i; };
  std::function<double(double)> h = [x](double v) { return v * x[0]; };
#pragma omp parallel for
  for (int i = 0; i < 20; i++) {
    auto k = [&, i] { return g(i) * x[1]; };
    y[i] = h(k());
  }
  for (int i = 0; i < 20; i++)
    s += y[i] * y[19 - i];
  return s;
}

struct vec_of_class_reduction {
  double v[3] = {0, 0, 0};
  vec_of_class_reduction &operator+=(const vec_of_class_reduction &o) {
    for (int i = 0; i < 3; i++)
      v[i] += o.v[i];
    return *this;
  }
};
#pragma omp declare reduction(+ : vec_of_class_reduction : omp_out += omp_in)
static double class_reduction(double *x) {
  vec_of_class_reduction a;
#pragma omp parallel for reduction(+ : a)
  for (int i = 0; i < 20; i++) {
    vec_of_class_reduction b;
    for (int k = 0; k < 3; k++)
      b.v[k] = x[(i + k) % N] * i;
    a += b;
  }
  return a.v[0] * a.v[1] * a.v[2];
}

#pragma omp declare reduction(plus : std::vector<double> : std::transform(                                             \
        omp_out.begin(), omp_out.end(), omp_in.begin(), omp_out.begin(), std::plus<double>()))                         \
    initializer(omp_priv = std::vector<double>(omp_orig.size()))
static double vector_reduction(double *x) {
  std::vector<double> h(4);
  double s = 0;
#pragma omp parallel for reduction(plus : h)
  for (int i = 0; i < 20; i++)
    h[i % 4] += x[i % N] * i;
  for (int i = 0; i < 4; i++)
    s += h[i] * h[3 - i];
  return s;
}

struct acc {
  double v;
  acc() : v(0) {}
  acc(const acc &o) : v(o.v * 2) {}
  ~acc() {}
  void grow(double d) { v += d; }
};
static double class_private(double *x) {
  double y[20], s = 0;
  acc a;
  a.grow(x[0]);
  acc b;
#pragma omp parallel for firstprivate(a) private(b) schedule(static, 2)
  for (int i = 0; i < 20; i++) {
    y[i] = a.v * x[i % N] * i;
    b.v = y[i];
    y[i] += b.v * b.v;
  }
  for (int i = 0; i < 20; i++)
    s += y[i] * y[19 - i];
  return s;
}

struct solver {
  double scale;
  double v[20];
  void fill(const double *x) {
#pragma omp parallel for
    for (int i = 0; i < 20; i++)
      v[i] = scale * x[i % N] * i;
  }
  double sum() {
    double s = 0;
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < 20; i++)
      s += v[i] * v[i];
    return s;
  }
};
static double members(double *x) {
  solver s;
  s.scale = x[1];
  s.fill(x);
  return s.sum();
}

struct shape {
  virtual double area(double v) const = 0;
  virtual ~shape() {}
};
struct sq : shape {
  double k;
  sq(double k) : k(k) {}
  double area(double v) const override { return k * v * v; }
};
struct ci : shape {
  double k;
  ci(double k) : k(k) {}
  double area(double v) const override { return sin(k * v); }
};
static double virtual_in_region(double *x) {
  std::unique_ptr<shape> s[2] = {std::make_unique<sq>(x[0]), std::make_unique<ci>(x[1])};
  double r = 0;
#pragma omp parallel for reduction(+ : r)
  for (int i = 0; i < 20; i++)
    r += s[i % 2]->area(x[i % N]);
  return r;
}

static double vector_of_vectors(double *x) {
  std::vector<std::vector<double>> parts(omp_get_max_threads());
  double s = 0;
#pragma omp parallel
  {
    auto &own = parts[omp_get_thread_num()];
#pragma omp for
    for (int i = 0; i < 20; i++)
      own.push_back(x[i % N] * i);
  }
  for (auto &p : parts)
    for (double v : p)
      s += v * v;
  return s;
}

static void add_of_reference_reduction(double &s, const double *x) {
#pragma omp parallel for reduction(+ : s)
  for (int i = 0; i < 20; i++)
    s += x[i % N] * i;
}
static double reference_reduction(double *x) {
  double s = x[0];
  add_of_reference_reduction(s, x);
  return s * s;
}

int main() {
  CHECK(vectors, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(iterators, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(deque_iterators, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(lambdas, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(class_reduction, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(vector_reduction, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(class_private, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(members, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(virtual_in_region, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(vector_of_vectors, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(reference_reduction, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  return failures;
}
