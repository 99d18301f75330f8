/* The observed place of a star (eraAtco13): precession, nutation, aberration, light deflection, refraction. */
#include "check.h"
#include <erfa.h>

static double f(double *x) {
  double azimuth, zenith, hour, declination, right_ascension, origins;
  eraAtco13(x[0], x[1], 1e-5 * x[2], 2e-5, x[3], 20, 2456384.5, 0.969254051, 0.155, -0.5, x[4], 2738, 2e-7, 1.8e-6, 731,
            12.8, 0.59, 0.55, &azimuth, &zenith, &hour, &declination, &right_ascension, &origins);
  return azimuth + 2 * zenith + 0.3 * hour - declination + 0.7 * right_ascension;
}

int main(void) {
  CHECK(f, 2.71, 0.17, 1.3, 0.1, -1.2);
  return failures;
}
