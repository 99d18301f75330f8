/* A loop entered in two places. */
#include "../check.h"

static double tangled(double *x) {
  double s = 1;
  int i = 0;
  if (x[0] > 0)
    goto in;
out:
  s = s * x[i & 3] + sin(s);
  i++;
in:
  s = s * 1.1 + x[(i + 1) & 3];
  i++;
  if (i < 11)
    goto out;
  return s;
}

int main(void) {
  CHECK(tangled, 1.1, 2.0, 1.3, 0.4);
  CHECK(tangled, -1.1, 2.0, 1.3, 0.4);
  return failures;
}
