/* Work space in the heap whose address a global keeps after the block is freed: allocated anew before it is read; large
 * blocks, whose pages are gone then; and one that a gradient frees. */
#include "../check.h"

static double *work;
static int n;

NOINLINE static double sum_of_work(double *x) {
  double s = 0;
  for (int i = 0; i < n; i++)
    work[i] = x[i % 2] * x[0] + (i ? 0.5 * work[i - 1] : 0);
  for (int i = 0; i < n; i++)
    s += sin(work[i]);
  return s;
}
static double anew(double *x) {
  work = malloc(n * sizeof *work);
  double s = sum_of_work(x);
  free(work);
  return s;
}

static double *kept;
static int keeps = 1;
static double frees(double *x) {
  double s = 0;
  for (int i = 0; i < n; i++)
    kept[i] = x[i % 2] * s + x[1], s += cos(kept[i]);
  if (!keeps)
    free(kept);
  return s;
}

int main(void) {
  const int sizes[] = {4, 300, 3, 50000, 2};
  for (int k = 0; k < 5; k++) {
    n = sizes[k];
    CHECK(anew, .4, .5);
  }
  double x[2] = {.4, .5}, g[2] = {0}, v[2] = {1, 0};
  kept = malloc(n * sizeof *kept);
  double d = __enzyme_fwddiff((void *)frees, x, v);
  keeps = 0;
  __enzyme_autodiff((void *)frees, x, g);
  same("freed by the gradient", 0, g[0], d, 1e-12);
  return failures;
}
