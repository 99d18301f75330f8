/* Numbers in thread-local variables: of one's own, and in a function. */
_Thread_local double state_shadow[2], total_shadow, before_shadow __asm__("step.before_shadow");
#define BEFORE_REQUEST state_shadow[0] = state_shadow[1] = total_shadow = before_shadow = 0
#include "../check.h"

static _Thread_local double state[2];
_Thread_local double total;

NOINLINE static double step(double v) {
  static _Thread_local double before;
  double r = v * before + state[0];
  before = v;
  return r;
}

static double run(double *x) {
  state[0] = x[0] * x[1], state[1] = x[2], total = 0;
  step(0);
  for (int i = 0; i < 4; i++) {
    total += step(state[i & 1] * x[i % 3]);
    state[1] = total * x[1];
  }
  return total * state[1];
}

int main(void) {
  CHECK(run, 0.5, 1.2, -0.7);
  CHECK(run, 0.5, 1.2, -0.7);
  return failures;
}
