/* realloc from a size that is known to one that is larger: as much as there was moves back. */
#include "../check.h"

static double grow(double *x) {
  double *h = malloc(4 * sizeof *h);
  for (int i = 0; i < 4; i++)
    h[i] = x[i];
  h = realloc(h, 7 * sizeof *h);
  h[6] = h[0] * h[3];
  int at = (int)(x[2] * 7) & 3;
  double s = h[at] * h[6];
  h = realloc(h, 3 * sizeof *h);
  s += h[2] * h[1];
  free(h);
  return s;
}

int main(void) {
  CHECK(grow, 0.612, -0.834, 1.127, 0.391);
  CHECK(grow, 0.612, -0.834, 0.127, 0.391);
  return failures;
}
