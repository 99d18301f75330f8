/* Irreducible loops in a loop, with memory written in each. */
#include "../check.h"

static double tangled(double *x) {
  double y[4] = {x[0], x[1], x[2], x[3]}, s = 0;
  for (int r = 0; r < 3; r++) {
    int i = r;
    if (y[r] > 1)
      goto b;
  a:
    y[i & 3] *= y[(i + 1) & 3] * 0.5;
    i++;
  b:
    y[(i + 2) & 3] += sin(y[i & 3]);
    i++;
    if (i < 6)
      goto a;
    if (i == 6)
      goto b;
    s += y[r];
  }
  return s * y[3];
}

int main(void) {
  CHECK(tangled, 1.1, 0.5, 1.3, 0.4);
  CHECK(tangled, 0.1, 1.5, 0.3, 1.4);
  return failures;
}
