/* Recursive functions in several directions at once, and in two halves: the same as one direction after the other. */
#include "../check.h"

extern int enzyme_width, enzyme_dupv;
enum { N = 4, DIRECTIONS = 3 };
typedef struct {
  double d[DIRECTIONS];
} Directions;
extern void __enzyme_autodiff_wide(void *, ...);
extern Directions __enzyme_fwddiff_wide(void *, ...);
extern void *__enzyme_augmentfwd_wide(void *, ...);
extern void __enzyme_reverse_wide(void *, ...);

NOINLINE static double chain(const double *x, int n) {
  if (n == 0)
    return x[0];
  double r = chain(x, n - 1);
  return sin(r) * x[n & 3] + 0.5 * r;
}
NOINLINE static double summed(const double *x, int n) { return n == 0 ? x[0] : 0.5 * summed(x, n - 1) + x[n & 3] * x[n & 3]; }
NOINLINE static void fold(double *y, const double *x, int n) {
  if (n == 0)
    return;
  y[0] = y[0] * x[n & 3] + y[1];
  fold(y, x, n - 1);
  y[1] += sin(y[0]) * chain(x, n & 1) + y[2];
  y[2] = summed(x, n) * y[1];
}

static void run(const double *x, double *y) {
  y[0] = x[0], y[1] = x[1] * x[2], y[2] = 1;
  fold(y, x, 5);
  y[0] += chain(x, 7) * summed(x, 6);
}
static double run_scalar(double *x) {
  double y[3];
  run(x, y);
  return y[0] * y[1] + y[2];
}

static void compare(const double *got, const double *want) {
  for (int i = 0; i < N; i++)
    SAME(got[i], want[i]);
}

int main(void) {
  double x[N] = {0.9, 1.2, 0.7, 0.4}, y[3], one[DIRECTIONS][N] = {0}, all[DIRECTIONS][N] = {0}, halves[DIRECTIONS][N] = {0};
  double seeds[DIRECTIONS][3];
  for (int k = 0; k < DIRECTIONS; k++) {
    double seed[3] = {k == 0, k == 1, k == 2};
    __enzyme_autodiff((void *)run, enzyme_dup, x, one[k], enzyme_dup, y, seed);
  }
  memset(seeds, 0, sizeof seeds);
  seeds[0][0] = seeds[1][1] = seeds[2][2] = 1;
  __enzyme_autodiff_wide((void *)run, enzyme_width, DIRECTIONS, enzyme_dup, x, all[0], all[1], all[2], enzyme_dup, y, seeds[0],
                         seeds[1], seeds[2]);
  memset(seeds, 0, sizeof seeds);
  seeds[0][0] = seeds[1][1] = seeds[2][2] = 1;
  void *tape = __enzyme_augmentfwd_wide((void *)run, enzyme_width, DIRECTIONS, enzyme_dup, x, halves[0], halves[1], halves[2],
                                        enzyme_dup, y, seeds[0], seeds[1], seeds[2]);
  __enzyme_reverse_wide((void *)run, enzyme_width, DIRECTIONS, enzyme_dup, x, halves[0], halves[1], halves[2], enzyme_dup, y,
                        seeds[0], seeds[1], seeds[2], tape);
  for (int k = 0; k < DIRECTIONS; k++) {
    compare(all[k], one[k]);
    compare(halves[k], one[k]);
  }
  double gradient[N] = {0}, v[DIRECTIONS][N];
  __enzyme_autodiff((void *)run_scalar, x, gradient);
  for (int k = 0; k < DIRECTIONS; k++)
    for (int i = 0; i < N; i++)
      v[k][i] = check_number(k * N + i);
  Directions d = __enzyme_fwddiff_wide((void *)run_scalar, enzyme_width, DIRECTIONS, enzyme_dup, x, v[0], v[1], v[2]);
  for (int k = 0; k < DIRECTIONS; k++) {
    double want = 0;
    for (int i = 0; i < N; i++)
      want += gradient[i] * v[k][i];
    SAME(d.d[k], want);
  }
  CHECK(run_scalar, 0.9, 1.2, 0.7, 0.4);
  return failures;
}
