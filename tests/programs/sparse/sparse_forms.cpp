// Patterns of functions with memory, calls and loops of all kinds: no entry of the dense Jacobian is lost.
#include "sparse.h"
#include <algorithm>
#include <complex>
#include <cstring>
#include <map>
#include <numeric>
#include <vector>

enum { N = 12 };

static void copies(const double *x, double *y) { // memcpy and memmove of numbers
  double work[2 * N];
  memcpy(work, x, N * sizeof *x);
  memmove(work + 3, work, N * sizeof *work);
  for (int i = 0; i < N; i++)
    y[i] = work[i] * work[i];
}

struct point {
  double place, speed;
  int kind;
};

static void structs(const double *x, double *y) { // numbers beside integers, sorted by a number
  std::vector<point> points;
  for (int i = 0; i < N; i += 2)
    points.push_back({x[i], x[i + 1], i});
  std::sort(points.begin(), points.end(), [](const point &a, const point &b) { return a.place < b.place; });
  for (const point &p : points) {
    y[p.kind] = p.place * p.speed;
    y[p.kind + 1] = std::min(p.place, 0.4) + p.kind;
  }
}

static void in_complex(const double *x, double *y) {
  for (int i = 0; i < N; i += 2) {
    std::complex<double> z(x[i], x[i + 1]), w = std::exp(z) * z;
    y[i] = w.real();
    y[i + 1] = std::abs(z);
  }
}

__attribute__((noinline)) static double total(const double *x, int first, int last) { // a recursion
  return last - first == 1 ? x[first] * x[first] : total(x, first, (first + last) / 2) + total(x, (first + last) / 2, last);
}
static void recursive(const double *x, double *y) {
  for (int i = 0; i < N; i++)
    y[i] = total(x, i / 4 * 4, i / 4 * 4 + 4);
}

static void in_floats(const double *x, double *y) {
  float work[N];
  for (int i = 0; i < N; i++)
    work[i] = static_cast<float>(x[i]);
  for (int step = 0; step < 3; step++)
    for (int i = 0; i + 1 < N; i += 3)
      work[i] += 0.5f * work[i + 1];
  for (int i = 0; i < N; i++)
    y[i] = static_cast<double>(work[i]);
}

static double tables[N], (*chosen[2])(double) = {std::sin, std::cos};
static void globals(const double *x, double *y) { // and function pointers
  for (int i = 0; i < N; i++)
    tables[i] = chosen[i % 2](x[(i + 5) % N]);
  for (int i = 0; i < N; i++)
    y[i] = tables[i] * tables[(i + 1) % N] - std::fabs(x[i] - 0.5);
}

static void maps(const double *x, double *y) {
  std::map<int, double> sums;
  for (int i = 0; i < N; i++)
    sums[i % 3] += x[i] * i;
  for (int i = 0; i < N; i++)
    y[i] = i % 3 ? sums[i % 3] * x[i] : 0;
}

static void signs(const double *x, double *y) { // copysign, fabs, bits
  for (int i = 0; i < N; i++) {
    double part;
    y[i] = std::copysign(x[i], x[(i + 1) % N] - 0.5) * std::modf(3 * x[(i + 2) % N], &part);
    y[i] += std::ldexp(x[i], 2) + std::fma(x[i], x[i], part);
  }
}

static void steps(const double *x, double *y) { // a diffusion over some steps: the pattern grows with each
  double now[N], next[N];
  std::copy(x, x + N, now);
  for (int t = 0; t < 3; t++) {
    for (int i = 0; i < N; i++)
      next[i] = now[i] + 0.1 * (now[(i + 1) % N] - now[i]) * now[i];
    std::copy(next, next + N, now);
  }
  std::copy(now, now + N, y);
}

static double energy(const double *x) { // a work array, and its gradient below
  std::vector<double> work(x, x + N);
  for (int i = 0; i + 2 < N; i++)
    work[i + 2] *= std::exp(0.1 * work[i]);
  return std::inner_product(work.begin(), work.end(), work.begin(), 0.0);
}
static void gradient(const double *x, double *dx) { __enzyme_autodiff((void *)energy, x, dx); }

static double pairs(const double *x) {
  double sum = 0;
  for (int i = 0; i + 3 < N; i += 3) {
    double copy[3];
    memcpy(copy, x + i, sizeof copy);
    sum += total(copy, 0, 2) * copy[2] * x[i + 3];
  }
  return sum;
}
static void gradient_of_pairs(const double *x, double *dx) { __enzyme_autodiff((void *)pairs, x, dx); }

template <auto f> static void check(const char *name) {
  double x[N], y[N] = {}, dx[N], dy[N], ignored[N] = {};
  for (int i = 0; i < N; i++)
    x[i] = 0.1 + 0.07 * i + 0.3 * (i % 3);
  enzyme_triplets by_columns, by_rows;
  __enzyme_fwddiff<void>((void *)f, enzyme_sparse, &by_columns, x, (int)N, y, (int)N);
  __enzyme_autodiff<void>((void *)f, enzyme_sparse, &by_rows, x, (int)N, y, (int)N);
  same(name, -1, by_columns.count == by_rows.count && by_columns.count > 0, 1, 0);
  for (int j = 0; j < N; j++) {
    std::fill(dx, dx + N, 0);
    std::fill(dy, dy + N, 0);
    std::fill(ignored, ignored + N, 0);
    dx[j] = 1;
    __enzyme_fwddiff<void>((void *)f, x, dx, ignored, dy);
    for (unsigned long k = 0; k < by_columns.count; k++) {
      if (by_columns.columns[k] == static_cast<unsigned long>(j)) {
        int i = static_cast<int>(by_columns.rows[k]);
        same(name, i * N + j, by_columns.values[k], dy[i], 1e-6 * (f == in_floats) + 1e-13);
        same(name, i * N + j, by_rows.values[k], dy[i], 1e-6 * (f == in_floats) + 1e-13);
        dy[i] = 0;
      }
    }
    same(name, j, *std::max_element(dy, dy + N), 0, 0); // what the matrix does not have is zero
    same(name, j, *std::min_element(dy, dy + N), 0, 0);
  }
  printf("%s: %lu entries, %lu and %lu groups\n", name, by_columns.count, by_columns.groups, by_rows.groups);
  same("not dense", 0, by_columns.count < N * N, 1, 0);
  for (enzyme_triplets t : {by_columns, by_rows})
    free(t.rows), free(t.columns), free(t.values);
}

int main() {
  check<copies>("copies");
  check<structs>("structs");
  check<in_complex>("complex");
  check<recursive>("recursive");
  check<in_floats>("floats");
  check<globals>("globals");
  check<maps>("maps");
  check<signs>("signs");
  check<steps>("steps");
  check<gradient>("gradient");
  check<gradient_of_pairs>("gradient of pairs");
  return failures;
}
