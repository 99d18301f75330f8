/* OpenMP regions in functions whose names are quoted in LLVM's text, and regions in lambdas.
 * flags: -fopenmp */
#include "../check.h"
#include <omp.h>
#include <vector>

enum { N = 8 };

template <class Body> static void each(int n, Body body) {
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    body(i);
}

template <class Body> static double sum(int n, Body body) {
  double s = 0;
#pragma omp parallel for reduction(+ : s) schedule(dynamic)
  for (int i = 0; i < n; i++)
    s += body(i);
  return s;
}

static double templates(double *x) {
  std::vector<double> y(N);
  each(N, [&](int i) { y[i] = x[i % 3] * x[i % 3] + i; });
  return sum(N, [&](int i) { return y[i] * sin(x[i % 3]); });
}

static double nested(double *x) {
  auto outer = [x](double start) {
    double total = start, least = 1e300;
#pragma omp parallel firstprivate(start)
    {
      auto inner = [&](int i) { return start * x[i] * x[i]; };
      double own = 0, lowest = 1e300;
#pragma omp for nowait
      for (int i = 0; i < 3; i++) {
        own += inner(i);
        lowest = inner(i) < lowest ? inner(i) : lowest;
      }
#pragma omp critical
      {
        total += own;
        least = lowest < least ? lowest : least;
      }
    }
    return total * least;
  };
  return outer(x[1]);
}

struct solver {
  double scale;
  template <class Body> double run(Body body) {
    std::vector<double> slots(omp_get_max_threads(), 0);
#pragma omp parallel
    {
      double &own = slots[omp_get_thread_num()];
#pragma omp for
      for (int i = 0; i < 3; i++)
        own += scale * body(i);
    }
    double sum = 0;
    for (double slot : slots)
      sum += slot;
    return sum;
  }
};
static double members(double *x) {
  solver s{x[0]};
  return s.run([=](int i) { return cos(x[i]) * x[i]; });
}

int main() {
  CHECK(templates, 1.5, -0.5, 2);
  CHECK(nested, 1.5, 0.5, 2);
  CHECK(members, 1.5, 0.5, 0.7);
  return failures;
}
