/* Globals written and read by the function and by one that it calls. */
double state_shadow[3], visible_shadow;
#define BEFORE_REQUEST memset(state_shadow, 0, sizeof state_shadow), visible_shadow = 0
#include "../check.h"

static double scale = 2, state[3];
double visible;

NOINLINE static void step(double w) {
  for (int i = 0; i < 3; i++)
    state[i] = state[i] * w + visible * scale;
}

static double run(double *x) {
  for (int i = 0; i < 3; i++)
    state[i] = x[i];
  visible = x[0] * x[1];
  step(x[1]);
  visible *= state[2];
  step(state[1]);
  return state[0] * state[1] + state[2] * visible;
}

int main(void) {
  CHECK(run, 0.5, 1.2, 0.7);
  return failures;
}
