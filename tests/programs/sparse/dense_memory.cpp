// __enzyme_todense: shadows that functions stand for, as Enzyme's programs for sparse Hessians use them.
#include "../check.h"
#include <cstdint>
#include <vector>

template <typename Result, typename... Arguments> Result __enzyme_todense(Arguments...) noexcept;
template <typename Result, typename... Arguments> Result __enzyme_post_sparse_todense(Arguments...) noexcept;

template <typename T> struct entry {
  size_t row, column;
  T value;
};

// The i-th unit vector, and the sum of what is stored.
template <typename T> T unit_load(size_t at, size_t i) { return static_cast<T>(at / sizeof(T) == i); }
template <typename T> void no_store(T, size_t, size_t) { abort(); }
template <typename T> T zero_load(size_t, size_t, std::vector<entry<T>> &) { return 0; }
__attribute__((enzyme_sparse_accumulate)) static void put(size_t row, size_t column, double value,
                                                          std::vector<entry<double>> &all) {
  all.push_back({row, column, value});
}
__attribute__((enzyme_sparse_accumulate)) static void put(size_t row, size_t column, float value,
                                                          std::vector<entry<float>> &all) {
  all.push_back({row, column, value});
}
template <typename T> void put_store(T value, size_t at, size_t i, std::vector<entry<T>> &all) {
  if (value != 0)
    put(at / sizeof(T), i, value, all);
}

template <typename T> static void check(const char *name, const std::vector<entry<T>> &all, size_t n, size_t most,
                                        double (*want)(size_t, size_t)) {
  std::vector<double> dense(n * n);
  for (const entry<T> &e : all)
    dense[e.row * n + e.column] += e.value;
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++)
      same(name, i * n + j, dense[i * n + j], want(i, j), sizeof(T) == 8 ? 1e-12 : 1e-5);
  same("entries", 0, all.size() <= most, 1, 0);
}

enum { N = 9 };
static double x[N + 1];

// Springs between neighbours, and two additions to one number in one iteration.
static double chain(size_t n, const double *x) {
  double sum = 0;
  for (size_t i = 0; i + 1 < n; i++) {
    double d = x[i + 1] - x[i];
    sum += d * d * d + x[i] * x[i] * x[i / 2];
  }
  return sum;
}
static void gradient_of_chain(size_t n, const double *x, double *dx) {
  __enzyme_autodiff((void *)chain, enzyme_const, n, enzyme_dup, x, dx);
}
static double of_chain(size_t i, size_t j) {
  double sum = 0;
  for (size_t k = 0; k + 1 < N; k++) {
    double d = 6 * (x[k + 1] - x[k]);
    int a = (i == k + 1) - (i == k), b = (j == k + 1) - (j == k);
    sum += d * a * b;
    sum += 2 * x[k / 2] * (i == k) * (j == k); // of x[k] squared times x[k / 2]
    sum += 2 * x[k] * ((i == k) * (j == k / 2) + (i == k / 2) * (j == k));
  }
  return sum;
}
static std::vector<entry<double>> hessian_of_chain(size_t n, const double *x) {
  std::vector<entry<double>> all;
  for (size_t i = 0; i < n; i++)
    __enzyme_fwddiff((void *)gradient_of_chain, enzyme_const, n, enzyme_dup, x,
                     __enzyme_todense<double *>((void *)unit_load<double>, (void *)no_store<double>, i),
                     enzyme_dupnoneed, (double *)nullptr,
                     __enzyme_todense<double *>((void *)zero_load<double>, (void *)put_store<double>, i, &all));
  return all;
}

