/* Two buffers that change their roles by pointer in each step of time. */
#include "../check.h"

static double heat(double *x) {
  double *now = malloc(6 * sizeof *now), *next = malloc(6 * sizeof *next), s = 0;
  for (int i = 0; i < 6; i++)
    now[i] = next[i] = x[i % 4] * (1 + i);
  for (int t = 0; t < 7; t++) {
    for (int i = 1; i < 5; i++)
      next[i] = now[i] + 0.1 * now[i] * (now[i - 1] - 2 * now[i] + now[i + 1]);
    double *swap = now;
    now = next;
    next = swap;
    s += now[2];
  }
  s *= now[3];
  free(now);
  free(next);
  return s;
}

int main(void) {
  CHECK(heat, 0.5, 0.3, -0.7, 0.1);
  return failures;
}
