/* Functions with variable arguments that compute with them: numbers, integers between them, pointers, long doubles,
 * structs by value, more than fit in registers, a list handed on and copied. */
#include "../check.h"
#include <stdarg.h>

struct pair {
  double a, b;
};
struct large {
  double v[3];
};

static NOINLINE double weighted(int n, ...) {
  va_list list;
  double sum = 0;
  va_start(list, n);
  for (int i = 0; i < n; i++) {
    int weight = va_arg(list, int);
    sum += weight * sin(va_arg(list, double));
  }
  va_end(list);
  return sum;
}

static NOINLINE double product_of(int n, va_list list) {
  double product = 1;
  for (int i = 0; i < n; i++)
    product *= *va_arg(list, double *);
  return product;
}

static NOINLINE double through_list(int n, ...) {
  va_list list, again;
  va_start(list, n);
  va_copy(again, list);
  double one = product_of(n, list), other = product_of(n - 1, again);
  va_end(again);
  va_end(list);
  return one + other * other;
}

static NOINLINE double mixed(double factor, ...) {
  va_list list;
  va_start(list, factor);
  long double l = va_arg(list, long double);
  struct pair p = va_arg(list, struct pair);
  double last = va_arg(list, double);
  va_end(list);
  return factor * (double)l + p.a * p.b + last * last;
}

static NOINLINE double by_value(double factor, ...) {
  va_list list;
  va_start(list, factor);
  double first = va_arg(list, double);
  struct large s = va_arg(list, struct large);
  double last = va_arg(list, double);
  va_end(list);
  return first * s.v[0] + s.v[1] * s.v[2] * last * factor;
}

double weighted_too(int, ...) __attribute__((alias("weighted")));

static double f(double *x) {
  double many = weighted_too(2, 1, x[1], 2, x[3]) * weighted(9, 1, x[0], 2, x[1], 3, x[2], 4, x[3], -1, x[0], -2, x[1], 5, x[2] * x[3], 6, x[1], 7, x[0]);
  struct pair p = {x[0], x[1] * x[3]};
  struct large s = {{x[1], x[2], x[0]}};
  return many * through_list(3, &x[1], &x[2], &x[3]) + mixed(x[3], 1.0L * x[2] * x[2], p, x[1]) * by_value(x[0], x[2], s, x[3]);
}

int main(void) {
  CHECK(f, 0.5, -1.0, 2.0, -0.25);
  CHECK(f, 1.5, 0.3, 0.7, 1.25);
  return failures;
}
