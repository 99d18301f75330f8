/* The program of each method: the optimum by the parameters of the function. A file defines METHOD and includes this. It may
 * define EVALUATIONS, after which the search stops. */
#define TOLERANCE 1e-4 /* the search stops near the optimum */
#ifndef EVALUATIONS
#define EVALUATIONS 400
#endif
#include "check.h"
#include <nlopt.h>

static nlopt_opt before;

static double objective(unsigned n, const double *v, double *gradient, void *data) {
  const double *p = data;
  double a = v[0] - p[0], b = v[1] - p[1] * v[0];
  if (gradient) {
    gradient[0] = 4 * a * a * a + 2 * a - 2 * p[1] * b;
    gradient[1] = 2 * b;
  }
  return a * a * a * a + a * a + b * b;
}

static nlopt_opt make(void) {
  nlopt_opt search = nlopt_create(METHOD, 2);
  nlopt_set_lower_bounds1(search, -4);
  nlopt_set_upper_bounds1(search, 4);
  nlopt_set_xtol_rel(search, 1e-10);
  nlopt_set_maxeval(search, EVALUATIONS);
  return search;
}

static double optimum(nlopt_opt search, double *p) {
  double v[2] = {1, 1}, least;
  nlopt_set_min_objective(search, objective, p);
  nlopt_optimize(search, v, &least);
  return v[0] + 0.5 * v[1] * v[1];
}

static double outside(double *p) { return optimum(before, p); }

static double inside(double *p) {
  nlopt_opt search = make();
  double value = optimum(search, p);
  nlopt_destroy(search);
  return value;
}

int main(void) {
  before = make();
  CHECK_HANDLE(inside, outside, 0.7, 1.3);
  return failures;
}
