/* A quadratic program in standard form: its least value and place, by its vectors and matrices. */
#define TOLERANCE 1e-5
#include "check.h"
#include <scs.h>

enum { N = 3, M = 4 };

static double solved(const double *x) {
  /* least x'Px/2 + c'x under one equation and three bounds */
  double px[] = {3 + x[0], -1, 2, 1.5}, ax[] = {1, -1, 1, -1, 1 + x[1], -1}, b[] = {1, 0.3, 0.2 + x[2], 0.1};
  double c[] = {-1 + x[3], 0.5, 0.2};
  scs_int pi[] = {0, 0, 1, 2}, pp[] = {0, 1, 3, 4}, ai[] = {0, 1, 0, 2, 0, 3}, ap[] = {0, 2, 4, 6};
  ScsMatrix p = {px, pi, pp, N, N}, a = {ax, ai, ap, M, N};
  ScsData data = {.m = M, .n = N, .A = &a, .P = &p, .b = b, .c = c};
  ScsCone cone = {.z = 1, .l = 3};
  ScsSettings settings;
  scs_set_default_settings(&settings);
  settings.verbose = 0, settings.adaptive_scale = 0, settings.acceleration_lookback = 0;
  settings.eps_abs = settings.eps_rel = 1e-13, settings.max_iters = 400;
  double place[N] = {0}, dual[M] = {0}, slack[M] = {0};
  ScsSolution solution = {place, dual, slack};
  ScsInfo info = {0};
  ScsWork *work = scs_init(&data, &cone, &settings);
  scs_solve(work, &solution, &info, 0);
  scs_finish(work);
  double sum = info.pobj;
  for (int i = 0; i < N; i++)
    sum += (i + 1) * place[i];
  return sum + 0.5 * dual[0];
}

static double function(double *x) { return solved(x); }

int main(void) {
  CHECK(function, 0.2, -0.1, 0.3, 0.15);
  return failures;
}
