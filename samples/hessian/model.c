#include "model.h"

#include <math.h>

const double truth[N] = {1.5, 0.3, 4.0, 0.5};

static double oscillation(const double *p, double t) { return p[0] * exp(-p[1] * t) * cos(p[2] * t + p[3]); }

/* Between -0.05 and 0.05, the same in each run. */
static double noise(unsigned k) { return (k * 2654435761u % 1000) / 1e4 - 0.05; }

/* Squares of small errors; outliers count no more than their distance. */
static double loss(double error) { return sqrt(1 + error * error / 0.01) - 1; }

double misfit(const double *p) {
  double sum = 0;
  for (int k = 0; k < M; k++) {
    double t = 0.05 * k, measured = oscillation(truth, t) + noise(k);
    sum += loss(oscillation(p, t) - measured);
  }
  return sum;
}
