/* Programs around FFTW's plans: made in loops and branches, kept in handles and static variables, measured after the input
 * is filled, executed several times; convolutions; second derivatives and several directions at once.
 * flags: -lfftw3_threads -lfftw3 -lm */
#include "../../check.h"
#include <complex.h>
#include <fftw3.h>

enum { N = 6 };

static double power(const fftw_complex *a, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += (i + 1) * cabs(a[i]) * cabs(a[i]) + creal(a[i]) * 0.3;
  return s;
}

/* x convolved with itself, by real transforms in place */
static double convolved(double *x) {
  double *a = fftw_alloc_real(2 * (N / 2 + 1));
  fftw_plan to = fftw_plan_dft_r2c_1d(N, a, (fftw_complex *)a, FFTW_ESTIMATE);
  fftw_plan from = fftw_plan_dft_c2r_1d(N, (fftw_complex *)a, a, FFTW_ESTIMATE);
  for (int i = 0; i < N; i++) a[i] = x[i];
  fftw_execute(to);
  fftw_complex *c = (fftw_complex *)a;
  for (int i = 0; i <= N / 2; i++) c[i] = c[i] * c[i] / N;
  fftw_execute(from);
  double s = 0;
  for (int i = 0; i < N; i++) s += a[i] * sin(i + 1.0) + x[i] * a[N - 1 - i];
  fftw_destroy_plan(to), fftw_destroy_plan(from);
  fftw_free(a);
  return s;
}

/* plans of different sizes in a loop; some are not executed, some twice */
static double in_loops(double *x) {
  double s = 0;
  for (int n = 2; n <= N; n++) {
    fftw_complex *in = fftw_malloc(n * sizeof *in), *out = fftw_malloc(n * sizeof *out);
    fftw_plan p = fftw_plan_dft_1d(n, in, out, n % 2 ? FFTW_FORWARD : FFTW_BACKWARD, FFTW_ESTIMATE);
    for (int i = 0; i < n; i++) in[i] = x[i] * x[n - 1 - i] + I * x[i], out[i] = x[i];
    for (int k = 0; k < n % 3; k++) {
      fftw_execute(p);
      for (int i = 0; i < n; i++) in[i] = in[i] * 0.5 + out[i] * x[0];
    }
    s += power(out, n) + power(in, n);
    fftw_destroy_plan(p);
    fftw_free(in), fftw_free(out);
  }
  return s;
}

/* a plan that the first call makes, for arrays of its own */
static double lazy(double *x) {
  static fftw_plan plan;
  static double in[N], out[N];
  if (!plan) plan = fftw_plan_r2r_1d(N, in, out, FFTW_REDFT10, FFTW_ESTIMATE);
  for (int i = 0; i < N; i++) in[i] = x[i] * x[i];
  fftw_execute(plan);
  double s = 0;
  for (int i = 0; i < N; i++) s += out[i] * out[i] * (i + 1);
  return s;
}

/* a planner may overwrite its arrays; what the program stored there before is still the past of the derivative */
static double measured(double *x) {
  double in[N], out[N], s = 0, add, multiply, fused;
  for (int i = 0; i < N; i++) in[i] = x[i] * x[i];
  for (int i = 0; i < N; i++) s += in[i] * in[i] * in[i];
  fftw_plan p = fftw_plan_r2r_1d(N, in, out, FFTW_DHT, FFTW_MEASURE);
  for (int i = 0; i < N; i++) in[i] = sin(x[i]);
  fftw_execute(p);
  fftw_flops(p, &add, &multiply, &fused);
  for (int i = 0; i < N; i++) s += out[i] * in[i] * out[i] + (add < 0);
  fftw_destroy_plan(p);
  return s;
}

/* the user's handle: its shadow has a plan of the shadows */
struct spectrum {
  fftw_plan plan;
  fftw_complex *in, *out;
  int n;
};
static void open_spectrum(struct spectrum *s) {
  s->n = N;
  s->in = fftw_alloc_complex(N), s->out = fftw_alloc_complex(N);
  memset(s->in, 0, N * sizeof *s->in), memset(s->out, 0, N * sizeof *s->out);
  s->plan = fftw_plan_dft_1d(N, s->in, s->out, FFTW_FORWARD, FFTW_ESTIMATE);
}
static void close_spectrum(struct spectrum *s) {
  fftw_destroy_plan(s->plan);
  fftw_free(s->in), fftw_free(s->out);
}
static double by_handle(struct spectrum *s, double *x) {
  for (int i = 0; i < s->n; i++) s->in[i] = x[i] * x[i];
  fftw_execute(s->plan);
  double sum = power(s->out, s->n);
  for (int i = 0; i < s->n; i++) s->out[i] *= x[i];
  fftw_execute_dft(s->plan, s->out, s->in);
  return sum + power(s->in, s->n);
}
static double with_handle(double *x) {
  struct spectrum s;
  open_spectrum(&s);
  double sum = by_handle(&s, x);
  close_spectrum(&s);
  return sum;
}

