/* goto, break and return out of the inner of two loops. */
#include "../check.h"

static double nest(double *x) {
  double s = 1;
  for (int i = 0; i < 5; i++) {
    for (int j = 0; j < 5; j++) {
      s = s * x[(i + j) % 3] + cos(s);
      if (s > 40)
        goto done;
      if (s < 0.1 && j > 2)
        break;
      if (s < -30)
        return s * x[0];
    }
    s += x[1];
  }
done:
  return s * s;
}

int main(void) {
  CHECK(nest, 1.1, 1.3, 1.2);
  CHECK(nest, 0.2, 0.1, 0.3);
  CHECK(nest, -1.9, 2.1, 2.3);
  return failures;
}
