/* A function with variable arguments that prints them, also numbers that carry a derivative, on the way. */
#include "../check.h"
#include <stdarg.h>

static int lines;

static NOINLINE void report(int level, const char *format, ...) {
  char text[200];
  va_list arguments;
  va_start(arguments, format);
  if (level > 0)
    vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  lines += level;
}

static double checked(double *x) {
  double sum = 0;
  for (int i = 0; i < 4; i++) {
    if (x[i] < 0)
      report(1, "x[%d] = %g is negative in %p (%s)\n", i, x[i], (void *)x, "checked");
    sum += x[i] * x[i] * sum + x[i];
  }
  return sum;
}

int main(void) {
  CHECK(checked, 0.5, -1.0, 2.0, -0.25);
  return failures;
}
