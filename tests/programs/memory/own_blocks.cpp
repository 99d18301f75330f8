/* Blocks of the heap that a call allocates and frees itself, beside others: exchanged, freed by a callee, one of two
 * freed, empty, zeroed, in a loop, of many pages. Their shadows need not come from the heap; those along several
 * directions are one block. */
#include <utility>
#include <vector>
extern "C" {
#include "../check.h"
}

static double exchanged(double *x) {
  std::vector<double> a(x, x + 2), b(2, 1.0);
  for (int step = 0; step < 3; step++) {
    b[0] = a[0] * a[1] + x[0], b[1] = a[1] - sin(b[0]);
    std::swap(a, b);
  }
  return a[0] * b[1];
}

NOINLINE static double take(double *block) {
  double sum = block[0] * block[1];
  free(block);
  return sum;
}

static double freed_elsewhere(double *x) {
  double *block = (double *)malloc(2 * sizeof *block), *other = (double *)malloc(sizeof *other);
  block[0] = x[0] * x[1], block[1] = other[0] = exp(x[1]);
  double sum = 0;
  if (x[0] > 0)
    sum = take(block);
  else
    free(block);
  sum += other[0];
  free(other);
  return sum;
}

static double one_of_two(double *x) {
  double *a = (double *)malloc(sizeof *a), *b = (double *)calloc(2, sizeof *b);
  *a = x[0] * x[0], b[1] = x[1];
  int first = *a > b[1];
  double sum = *a * b[1] + b[0];
  double *freed = first ? a : b, *kept = first ? b : a;
  freed[0] = sin(sum);
  sum += freed[0];
  free(freed);
  sum *= kept[0] + 1;
  free(kept);
  return sum;
}

NOINLINE static double empty_too(const double *x, int n) {
  std::vector<double> squares(n), *none = nullptr;
  for (int i = 0; i < n; i++)
    squares[i] = x[i] * x[i];
  delete none;
  double sum = 0;
  for (double s : squares)
    sum += s * x[0];
  return sum;
}

static double of_all_sizes(double *x) {
  double sum = 0;
  for (int n = 0; n < 3; n++)
    sum += empty_too(x, n);
  return sum;
}

static double in_a_loop(double *x) {
  double sum = 1;
  for (int n = 1; n < 40; n++) {
    double *row = (double *)malloc(n * sizeof *row);
    for (int i = 0; i < n; i++)
      row[i] = x[i % 2] * (i + 1) / n;
    for (int i = 0; i < n; i++)
      sum = 0.9 * sum + cos(row[i]) * row[n - 1 - i] / n;
    free(row);
  }
  return sum;
}

static double of_pages(double *x) {
  std::vector<double> a(4096, x[0]), b(4096);
  for (int i = 1; i < 4096; i++)
    b[i] = 0.5 * b[i - 1] + a[i] * x[1], a[i] += 0.1 * a[i - 1] * b[i - 1];
  return a[4095] * b[1];
}

enum { DIRECTIONS = 3 };
struct tangents {
  double along[DIRECTIONS];
};
extern "C" int enzyme_width;
extern "C" tangents __enzyme_fwddiff_along(void *, ...);

#define CHECK_DIRECTIONS(f)                                                                                            \
  do {                                                                                                                 \
    double x[] = {0.7, 0.4}, v[DIRECTIONS][2] = {{1, 0}, {0, 1}, {-0.6, 0.8}}, gradient[2] = {0};                      \
    __enzyme_autodiff((void *)f, x, gradient);                                                                         \
    tangents got = __enzyme_fwddiff_along((void *)f, enzyme_width, DIRECTIONS, enzyme_dup, x, v[0], v[1], v[2]);       \
    SAME(got.along[0], gradient[0]);                                                                                   \
    SAME(got.along[1], gradient[1]);                                                                                   \
    SAME(got.along[2], 0.8 * gradient[1] - 0.6 * gradient[0]);                                                         \
  } while (0)

int main() {
  CHECK(of_pages, 0.7, 0.4);
  CHECK_DIRECTIONS(exchanged);
  CHECK_DIRECTIONS(freed_elsewhere);
  CHECK_DIRECTIONS(one_of_two);
  CHECK_DIRECTIONS(of_all_sizes);
  CHECK_DIRECTIONS(in_a_loop);
  CHECK_DIRECTIONS(of_pages);
  CHECK(exchanged, 0.7, 0.4);
  CHECK(freed_elsewhere, 0.7, 0.4);
  CHECK(freed_elsewhere, -0.7, 0.4);
  CHECK(one_of_two, 0.7, 0.4);
  CHECK(one_of_two, 0.3, 0.4);
  CHECK(of_all_sizes, 0.7, 0.4);
  CHECK(in_a_loop, 0.7, 0.4);
  return failures;
}
