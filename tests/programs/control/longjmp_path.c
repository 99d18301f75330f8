/* Paths that end in longjmp, exit, abort or a failed assertion are not taken. */
#include "../check.h"
#include <assert.h>
#include <setjmp.h>

static jmp_buf back;
static const char *problem;

_Noreturn static void fail(const char *what) {
  problem = what;
  longjmp(back, 1);
}

NOINLINE static double root(double v) {
  if (v < 0)
    fail("negative");
  if (isnan(v))
    exit(3);
  assert(v < 1e6);
  return sqrt(v);
}

static double run(double *x) {
  double s = 0;
  for (int i = 0; i < 3; i++) {
    if (x[i] > 100)
      fail("large");
    s += root(x[i] * x[0]) * x[1];
  }
  return s;
}

int main(void) {
  if (!setjmp(back))
    CHECK(run, 0.5, 1.2, 0.7);
  return failures;
}
