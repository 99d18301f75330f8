/* The whole program computes in float: it finds what the same program written with float finds, bit by bit, and the
 * gradient of that.
 *
 * flags: --enzyme-truncate=64to32 */
#include "../../check.h"

double step(double x, double h);
static double (*volatile taken)(double, double) = step;
static double square(double x) { return x * x; }
static double (*volatile squared)(double) = square;

static float step_f(float x, float h) { return x + h * (x - x * x / 3); }

NOINLINE static double run(double x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    x = step(x, 0.1);
    s += sin(x) / (i + 1);
  }
  return s;
}

NOINLINE static float run_f(float x, int n) {
  float s = 0;
  for (int i = 0; i < n; i++) {
    x = step_f(x, 0.1f);
    s += sinf(x) / (i + 1);
  }
  return s;
}

static void identical(const char *what, double got, float want) {
  if ((float)got != got || (float)got != want) {
    failures++;
    printf("WRONG %s: %a, expected %a\n", what, got, (double)want);
  }
}

int main(int count, char **arguments) {
  double x = 0.1 + count / 10.0;
  float y = 0.1f + count / 10.0f;
  identical("in main", x, y);
  identical("calls of another unit", run(x, 20), run_f(y, 20));
  identical("through pointers", squared(taken(x, 0.3)), step_f(y, 0.3f) * step_f(y, 0.3f));
  double slope = __enzyme_autodiff((void *)run, x, 20), e = 1.0 / 64;
  double difference = (run(x + e, 20) - run(x - e, 20)) / (2 * e);
  same("the gradient", 0, slope, difference, 1e-3);
  same("its tangent", 0, __enzyme_fwddiff((void *)run, x, 1.0, 20), slope, 1e-5);
  printf("%.9g %.9g\n", x, slope);
  return failures;
}
