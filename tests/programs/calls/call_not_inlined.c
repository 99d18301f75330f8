/* A function that reads and writes through pointers and is called in a loop. */
#include "../check.h"

NOINLINE static double mix(double *state, double w, int k) {
  double old = state[k];
  state[k] = tanh(old * w + state[(k + 1) % 3]);
  return old * state[k];
}

static double run(double *x) {
  double y[3] = {x[0], x[1], x[2]}, s = 0;
  for (int i = 0; i < 7; i++)
    s += mix(y, s * 0.1 + x[0], i % 3);
  return s + mix(x, 2, 1);
}

int main(void) {
  CHECK(run, 0.5, 1.2, 0.7);
  return failures;
}
