/* A pointer to a function is compared before it is called: what it was compared with needs no derivative behind the other
 * branch. */
#include "../check.h"

NOINLINE static double square(double x) { return x * x; }
NOINLINE static double cube(double x) { return x * x * x; }
NOINLINE static double sine(double x) { return sin(x); }

static double (*volatile functions[])(double) = {square, cube, sine};

static double applied(int k, double x) {
  double (*function)(double) = functions[k];
  if (function == square)
    return 3 * function(x);
  if (function != cube)
    return 5 * function(x);
  return functions[(k + 1) % 3](x) * function(x);
}

static double f(double *x) { return applied(0, x[0]) + applied(1, x[1]) * applied(2, x[2]); }

int main(void) {
  CHECK(f, 0.7, 1.3, 0.4);
  return failures;
}