/* a plan that is constant, for arrays with shadows: the run finds these by the arrays' addresses */
static double by_plan(fftw_plan p, double *x, fftw_complex *in, fftw_complex *out) {
  for (int i = 0; i < N; i++) in[i] = x[i] * x[i];
  fftw_execute(p);
  return power(out, N);
}
static double with_plan(double *x) {
  fftw_complex in[N], out[N];
  fftw_plan p = fftw_plan_dft_1d(N, in, out, FFTW_FORWARD, FFTW_ESTIMATE);
  double s = by_plan(p, x, in, out);
  fftw_destroy_plan(p);
  return s;
}

static void gradient(double *x, double *dx) { __enzyme_autodiff((void *)convolved, x, dx); }

extern int enzyme_width;
extern void __enzyme_fwddiff_void(void *, ...);
struct two {
  double by[2];
};
extern struct two __enzyme_fwddiff_two(void *, ...);

int main(void) {
  fftw_init_threads();
  fftw_plan_with_nthreads(2);
  CHECK(convolved, 0.3, -1.2, 0.7, 1.1, 0.4, -0.6);
  CHECK(in_loops, 0.3, -1.2, 0.7, 1.1, 0.4, -0.6);
  CHECK(lazy, 0.3, -1.2, 0.7, 1.1, 0.4, -0.6);
  CHECK(measured, 0.3, -1.2, 0.7, 1.1, 0.4, -0.6);
  CHECK(with_plan, 0.3, -1.2, 0.7, 1.1, 0.4, -0.6);
  CHECK(with_handle, 0.3, -1.2, 0.7, 1.1, 0.4, -0.6);

  double x[N] = {0.3, -1.2, 0.7, 1.1, 0.4, -0.6}, dx[N] = {0}, v[N] = {1, 0, 2, 0, -1, 0}, w[N] = {0, 1, 0, 0, 1, 3};
  struct spectrum s, ds;
  open_spectrum(&s), open_spectrum(&ds);
  __enzyme_autodiff((void *)by_handle, &s, &ds, x, dx);
  double wanted[N] = {0};
  __enzyme_autodiff((void *)with_handle, x, wanted);
  for (int i = 0; i < N; i++) SAME(dx[i], wanted[i]);
  close_spectrum(&s), close_spectrum(&ds);

  fftw_complex in[N], out[N], din[N], dout[N];
  fftw_plan p = fftw_plan_dft_1d(N, in, out, FFTW_FORWARD, FFTW_ESTIMATE);
  memset(din, 0, sizeof din), memset(dout, 0, sizeof dout), memset(dx, 0, sizeof dx), memset(wanted, 0, sizeof wanted);
  __enzyme_autodiff((void *)by_plan, enzyme_const, p, x, dx, in, din, out, dout);
  __enzyme_autodiff((void *)with_plan, x, wanted);
  for (int i = 0; i < N; i++) SAME(dx[i], wanted[i]);
  memset(din, 0, sizeof din), memset(dout, 0, sizeof dout);
  double slope = 0;
  for (int i = 0; i < N; i++) slope += dx[i] * v[i];
  SAME(__enzyme_fwddiff((void *)by_plan, enzyme_const, p, x, v, in, din, out, dout), slope);
  fftw_destroy_plan(p);

  struct two along = __enzyme_fwddiff_two((void *)convolved, enzyme_width, 2, x, v, w);
  double by[2] = {0, 0}, g[N] = {0}, up[N] = {0}, down[N] = {0}, h[N] = {0};
  gradient(x, g);
  for (int i = 0; i < N; i++) by[0] += g[i] * v[i], by[1] += g[i] * w[i];
  SAME(along.by[0], by[0]);
  SAME(along.by[1], by[1]);

  double unused[N] = {0};
  __enzyme_fwddiff_void((void *)gradient, x, v, unused, h);
  double y[N];
  for (int i = 0; i < N; i++) y[i] = x[i] + 1e-4 * v[i];
  gradient(y, up);
  for (int i = 0; i < N; i++) y[i] = x[i] - 1e-4 * v[i];
  gradient(y, down);
  for (int i = 0; i < N; i++) SAME(h[i], (up[i] - down[i]) / 2e-4);
  fftw_cleanup_threads();
  return failures;
}
