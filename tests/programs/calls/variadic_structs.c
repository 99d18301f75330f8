/* Variable arguments: numbers, integers and pointers mixed, handed on with va_list. */
#include "../check.h"
#include <stdarg.h>

static double vsum(const char *kinds, va_list list) {
  double s = 1;
  for (; *kinds; kinds++) {
    if (*kinds == 'd')
      s += va_arg(list, double) * s;
    else if (*kinds == 'i')
      s *= va_arg(list, int);
    else
      s += *va_arg(list, double *);
  }
  return s;
}

NOINLINE static double sum(const char *kinds, ...) {
  va_list list, again;
  va_start(list, kinds);
  va_copy(again, list);
  double r = vsum(kinds, list) + vsum(kinds, again);
  va_end(again);
  va_end(list);
  return r;
}

static double run(double *x) { return sum("didpdi", x[0] * x[1], 2, x[2], &x[1], x[0], 3); }

int main(void) {
  CHECK(run, 0.5, 1.2, -0.7);
  return failures;
}
