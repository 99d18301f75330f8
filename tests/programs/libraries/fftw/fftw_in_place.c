/* Adjoints of transforms that leave their result in the memory of the output: shapes, odd lengths, batches, gaps, the same memory
 * on both sides, memory that overlaps or is not aligned, and half spectra of floats.
 * flags: -lfftw3f -lfftw3 -lm */
#include "../../check.h"
#include <fftw3.h>
enum { BIG = 400 };
static double buf[2 * BIG] __attribute__((aligned(64)));
static fftw_plan p[12];
static double value(const double *y, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += y[i] * y[i] * (1 + i % 5) + y[i] * i;
  return s * 1e-3;
}
static void fill(const double *x, double *y, int n) { for (int i = 0; i < n; i++) y[i] = sin(x[i % 3] * (i + 1)); }
static double f(double *x) {
  double *a = fftw_malloc(8 * BIG), *b = fftw_malloc(8 * BIG), s = 0;
  fill(x, a, BIG); fill(x + 0, b, BIG);
  fftw_execute_dft_r2c(p[0], a, (fftw_complex *)b); s += value(b, 2 * (15 / 2 + 1)); /* 1d odd */
  fftw_execute_dft_r2c(p[1], a, (fftw_complex *)b); s += value(b, 2 * 4 * 4);        /* 2d, 4 by 6 */
  fftw_execute_dft_r2c(p[2], a, (fftw_complex *)b); s += value(b, 2 * 3 * 5);        /* 3 of 8, compact */
  fftw_execute_dft_r2c(p[3], a, (fftw_complex *)b); s += value(b, 100);              /* 3 of 7 with gaps */
  fftw_execute_dft(p[4], (fftw_complex *)a, (fftw_complex *)a); s += value(a, 60);   /* same memory, 3d */
  fftw_execute_dft(p[5], (fftw_complex *)a, (fftw_complex *)b); s += value(b, 60);
  fftw_execute_dft_r2c(p[6], a, (fftw_complex *)a); s += value(a, 2 * 4 * 4);        /* same memory, padded */
  fftw_execute_dft_c2r(p[7], (fftw_complex *)a, a); for (int i = 0; i < 4; i++) s += value(a + 8 * i, 6);
  fill(x, a, BIG);
  fftw_execute_dft_c2r(p[8], (fftw_complex *)a, b); s += value(b, 21); fill(x, a, BIG);
  fftw_execute_dft_r2c(p[9], a + 1, (fftw_complex *)(b + 3)); s += value(b, 20);      /* unaligned */
  fftw_execute_dft_r2c(p[10], a + 30, (fftw_complex *)(a + 50)); s += value(a, 120);  /* beside each other */
  fill(x, buf, BIG);
  fftw_plan q = fftw_plan_dft_1d(9, (fftw_complex *)buf, (fftw_complex *)buf, FFTW_BACKWARD, FFTW_ESTIMATE);
  fftw_execute(q); fftw_execute(q); fftw_destroy_plan(q); s += value(buf, 30) * 0.01;
  fftw_free(a); fftw_free(b);
  return s;
}
static float g(float *x) {
  fftwf_complex *a = fftwf_malloc(sizeof *a * 40), *b = fftwf_malloc(sizeof *a * 40); float *r = (float *)a, s = 0;
  for (int i = 0; i < 40; i++) r[i] = sinf(x[i % 3] * i);
  fftwf_plan q = fftwf_plan_dft_r2c_2d(4, 7, r, b, FFTW_ESTIMATE); fftwf_execute(q); fftwf_destroy_plan(q);
  for (int i = 0; i < 16; i++) s += b[i][0] * b[i][0] + b[i][1] * i; 
  fftwf_free(a); fftwf_free(b); return s * 0.01f;
}
static double twin(double *x) {
  fftw_complex *a = fftw_malloc(sizeof *a * 40), *b = fftw_malloc(sizeof *a * 40); double *r = (double *)a, s = 0;
  for (int i = 0; i < 40; i++) r[i] = sin(x[i % 3] * i);
  fftw_plan q = fftw_plan_dft_r2c_2d(4, 7, r, b, FFTW_ESTIMATE); fftw_execute(q); fftw_destroy_plan(q);
  for (int i = 0; i < 16; i++) s += b[i][0] * b[i][0] + b[i][1] * i;
  fftw_free(a); fftw_free(b); return s * 0.01;
}
int main(void) {
  double *a = fftw_malloc(8 * BIG), *b = fftw_malloc(8 * BIG);
  fftw_complex *ca = (void *)a, *cb = (void *)b;
  unsigned F = FFTW_ESTIMATE;
  int n8 = 8, n7 = 7;
  p[0] = fftw_plan_dft_r2c_1d(15, a, cb, F); p[1] = fftw_plan_dft_r2c_2d(4, 6, a, cb, F);
  p[2] = fftw_plan_many_dft_r2c(1, &n8, 3, a, NULL, 1, 8, cb, NULL, 1, 5, F);
  p[3] = fftw_plan_many_dft_r2c(1, &n7, 3, a, NULL, 2, 17, cb, NULL, 3, 14, F);
  p[4] = fftw_plan_dft_3d(2, 3, 5, ca, ca, FFTW_FORWARD, F); p[5] = fftw_plan_dft_2d(5, 6, ca, cb, FFTW_BACKWARD, F);
  p[6] = fftw_plan_dft_r2c_2d(4, 6, a, ca, F); p[7] = fftw_plan_dft_c2r_2d(4, 6, ca, a, F);
  p[8] = fftw_plan_dft_c2r_1d(21, ca, b, F);
  p[9] = fftw_plan_dft_r2c_1d(16, a, cb, F | FFTW_UNALIGNED); p[10] = fftw_plan_dft_r2c_1d(20, a, cb, F | FFTW_UNALIGNED);
  CHECK(f, 0.4, 0.9, 0.3);
  CHECK_FLOAT(g, twin, 0.4, 0.9, 0.3);
  return failures;
}
