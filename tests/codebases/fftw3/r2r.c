/* A filter by a real transform and its inverse: a plan is a tree of structs with function pointers. */
#include "check.h"
#include <fftw3.h>
enum { N = 12 };

struct plans { fftw_plan there, back; };
static struct plans before;

static void make(struct plans *plans) {
  double in[N], out[N];
  plans->there = fftw_plan_r2r_1d(N, in, out, FFTW_R2HC, FFTW_ESTIMATE | FFTW_UNALIGNED);
  plans->back = fftw_plan_r2r_1d(N, in, out, FFTW_HC2R, FFTW_ESTIMATE | FFTW_UNALIGNED);
}

static double filtered(const struct plans *plans, const double *x) {
  double in[N], out[N], sum = 0;
  for (int i = 0; i < N; i++)
    in[i] = x[i % 4] * (1 + i) + x[i % 4] * x[(i + 1) % 4];
  fftw_execute_r2r(plans->there, in, out);
  for (int i = 0; i < N; i++)
    out[i] *= out[i] / (1 + i);
  fftw_execute_r2r(plans->back, out, in);
  for (int i = 0; i < N; i++)
    sum += in[i] * sin(i);
  return sum;
}

static double outside(double *x) { return filtered(&before, x); }

static double inside(double *x) {
  struct plans plans;
  make(&plans);
  double value = filtered(&plans, x);
  fftw_destroy_plan(plans.there);
  fftw_destroy_plan(plans.back);
  return value;
}

int main(void) {
  make(&before);
  CHECK_HANDLE(inside, outside, 0.4, -1.1, 0.7, 0.2);
  return failures;
}
