/* malloc, calloc and free in a loop of unknown length; a block outlives its iteration. */
#include "../check.h"

static double heap(double *x) {
  double s = x[0], *old = NULL;
  for (int i = 0; s < 20; i++) {
    double *now = calloc(3, sizeof *now);
    for (int k = 0; k < 3; k++)
      now[k] += s * x[k] + (old ? old[k] : 1);
    s += now[i % 3];
    free(old);
    old = now;
  }
  s *= old ? old[1] : 2;
  free(old);
  return s;
}

int main(void) {
  CHECK(heap, 0.5, 1.5, 0.7);
  CHECK(heap, 25.0, 1.5, 0.7);
  return failures;
}
