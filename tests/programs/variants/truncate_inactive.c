/* A truncated function calls one that is declared inactive: that is truncated, too, and stays inactive. */
#include "../check.h"

typedef double function(double);
extern function *__enzyme_truncate_op_func(function *, int, int);

static NOINLINE double tenth(double x) { return x / 10; }
void *__enzyme_inactivefn_tenth[] = {(void *)tenth};
static double f(double x) { return x * tenth(x); }
static double truncated(double x) { return __enzyme_truncate_op_func(f, 64, 32)(x); }

int main(void) {
  same("value", 0, truncated(0.75), 0.75f * (0.75f / 10), 0);
  same("derivative", 0, __enzyme_autodiff((void *)truncated, 0.75), 0.75f / 10, 1e-7);
  return failures;
}
