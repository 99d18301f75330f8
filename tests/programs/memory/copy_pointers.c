/* memcpy and memmove of pointers: their shadows move with them. */
#include "../check.h"

static double copy(double *x) {
  double a[2] = {x[0], x[1]}, b[2] = {x[2], 1};
  double *p[3] = {a, b, x}, *q[3];
  memcpy(q, p, sizeof q);
  *q[1] *= q[0][1];
  memmove(q, q + 1, 2 * sizeof *q);
  q[0][1] += q[1][2] * a[0];
  double **h = malloc(sizeof q);
  memcpy(h, q, sizeof q);
  double s = h[0][0] * h[0][1] + h[1][0] * a[1] + h[2][1];
  free(h);
  return s;
}

int main(void) {
  CHECK(copy, 0.5, 1.5, 0.7);
  return failures;
}
