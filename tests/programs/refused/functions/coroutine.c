/* EZ0302: two stacks in turn
   expect: reason: it changes the context in which the program goes on */
#include "../../check.h"
#include <ucontext.h>

static ucontext_t outer, inner;
static double *shared;
static char stack[1 << 16];

static void body(void) { shared[0] *= shared[1]; }

static double run(double *x) {
  double work[2] = {x[0], x[1]};
  shared = work;
  inner.uc_stack.ss_sp = stack, inner.uc_stack.ss_size = sizeof stack, inner.uc_link = &outer;
  swapcontext(&outer, &inner);
  return work[0];
}

int main(void) {
  getcontext(&inner);
  makecontext(&inner, body, 0);
  CHECK(run, 0.5, 1.2);
  return failures;
}
