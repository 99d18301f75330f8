/* Finds the hyperparameters under which observations are most likely, by gradients through dpotrf and dtrsm. */
#include "gaussian_process.h"

#include <enzyme/enzyme.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

extern void __enzyme_autodiff_likelihood(double (*)(int, const double *, const double *, const double *), ...);

enum { POINTS = 120 };

typedef struct {
  double x[POINTS], y[POINTS];
} observations;

static double with_gradient(const double *p, double *gradient, void *context) {
  const observations *o = context;
  memset(gradient, 0, PARAMETERS * sizeof *gradient);
  __enzyme_autodiff_likelihood(negative_log_likelihood, enzyme_const, POINTS, enzyme_const, o->x, enzyme_const, o->y,
                               enzyme_dup, p, gradient);
  return negative_log_likelihood(POINTS, o->x, o->y, p);
}

static int agrees(const observations *o, const double *p) {
  double gradient[PARAMETERS];
  int good = 1;
  with_gradient(p, gradient, (void *)o);
  puts("d likelihood / d      gradient   central difference");
  for (int i = 0; i < PARAMETERS; i++) {
    static const char *const names[] = {"log length", "log scale", "log noise"};
    double up[PARAMETERS], down[PARAMETERS], h = 1e-5;
    memcpy(up, p, sizeof up), memcpy(down, p, sizeof down);
    up[i] += h, down[i] -= h;
    double expected = (negative_log_likelihood(POINTS, o->x, o->y, up) -
                       negative_log_likelihood(POINTS, o->x, o->y, down)) / (2 * h);
    int same = fabs(gradient[i] - expected) <= 1e-6 * (1 + fabs(expected));
    printf("%16s %+13.7f %+20.7f%s\n", names[i], gradient[i], expected, same ? "" : "  DISAGREES");
    good &= same;
  }
  return good;
}

int main(void) {
  observations o;
  double p[PARAMETERS] = {-1, 1, -1}, gradient[PARAMETERS];
  observe(POINTS, o.x, o.y);
  int good = agrees(&o, p), steps = minimise(with_gradient, &o, PARAMETERS, p, 1e-6);
  double value = with_gradient(p, gradient, &o), largest = 0;
  for (int i = 0; i < PARAMETERS; i++)
    largest = fmax(largest, fabs(gradient[i]));
  printf("%d steps: length %.3f, scale %.3f, noise %.3f (true: 0.1), log likelihood %.4f, gradient %.0e\n", steps,
         exp(p[0]), exp(p[1]), exp(p[2]), -value, largest);
  good &= largest < 1e-4 && fabs(exp(p[2]) - 0.1) < 0.03;
  return !good;
}
