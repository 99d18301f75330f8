/* Streams write over numbers that carry derivatives, or leave them as they are. */
#include "../../check.h"
#include <sstream>

static double run(double *x) {
  double a[3] = {x[0] * x[1], x[1], x[2]}, s = a[0] * a[1];
  long double small = x[0];
  std::istringstream text("1.5 2.5 0.5");
  for (int i = 0; i < 2; i++) {
    text >> a[i] >> small; /* a[1] takes the last number, and small stays then */
    s += a[i] * a[i] * x[i] + (double)small * x[2];
    a[i] *= x[1];
  }
  text >> a[2]; /* at the end: it stays */
  return s + a[0] * a[1] * a[2];
}

int main() {
  CHECK(run, 0.5, 1.2, -0.7);
  return failures;
}
