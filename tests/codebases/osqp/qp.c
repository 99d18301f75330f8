/* A quadratic program by OSQP: a fixed number of iterations, by its vectors and matrices. */
#define TOLERANCE 1e-5
#include "check.h"
#include <osqp.h>

enum { N = 3, M = 4 };

static double solved(const double *x) {
  c_float px[] = {3 + x[0], -1, 2, 1.5}, ax[] = {1, 1, 1, 1, 1 + x[1], 1}, q[] = {-1 + x[3], 0.5, 0.2};
  c_int pi[] = {0, 0, 1, 2}, pp[] = {0, 1, 3, 4}, ai[] = {0, 1, 0, 2, 0, 3}, ap[] = {0, 2, 4, 6};
  c_float low[] = {1, -0.3, -0.2 - x[2], -0.1}, high[] = {1, 0.3 + x[2] * x[2], 2, 2};
  OSQPData data = {.n = N, .m = M, .q = q, .l = low, .u = high};
  data.P = csc_matrix(N, N, 4, px, pi, pp);
  data.A = csc_matrix(M, N, 6, ax, ai, ap);
  OSQPSettings settings;
  osqp_set_default_settings(&settings);
  settings.verbose = 0, settings.adaptive_rho = 0, settings.max_iter = 300, settings.check_termination = 0;
  settings.eps_abs = settings.eps_rel = 1e-14;
  settings.polish = 1;
  OSQPWorkspace *work = NULL;
  if (osqp_setup(&work, &data, &settings))
    exit(2);
  osqp_solve(work);
  double sum = work->info->obj_val;
  for (int i = 0; i < N; i++)
    sum += (i + 1) * work->solution->x[i];
  sum += 0.5 * work->solution->y[0];
  osqp_cleanup(work);
  c_free(data.P), c_free(data.A);
  return sum;
}

static double function(double *x) { return solved(x); }

int main(void) {
  CHECK(function, 0.2, -0.1, 0.3, 0.15);
  return failures;
}
