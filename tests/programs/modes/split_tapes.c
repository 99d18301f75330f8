/* Tapes: several alive at once, in any order, longer than the function that made them, used again, in memory of the
   program. */
#include "../check.h"

extern int enzyme_tape, enzyme_allocated, enzyme_nofree;
struct taped {
  void *tape;
  double value;
};
extern struct taped __enzyme_augmentfwd(void *, ...);
extern double __enzyme_augmentfwd_placed(void *, ...);
extern double __enzyme_reverse(void *, ...);
extern unsigned long __enzyme_augmentsize(void *, ...);

/* memory of its own on heap and stack: zeroed, filled, never written; a pointer in it */
static double f(double *x, int n) {
  double *sum = calloc(n, sizeof *sum), **row = malloc(sizeof *row), start[4] = {1, 2, 3, 4};
  *row = sum;
  for (int i = 0; i < n; i++) {
    sum[i % 2] += x[i] * x[i];
    start[i % 4] *= x[i];
  }
  double s = (*row)[0] * (*row)[1] + start[1] + exp(start[2] / 100);
  free(sum);
  free(row);
  x[0] = s;
  return s;
}

static NOINLINE double g(double *x, int n) { return n < 3 ? f(x, n) : x[n - 1] * g(x, n - 1); }

enum { N = 5, LIVE = 20 };
static double primal(double *x) { return g(x, N); }

static void point(double *x, int seed) {
  for (int i = 0; i < N; i++)
    x[i] = 1 + 0.1 * i + 0.01 * seed;
}

static void check(double *dx, int seed, double factor) {
  double x[N];
  point(x, seed);
  for (int i = 0; i < N; i++)
    same("gradient", i, dx[i], factor * check_difference(primal, x, N, i), 1e-7);
}

static NOINLINE void *start(double *x, int seed) {
  double dx[N] = {0};
  point(x, seed);
  return __enzyme_augmentfwd((void *)g, enzyme_dup, x, dx, N).tape;
}

static void several(void) {
  void *tapes[LIVE];
  double x[LIVE][N];
  for (int k = 0; k < LIVE; k++)
    tapes[k] = start(x[k], k);
  for (int k = 0; k < LIVE; k++) {
    int m = k * 7 % LIVE;
    double dx[N] = {0};
    __enzyme_reverse((void *)g, enzyme_dup, x[m], dx, N, 1.0, tapes[m]);
    check(dx, m, 1);
  }
}

static void again(void) {
  double x[N];
  void *tape = start(x, 3);
  for (int k = 1; k < 4; k++) {
    double dx[N] = {0};
    __enzyme_reverse((void *)g, enzyme_nofree, enzyme_dup, x, dx, N, (double)k, tape);
    check(dx, 3, k);
  }
  double dx[N] = {0};
  __enzyme_reverse((void *)g, enzyme_dup, x, dx, N, 9.0, tape);
  check(dx, 3, 9);
}

static void placed(void) {
  unsigned long size = __enzyme_augmentsize((void *)g, enzyme_dup, enzyme_const);
  void *memory = malloc(size);
  SAME(size, __enzyme_augmentsize((void *)g, enzyme_dup));
  char buffer[512];
  double x[N], dx[N] = {0};
  point(x, 1);
  double v = __enzyme_augmentfwd_placed((void *)g, enzyme_allocated, size, enzyme_tape, memory, enzyme_dup, x, dx, N);
  SAME(v, x[N - 1] * x[N - 2] * x[N - 3] * x[0]);
  __enzyme_reverse((void *)g, enzyme_allocated, size, enzyme_tape, memory, enzyme_dup, x, dx, N, 1.0);
  check(dx, 1, 1);
  free(memory);
  memset(dx, 0, sizeof dx);
  point(x, 2);
  __enzyme_augmentfwd_placed((void *)g, enzyme_allocated, sizeof buffer, enzyme_tape, buffer, enzyme_dup, x, dx, N);
  __enzyme_reverse((void *)g, enzyme_dup, x, dx, N, 1.0, buffer);
  check(dx, 2, 1);
}

int main(void) {
  several();
  again();
  placed();
  return failures;
}
