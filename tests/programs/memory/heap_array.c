/* malloc, in-place work on it, free. */
#include "../check.h"

static double heap(double *x) {
  double *t = malloc(4 * sizeof *t), s = 0;
  for (int i = 0; i < 4; i++)
    t[i] = x[i] * x[(i + 1) % 4];
  for (int k = 0; k < 3; k++)
    for (int i = 0; i < 4; i++) {
      t[i] = t[i] * t[i] * 0.1;
      s += t[i] * x[i];
    }
  free(t);
  return s;
}

int main(void) {
  CHECK(heap, 1.1, 2.0, 1.3, 0.4);
  return failures;
}
