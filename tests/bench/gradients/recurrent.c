/* A recurrent cell: a dense matrix times a state that each step overwrites in place. Without restrict each store to one
 * buffer might change the others, which the gradient would have to allow for, as the one by hand does not. */
#include "bench.h"

enum { N = 120, STEPS = 200 };

__attribute__((noinline)) static double cell(const double *restrict w, const double *restrict x,
                                                        double *restrict h, double *restrict next, int n, int steps) {
  for (int t = 0; t < steps; t++) {
    for (int i = 0; i < n; i++) {
      double s = x[t * n + i];
      for (int j = 0; j < n; j++)
        s += w[i * n + j] * h[j];
      next[i] = tanh(s);
    }
    for (int i = 0; i < n; i++)
      h[i] = next[i];
  }
  double loss = 0;
  for (int i = 0; i < n; i++)
    loss += h[i] * h[i];
  return loss;
}

static void cell_by_hand(const double *w, double *dw, const double *x, double *h, double *next, int n, int steps) {
  double *log = malloc((steps + 1) * n * sizeof *log), *dh = calloc(n, sizeof *dh), *ds = malloc(n * sizeof *ds);
  memcpy(log, h, n * sizeof *h);
  for (int t = 0; t < steps; t++) {
    for (int i = 0; i < n; i++) {
      double s = x[t * n + i];
      for (int j = 0; j < n; j++)
        s += w[i * n + j] * h[j];
      next[i] = tanh(s);
    }
    memcpy(h, next, n * sizeof *h);
    memcpy(log + (t + 1) * n, h, n * sizeof *h);
  }
  for (int i = 0; i < n; i++)
    dh[i] = 2 * h[i];
  for (int t = steps; t-- > 0;) {
    const double *after = log + (t + 1) * n, *before = log + t * n;
    for (int i = 0; i < n; i++)
      ds[i] = dh[i] * (1 - after[i] * after[i]), dh[i] = 0;
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        dw[i * n + j] += ds[i] * before[j];
        dh[j] += ds[i] * w[i * n + j];
      }
  }
  free(log), free(dh), free(ds);
}

static double *w, *x, *h, *next, *dw, *dw_hand, *dh, *dnext;

static void start(void) {
  for (int i = 0; i < N; i++)
    h[i] = 0.1 * i / N, dh[i] = dnext[i] = 0;
}
static void primal(void) {
  start();
  cell(w, x, h, next, N, STEPS);
}
static void gradient(void) {
  start();
  memset(dw, 0, N * N * sizeof *dw);
  __enzyme_autodiff((void *)cell, enzyme_dup, w, dw, enzyme_const, x, enzyme_dup, h, dh, enzyme_dup, next, dnext, N, STEPS);
}
static void hand(void) {
  start();
  memset(dw_hand, 0, N * N * sizeof *dw_hand);
  cell_by_hand(w, dw_hand, x, h, next, N, STEPS);
}

int main(void) {
  w = numbers(N * N, -1. / N, 1. / N), x = numbers(N * STEPS, -1, 1), h = numbers(N, 0, 0), next = numbers(N, 0, 0);
  dw = numbers(N * N, 0, 0), dw_hand = numbers(N * N, 0, 0), dh = numbers(N, 0, 0), dnext = numbers(N, 0, 0);
  return report(primal, gradient, hand, dw, dw_hand, N * N, (STEPS + 1) * N * sizeof(double));
}
