/* Divisors so tiny that the quotient over the divisor overflows; its product with an adjoint or a tangent does not. */
#include "../check.h"

static double tiny = 1e-160, scale = 1e-250;
static float tiny_float = 1e-20f, scale_float = 1e-35f;

static double quotient(double *x) { return x[0] / x[1] * scale; }

static float float_quotient(float *x) { return x[0] / x[1] * scale_float; }

static double sum_with_reciprocal(double *x) { return (x[0] / tiny + 1 / x[1]) * scale; }

/* (1 + i x0)/(x1 + i x1) */
static double complex_quotient(double *x) {
  _Complex double a, b;
  __real__ a = 1, __imag__ a = x[0], __real__ b = x[1], __imag__ b = x[1];
  _Complex double c = a / b;
  return (3 * __real__ c + __imag__ c) * scale;
}

static void compare(const char *what, double got, double want) { same(what, 0, got / want, 1, 1e-6); }

/* The partial derivatives by a and b in both modes; forward mode along (1, 0) and along (0, b). */
#define CHECK_BOTH(T, FORWARD, f, a, b, by_a, by_b)                                                                    \
  do {                                                                                                                 \
    T x[] = {a, b}, dx[] = {0, 0}, along_a[] = {1, 0}, along_b[] = {0, b};                                             \
    __enzyme_autodiff((void *)f, x, dx);                                                                               \
    compare(#f, dx[0], by_a);                                                                                          \
    compare(#f, dx[1], by_b);                                                                                          \
    compare(#f, FORWARD((void *)f, x, along_a), by_a);                                                                 \
    compare(#f, FORWARD((void *)f, x, along_b), (by_b) * b);                                                           \
  } while (0)

int main(void) {
  double by_a = scale / tiny;
  CHECK_BOTH(double, __enzyme_fwddiff, quotient, 3, tiny, by_a, -3 * by_a / tiny);
  CHECK_BOTH(double, __enzyme_fwddiff, sum_with_reciprocal, 3, tiny, by_a, -by_a / tiny);
  /* the result is ((3 - 1) + (3 + 1) x0)/(2 x1) * scale */
  CHECK_BOTH(double, __enzyme_fwddiff, complex_quotient, 3, tiny, 2 * by_a, -7 * by_a / tiny);
  double by_x = scale_float / (double)tiny_float;
  CHECK_BOTH(float, __enzyme_fwddiff_float, float_quotient, 3, tiny_float, by_x, -3 * by_x / tiny_float);
  return failures;
}
