/* The bytes of numbers in another order, as for a file, and back. */
#include "../check.h"

static void reverse(const char *from, char *to) {
  for (int k = 0; k < 8; k++)
    to[k] = from[7 - k];
}

static double run(double *x) {
  char raw[24];
  double s = 0;
  for (int i = 0; i < 3; i++) {
    double v = x[i] * x[0];
    reverse((const char *)&v, raw + 8 * i);
  }
  for (int i = 0; i < 3; i++) {
    double v;
    reverse(raw + 8 * i, (char *)&v);
    s += v * v;
  }
  return s;
}

int main(void) {
  CHECK(run, 0.5, 1.2, -0.7);
  return failures;
}
