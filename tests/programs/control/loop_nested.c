/* Loops in loops whose lengths depend on each other. */
#include "../check.h"

static double nest(double *x) {
  double s = 0;
  for (int i = 0; i < 4; i++) {
    double t = x[i];
    for (int j = i; j < 4; j++) {
      t = t * x[j] * 0.5 + 1;
      for (int k = j; k >= i; k -= 2)
        t += sin(x[k] * t);
    }
    s += t * t;
  }
  return s;
}

int main(void) {
  CHECK(nest, 0.5, 1.5, -0.7, 1.1);
  return failures;
}
