/* The allocator's code is in an object without bitcode; one more function there is inactive by declaration. */
#include "../../check.h"

extern void *pool_take(size_t size);
extern void pool_give(void *p);
extern void trace(const char *what, double *x);
void *__enzyme_allocation_like_pool[] = {(void *)pool_take, (void *)0, (void *)"-1", (void *)pool_give};
void *__enzyme_inactivefn_trace[] = {(void *)trace};
extern int pool_live;

static double f(double *x) {
  double *y = pool_take(2 * sizeof *y), s;
  y[0] = x[0] * x[1];
  y[1] = y[0] * x[1];
  trace("product", y);
  s = y[0] * y[1];
  pool_give(y);
  return s;
}

int main(void) {
  CHECK(f, 2.0, 3.0);
  SAME(pool_live, 0);
  return failures;
}
