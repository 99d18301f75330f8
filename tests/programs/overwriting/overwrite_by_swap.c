/* Elements swapped and rotated in place. */
#include "../check.h"

static double rotate(double *x) {
  for (int i = 0; i < 3; i++) {
    double t = x[i];
    x[i] = x[i + 1];
    x[i + 1] = t * x[i];
  }
  for (int i = 0, j = 3; i < j; i++, j--) {
    double t = x[i];
    x[i] = x[j];
    x[j] = t;
  }
  return x[0] * x[0] + x[1] * x[2] + x[3] * 3;
}

int main(void) {
  CHECK(rotate, 0.5, 1.5, -0.7, 1.1);
  return failures;
}
