/* Threads add plainly to shadows that lie apart, and atomically to those that overlap; only the run tells which.
 * flags: -fopenmp */
#include "../check.h"
#include <omp.h>

enum { N = 4000 };

static NOINLINE void kernel(long n, double *x, double *w, double *y) {
#pragma omp parallel for schedule(static, 1)
  for (long i = 0; i < n; i++)
    y[i] = sin(x[i]) * w[i];
}

static double numbers[2 * N], shadow[2 * N], y[N], dy[N];

/* w begins `shift` numbers behind x. */
static void shifted(long shift) {
  for (int i = 0; i < 2 * N; i++) {
    numbers[i] = 0.001 * i;
    shadow[i] = 0;
  }
  for (int i = 0; i < N; i++)
    dy[i] = 1 + i % 3;
  __enzyme_autodiff((void *)kernel, (long)N, numbers, shadow, numbers + shift, shadow + shift, y, dy);
  double worst = 0;
  for (long i = 0; i < 2 * N; i++) {
    double want = i < N ? (1 + i % 3) * cos(numbers[i]) * numbers[i + shift] : 0;
    long k = i - shift;
    if (k >= 0 && k < N)
      want += (1 + k % 3) * sin(numbers[k]);
    worst = fmax(worst, fabs(want - shadow[i]));
  }
  same("shift", (int)shift, worst, 0, 1e-12);
}

int main(void) {
  for (int threads = 1; threads <= 8; threads *= 2) {
    omp_set_num_threads(threads);
    for (int again = 0; again < 20; again++) {
      shifted(0);
      shifted(1);
      shifted(N - 1);
      shifted(N);
    }
  }
  return failures;
}
