/* A counted loop with its own tape inside one of unknown length, inside a counted one. */
#include "../check.h"

static double deep(double *x) {
  double s = 0, y[3] = {x[0], x[1], x[2]};
  for (int i = 0; i < 3; i++) {
    double t = y[i] + 1;
    while (t < 20) {
      for (int k = 0; k < 3; k++) {
        y[k] = y[k] * 0.8 + 0.3 * sin(0.1 * t);
        t += 0.5 * y[k] * y[k] + 0.4;
      }
    }
    s += t * y[i];
  }
  return s;
}

int main(void) {
  CHECK(deep, 0.5, 1.5, 0.7);
  return failures;
}
