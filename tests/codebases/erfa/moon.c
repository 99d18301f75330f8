/* The Moon's position and velocity (eraMoon98), the Earth's (eraEpv00) and the time between two scales by the date. */
#include "check.h"
#include <erfa.h>

static double f(double *x) {
  double moon[2][3], heliocentric[2][3], barycentric[2][3], s = 0;
  eraMoon98(2400000.5, 43999.9 + x[0], moon);
  eraEpv00(2400000.5, 53411.5 + x[0], heliocentric, barycentric);
  for (int i = 0; i < 3; i++)
    s += 100 * moon[0][i] * (i + 1) + heliocentric[0][i] * barycentric[1][i];
  return s + 1e3 * eraDtdb(2448939.5, 0.123 + x[0], 0.76543, x[1], x[2], x[3]);
}

int main(void) {
  CHECK(f, 0.31, 5.0123, 5525.242, 3190);
  return failures;
}
