/* A vector that grows by realloc while its length is not known. */
#include "../check.h"

static double grow(double *x) {
  double *v = NULL, t = x[0];
  int n = 0, room = 0;
  while (t < 30) {
    if (n == room)
      v = realloc(v, (room = room ? 2 * room : 1) * sizeof *v);
    v[n++] = t;
    t = t * x[1] + v[n / 2];
  }
  double s = 0;
  for (int i = 0; i < n; i++)
    s += v[i] * v[n - 1 - i] * x[2];
  free(v);
  return s;
}

int main(void) {
  CHECK(grow, 0.5, 1.2, 0.7);
  return failures;
}
