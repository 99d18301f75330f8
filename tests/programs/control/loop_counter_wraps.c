/* Unsigned counters that jump over their bound and go round. */
#include "../check.h"

static double round_and_round(double *x) {
  double s = x[0];
  for (unsigned char c = 3; c < 250; c += 41)
    s = sin(s + x[1] * c);
  for (unsigned char c = 0; c != 1; c += 3)
    s += cos(s * x[1]) * 0.1;
  for (unsigned c = 10; c - 4 < 1000; c -= 3)
    s = s * 0.9 + x[1];
  return s;
}

int main(void) {
  CHECK(round_and_round, 0.612, 0.0834);
  return failures;
}
