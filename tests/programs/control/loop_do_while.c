/* A loop that tests at its end, with unknown length. */
#include "../check.h"

static double run(double *x) {
  double s = x[0];
  int n = 0;
  do {
    s = s * x[1] + x[2];
    n++;
  } while (s < 30 && n < 50);
  return s * n;
}

int main(void) {
  CHECK(run, 1.0, 1.5, 0.3);
  CHECK(run, 100.0, 1.5, 0.3);
  CHECK(run, 1.0, 0.5, 0.3);
  return failures;
}
