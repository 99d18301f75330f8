/* Plans that are made outside for arrays that are made outside: in global variables, behind a global pointer, in a context
 * that is passed as a constant. The plan leads to memory whose shadows only the run knows.
 * flags: -lfftw3 -lm */
#include "../../check.h"
#include <complex.h>
#include <fftw3.h>

enum { N = 6 };
extern int enzyme_width;
struct two {
  double by[2];
};
extern struct two __enzyme_fwddiff_two(void *, ...);
extern void *__enzyme_augmentfwd(void *, ...);
extern void __enzyme_reverse(void *, ...);

static double power(const fftw_complex *a, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += (i + 1) * creal(a[i] * conj(a[i])) + cimag(a[i]);
  return s;
}

/* pointers and a plan in global variables */
static fftw_plan plan;
static fftw_complex *in, *out;
static double by_globals(double *x) {
  for (int i = 0; i < N; i++) in[i] = x[i] * x[i] + I * x[(i + 1) % N];
  fftw_execute(plan);
  return power(out, N);
}

/* the same arrays by malloc, from the middle of a block; the output is read by another pointer */
static double *block, *view;
static fftw_plan within;
static double by_view(double *x) {
  for (int i = 0; i < N; i++) block[2 + i] = x[i] * x[0];
  fftw_execute(within);
  double s = 0;
  for (int i = 0; i < N; i++) s += view[i] * view[i] * i + block[i] * block[2 * N + 1 - i];
  return s;
}

/* arrays of fixed size, and an array of plans, in place */
static double fixed[2][N];
static fftw_plan plans[2];
static double by_arrays(double *x) {
  for (int i = 0; i < N; i++) fixed[0][i] = x[i] * x[0], fixed[1][i] = x[i];
  for (int k = 0; k < 2; k++) {
    fftw_execute(plans[k]);
    for (int i = 0; i < N; i++) fixed[k][i] *= fixed[1 - k][N - 1 - i];
  }
  double s = 0;
  for (int i = 0; i < N; i++) s += fixed[0][i] * sin(i) + fixed[1][i] * x[i];
  return s;
}

/* a context that a function makes */
struct context {
  int n;
  double *in;
  fftw_complex *out;
  fftw_plan to, from;
};
static struct context *make(int n) {
  struct context *c = malloc(sizeof *c);
  c->n = n, c->in = fftw_alloc_real(n), c->out = fftw_alloc_complex(n / 2 + 1);
  c->to = fftw_plan_dft_r2c_1d(n, c->in, c->out, FFTW_MEASURE);
  c->from = fftw_plan_dft_c2r_1d(n, c->out, c->in, FFTW_MEASURE);
  return c;
}
static double by_context(struct context *c, double *x) {
  for (int i = 0; i < c->n; i++) c->in[i] = x[i] * x[i];
  fftw_execute(c->to);
  for (int i = 0; i <= c->n / 2; i++) c->out[i] *= c->out[i] / c->n;
  fftw_execute(c->from);
  double s = 0;
  for (int i = 0; i < c->n; i++) s += (i + 1) * c->in[i] * x[i];
  return s;
}
static struct context *kept;
static double by_kept(double *x) { return by_context(kept, x); }
static double by_new(double *x) { return by_context(make(N), x); }

/* the plan and its arrays as arguments, constant or not */
static double by_arguments(fftw_plan p, double *x, double *from, double *to) {
  for (int i = 0; i < N; i++) from[i] = x[i] * x[0];
  fftw_execute(p);
  return to[0] * to[1] + to[2];
}

int main(void) {
  in = fftw_malloc(N * sizeof *in), out = fftw_alloc_complex(N);
  plan = fftw_plan_dft_1d(N, in, out, FFTW_FORWARD, FFTW_ESTIMATE);
  block = calloc(2 * N + 4, sizeof *block), view = block + N + 3;
  within = fftw_plan_r2r_1d(N, block + 2, view, FFTW_REDFT10, FFTW_ESTIMATE | FFTW_UNALIGNED);
  for (int k = 0; k < 2; k++) plans[k] = fftw_plan_r2r_1d(N, fixed[k], fixed[k], k ? FFTW_DHT : FFTW_RODFT00, FFTW_ESTIMATE);
  kept = make(N);
  CHECK(by_globals, 0.3, -1.2, 0.7, 1.1, 0.4, -0.6);
  CHECK(by_view, 0.3, -1.2, 0.7, 1.1, 0.4, -0.6);
  CHECK(by_arrays, 0.3, -1.2, 0.7, 1.1, 0.4, -0.6);
  CHECK(by_kept, 0.3, -1.2, 0.7, 1.1, 0.4, -0.6);

  double x[N] = {0.3, -1.2, 0.7, 1.1, 0.4, -0.6}, v[N] = {1, 0, 2, 0, -1, 0}, w[N] = {0, 1, 0, 0, 1, 3};
  double wanted[N] = {0}, dx[N] = {0}, split[N] = {0};
  __enzyme_autodiff((void *)by_new, x, wanted);
  __enzyme_autodiff((void *)by_context, enzyme_const, kept, x, dx);
  void *tape = __enzyme_augmentfwd((void *)by_context, enzyme_const, kept, x, split);
  __enzyme_reverse((void *)by_context, enzyme_const, kept, x, split, 1.0, tape);
  struct two along = __enzyme_fwddiff_two((void *)by_context, enzyme_width, 2, enzyme_const, kept, x, v, w);
  double by[2] = {0, 0};
  for (int i = 0; i < N; i++) {
    SAME(dx[i], wanted[i]);
    SAME(split[i], wanted[i]);
    by[0] += wanted[i] * v[i], by[1] += wanted[i] * w[i];
  }
  SAME(along.by[0], by[0]);
  SAME(along.by[1], by[1]);

  double from[N], to[N], dfrom[N], dto[N], y[N] = {1, 2, 3, 4, 0, 0}, found[4][N] = {{0}};
  fftw_plan p = fftw_plan_r2r_1d(4, from, to, FFTW_DHT, FFTW_ESTIMATE);
  memset(dfrom, 0, sizeof dfrom), memset(dto, 0, sizeof dto);
  __enzyme_autodiff((void *)by_arguments, enzyme_const, p, y, found[0], from, dfrom, to, dto);
  __enzyme_autodiff((void *)by_arguments, enzyme_const, p, y, found[1], from, dfrom, enzyme_const, to);
  __enzyme_autodiff((void *)by_arguments, enzyme_const, p, y, found[2], enzyme_const, from, to, dto);
  __enzyme_autodiff((void *)by_arguments, enzyme_const, p, y, found[3], enzyme_const, from, enzyme_const, to);
  double analytic[4] = {-75, 5, -13, -15};
  for (int k = 0; k < 4; k++)
    for (int i = 0; i < 4; i++) SAME(found[k][i], analytic[i]);
  return failures;
}
