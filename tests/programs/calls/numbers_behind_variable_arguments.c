/* Pointers and integers take turns as variable arguments, and the function changes the numbers behind the pointers. */
#include "../check.h"
#include <stdarg.h>

NOINLINE static void square(int n, ...) {
  va_list list;
  va_start(list, n);
  for (int i = 0; i < n; i++) {
    int count = va_arg(list, int);
    double *x = va_arg(list, double *);
    for (int j = 0; j < count; j++)
      x[j] *= x[j];
  }
  va_end(list);
}

NOINLINE static double sum(const char *kinds, ...) {
  va_list list;
  double s = 0;
  va_start(list, kinds);
  for (; *kinds; kinds++)
    s += *kinds == 'i' ? va_arg(list, int) : *kinds == 'd' ? va_arg(list, double) : va_arg(list, double *)[1];
  va_end(list);
  return s;
}

NOINLINE static double cube(double *x) { return x[0] * x[0] * x[0]; }

static double f(double *x) {
  double *a = malloc(2 * sizeof *a), *b = malloc(2 * sizeof *b), *c = malloc(2 * sizeof *c), s = 0;
  a[0] = x[0], a[1] = x[1], b[0] = x[1] * x[0], b[1] = x[0], c[0] = x[2], c[1] = x[1];
  for (int i = 0; i < 3; i++) {
    s += cube(b) + cube(c) * cube(a + 1);
    square(3, 2, a, 1, b, 1, c);
    s += a[0] * b[0] + c[0] * sum("ipdipip", 1, a, b[1], 2, b, i, c);
  }
  free(a), free(b), free(c);
  return s;
}

int main(void) {
  CHECK(f, 1.1, 0.5, 0.7);
  return failures;
}
