/* A function passed as an argument, with its parameters behind a void pointer. */
#include "../check.h"

typedef double (*integrand)(double, void *);

NOINLINE static double integrate(integrand f, void *data, double a, double b) {
  double s = 0, h = (b - a) / 8;
  for (int i = 0; i <= 8; i++)
    s += f(a + i * h, data) * (i == 0 || i == 8 ? 1 : i & 1 ? 4 : 2);
  return s * h / 3;
}
NOINLINE static double wave(double t, void *data) {
  double *x = data;
  return x[0] * sin(x[1] * t);
}
NOINLINE static double bell(double t, void *data) {
  double *x = data;
  return exp(-t * t * x[2]);
}

static double run(double *x) { return integrate(wave, x, 0, x[1]) * integrate(bell, x, -x[0], 1); }

int main(void) {
  CHECK(run, 0.5, 1.2, 0.7);
  return failures;
}
