/* Functions of the C library that other code stores, bitcode and native code: math, memory, sorting, comparison. */
#include "../../check.h"
#include "hooks.h"

static hooks *used;

int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double through_hooks(double *x) {
  double *work = used->allocate(3 * sizeof *work), sum;
  for (int i = 0; i < 3; i++)
    work[i] = used->outer(x[i] * x[0]) + used->power(x[i], 1.5) * used->single((float)x[1]);
  used->sort(work, 3, sizeof *work, used->order);
  used->copy(x, work, 2 * sizeof *work);
  sum = work[0] * work[1] + 2 * work[2];
  used->release(work);
  return used->equal("one", "two") ? sum : 0;
}

static double through_table(double *x) { return plain_table[x[0] > 0](x[0]) * plain_table[0](x[1]); }

/* The derivative by x[i], in single precision where sinf and cosf are. */
static void check_hooks(hooks *h) {
  double at[] = {1.1, 0.4, 0.7}, gradient[3] = {0};
  used = h;
  for (int i = 0; i < 3; i++) {
    double up[3], down[3], tangent[3] = {0}, step = 1e-3;
    memcpy(up, at, sizeof at), memcpy(down, at, sizeof at);
    up[i] += step, down[i] -= step, tangent[i] = 1;
    double want = (through_hooks(up) - through_hooks(down)) / (2 * step);
    double x[3], forward;
    memcpy(x, at, sizeof at);
    forward = __enzyme_fwddiff((void *)through_hooks, enzyme_dup, x, tangent);
    if (i == 0) {
      memcpy(x, at, sizeof at);
      __enzyme_autodiff((void *)through_hooks, enzyme_dup, x, gradient);
    }
    same("hooks, reverse", i, gradient[i], want, 1e-3);
    same("hooks, forward", i, forward, gradient[i], 1e-6);
  }
  free(h);
}

int main(void) {
  check_hooks(made_hooks());
  check_hooks(native_hooks());
  CHECK(through_table, 0.6, 1.2);
  return failures;
}
