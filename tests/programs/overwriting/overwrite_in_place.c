/* A state overwritten again and again, in memory of the caller, read before and after. */
#include "../check.h"

static double run(double *x) {
  double s = 0;
  for (int t = 0; t < 4; t++) {
    for (int i = 0; i < 4; i++)
      x[i] = tanh(x[i] * 1.5 + x[(i + 1) % 4] * 0.5);
    s += x[t] * x[t];
  }
  x[2] = 5;
  return s * x[1] + x[2];
}

int main(void) {
  CHECK(run, 0.5, 1.5, -0.7, 1.1);
  return failures;
}
