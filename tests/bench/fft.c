/* The gradient of a sum of squares behind transforms of FFTW, over the primal: 2^20 numbers, the best of some runs. */
#include <enzyme/enzyme.h>
#include <fftw3.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { N = 1 << 20, RUNS = 15 };

static double complex_sum(fftw_plan p, const double *x, double *out) {
  fftw_execute_dft(p, (fftw_complex *)x, (fftw_complex *)out);
  double s = 0;
  for (int i = 0; i < 2 * N; i++) s += out[i] * out[i];
  return s;
}

static double real_sum(fftw_plan p, const double *x, double *out) {
  fftw_execute_dft_r2c(p, (double *)x, (fftw_complex *)out);
  double s = 0;
  for (int i = 0; i < N + 2; i++) s += out[i] * out[i];
  return s;
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

static double best(double so_far, double since) {
  double taken = now() - since;
  return taken < so_far ? taken : so_far;
}

#define COMPARE(NAME, F, P)                                                                                       \
  do {                                                                                                            \
    double primal = 1e9, gradient = 1e9, sum = 0;                                                                 \
    for (int run = 0; run < RUNS; run++) {                                                                        \
      double start = now();                                                                                       \
      sum += F(P, x, out);                                                                                        \
      primal = best(primal, start);                                                                               \
      memset(dx, 0, 2 * N * sizeof *dx), memset(dout, 0, 2 * N * sizeof *dout);                                   \
      start = now();                                                                                              \
      __enzyme_autodiff((void *)F, enzyme_const, P, x, dx, out, dout);                                            \
      gradient = best(gradient, start);                                                                           \
    }                                                                                                             \
    printf("%s: primal %.1f ms, gradient %.1f ms, %.2f times (%g)\n", NAME, primal * 1e3, gradient * 1e3,         \
           gradient / primal, sum);                                                                               \
  } while (0)

int main(int count, char **words) {
  unsigned flags = count > 1 ? FFTW_MEASURE : FFTW_ESTIMATE;
  double *x = fftw_alloc_real(2 * N), *out = fftw_alloc_real(2 * N + 2);
  double *dx = fftw_alloc_real(2 * N), *dout = fftw_alloc_real(2 * N + 2);
  fftw_plan p = fftw_plan_dft_1d(N, (fftw_complex *)x, (fftw_complex *)out, FFTW_FORWARD, flags);
  fftw_plan q = fftw_plan_dft_r2c_1d(N, x, (fftw_complex *)out, flags);
  for (int i = 0; i < 2 * N; i++) x[i] = (i * 37 % 101) / 101.0;
  COMPARE("complex", complex_sum, p);
  COMPARE("real", real_sum, q);
  (void)words;
}
