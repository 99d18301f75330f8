// The distance and azimuth between two places on an ellipsoid: the ellipsoid with its series is the handle.
#include "check.h"
#include <GeographicLib/Geodesic.hpp>
using GeographicLib::Geodesic;

static Geodesic *before;

static double measured(const Geodesic &ellipsoid, const double *x) {
  double distance, first, second, latitude, longitude;
  ellipsoid.Inverse(x[0], x[1], x[2], x[3], distance, first, second);
  ellipsoid.Direct(x[0], x[1], first + x[3], 1e6 + distance, latitude, longitude);
  return 1e-6 * distance + 0.1 * second + latitude + 0.3 * longitude;
}

static double outside(double *x) { return measured(*before, x); }
static double inside(double *x) { return measured(Geodesic(6378137, 1 / (298 + x[4])), x); }

int main() {
  before = new Geodesic(6378137, 1 / 298.257223563);
  CHECK_HANDLE(inside, outside, 40.6, -73.8, 51.6, -0.5, 0.257223563);
  return failures;
}
