/* EZ0304: numbers that carry derivatives are written over by vsscanf, behind a list of arguments. */
#include "../../check.h"
#include <stdarg.h>

NOINLINE static int scan(const char *text, const char *format, ...) {
  va_list list;
  va_start(list, format);
  int n = vsscanf(text, format, list);
  va_end(list);
  return n;
}

static double run(double *x) {
  double a = x[0] * x[1];
  int n = scan("1.5", "%lf", &a);
  return a * x[0] + n;
}

int main(void) {
  CHECK(run, 0.5, 1.2);
  return failures;
}
