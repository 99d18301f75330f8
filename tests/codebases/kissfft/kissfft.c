/* KISS FFT by its sources: a circular convolution by complex transforms of mixed radix, and the power of a real signal. */
#include "check.h"
#include <kiss_fftr.h>
#include <stdlib.h>

enum { N = 30, HALF = N / 2 + 1 };

static double convolved(double *p) {
  kiss_fft_cfg forward = kiss_fft_alloc(N, 0, NULL, NULL), back = kiss_fft_alloc(N, 1, NULL, NULL);
  kiss_fft_cpx a[N], b[N], fa[N], fb[N];
  double s = 0;
  for (int i = 0; i < N; i++) {
    a[i].r = sin(p[0] * i), a[i].i = p[1] * cos(0.3 * i);
    b[i].r = exp(-p[2] * i), b[i].i = 0;
  }
  kiss_fft(forward, a, fa);
  kiss_fft(forward, b, fb);
  for (int i = 0; i < N; i++) {
    a[i].r = fa[i].r * fb[i].r - fa[i].i * fb[i].i;
    a[i].i = fa[i].r * fb[i].i + fa[i].i * fb[i].r;
  }
  kiss_fft(back, a, b);
  for (int i = 0; i < N; i++) s += (b[i].r * b[i].r + i * b[i].i) / (N * N);
  free(forward);
  free(back);
  return s;
}

static double power(double *p) {
  kiss_fftr_cfg forward = kiss_fftr_alloc(N, 0, NULL, NULL);
  double x[N], s = 0;
  kiss_fft_cpx f[HALF];
  for (int i = 0; i < N; i++) x[i] = p[1] * sin(p[0] * i) + p[2];
  kiss_fftr(forward, x, f);
  for (int i = 0; i < HALF; i++) s += i * (f[i].r * f[i].r + f[i].i * f[i].i) / N;
  free(forward);
  return s;
}

int main(void) {
  CHECK(convolved, 0.7, 1.3, 0.2);
  CHECK(power, 0.7, 1.3, 0.2);
  return failures;
}