// The input is memory of functions, too: a ring, whose number n is number 0.
static double ring(size_t n, const double *x) {
  double sum = 0;
  for (size_t i = 0; i < n; i++)
    sum += cos(x[i + 1] - x[i]);
  return sum;
}
static void gradient_of_ring(size_t n, const double *x, double *dx) {
  __enzyme_autodiff((void *)ring, enzyme_const, n, enzyme_dup, x, dx);
}
static double ring_load(size_t at, const double *x, size_t n) { return x[at / sizeof *x % n]; }
static void ring_store(double, size_t, const double *, size_t) { abort(); }
static double ring_unit(size_t at, size_t i, size_t n) { return at / sizeof(double) % n == i; }
static void ring_put(double value, size_t at, size_t i, size_t n, std::vector<entry<double>> &all) {
  if (value != 0)
    put(at / sizeof(double) % n, i, value, all);
}
static double ring_zero(size_t, size_t, size_t, std::vector<entry<double>> &) { return 0; }
static std::vector<entry<double>> hessian_of_ring(size_t n, const double *x) {
  std::vector<entry<double>> all;
  const double *wound = __enzyme_post_sparse_todense<double *>((void *)ring_load, (void *)ring_store, x, n);
  for (size_t i = 0; i < n; i++)
    __enzyme_fwddiff((void *)gradient_of_ring, enzyme_const, n, enzyme_dup, wound,
                     __enzyme_todense<double *>((void *)ring_unit, (void *)no_store<double>, i, n), enzyme_dupnoneed,
                     (double *)nullptr, __enzyme_todense<double *>((void *)ring_zero, (void *)ring_put, i, n, &all));
  return all;
}
static double of_ring(size_t i, size_t j) {
  double next = cos(x[(i + 1) % N] - x[i]), before = cos(x[i] - x[(i + N - 1) % N]);
  return i == j ? -next - before : j == (i + 1) % N ? next : i == (j + 1) % N ? before : 0;
}

// Floats, and a function that is called.
__attribute__((noinline)) static float square(const float *x, size_t i) { return x[i] * x[i]; }
static float products(size_t n, const float *x) {
  float sum = 0;
  for (size_t i = 0; i + 2 < n; i++)
    sum += square(x, i) * x[i + 2];
  return sum;
}
static void gradient_of_products(size_t n, const float *x, float *dx) {
  __enzyme_autodiff((void *)products, enzyme_const, n, enzyme_dup, x, dx);
}
static std::vector<entry<float>> hessian_of_products(size_t n, const float *x) {
  std::vector<entry<float>> all;
  for (size_t i = 0; i < n; i++)
    __enzyme_fwddiff((void *)gradient_of_products, enzyme_const, n, enzyme_dup, x,
                     __enzyme_todense<float *>((void *)unit_load<float>, (void *)no_store<float>, i), enzyme_dupnoneed,
                     (float *)nullptr,
                     __enzyme_todense<float *>((void *)zero_load<float>, (void *)put_store<float>, i, &all));
  return all;
}
static double of_products(size_t i, size_t j) {
  if (i == j)
    return i + 2 < N ? 2 * x[i + 2] : 0;
  return i + 2 == j ? 2 * x[i] : j + 2 == i ? 2 * x[j] : 0;
}

// A Jacobian in forward mode and a gradient in reverse mode, without a request inside.
static void differences(size_t n, const double *x, double *y) {
  for (size_t i = 0; i + 1 < n; i++)
    y[i] = x[i + 1] * x[i];
}
static double of_differences(size_t i, size_t j) { return i + 1 == N ? 0 : j == i ? x[i + 1] : j == i + 1 ? x[i] : 0; }

int main() {
  float small[N];
  for (int i = 0; i <= N; i++)
    x[i] = sin(2.0 * i + 1);
  for (int i = 0; i < N; i++)
    small[i] = static_cast<float>(x[i]);
  check("chain", hessian_of_chain(N, x), N, 8 * N, of_chain);
  check("ring", hessian_of_ring(N, x), N, 4 * N, of_ring);
  check("floats", hessian_of_products(N, small), N, 4 * N, of_products);

  std::vector<entry<double>> forward, backward;
  double y[N] = {};
  for (size_t i = 0; i < N; i++)
    __enzyme_fwddiff((void *)differences, enzyme_const, (size_t)N, enzyme_dup, x,
                     __enzyme_todense<double *>((void *)unit_load<double>, (void *)no_store<double>, i), enzyme_dup, y,
                     __enzyme_todense<double *>((void *)zero_load<double>, (void *)put_store<double>, i, &forward));
  check("forward", forward, N, 2 * N, of_differences);
  __enzyme_autodiff((void *)chain, enzyme_const, (size_t)N, enzyme_dup, x,
                    __enzyme_todense<double *>((void *)zero_load<double>, (void *)put_store<double>, (size_t)0, &backward));
  double dx[N] = {}, sums[N] = {};
  gradient_of_chain(N, x, dx);
  for (const entry<double> &e : backward)
    sums[e.row] += e.value;
  for (int i = 0; i < N; i++)
    same("reverse", i, sums[i], dx[i], 1e-13);
  return failures;
}
