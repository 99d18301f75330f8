/* A ring of the last numbers, with indices modulo its length, in a loop of unknown length. */
#include "../check.h"

static double ring(double *x) {
  double last[3] = {x[0], x[1], x[2]}, s = 0;
  unsigned at = 0;
  while (s < 25) {
    double next = last[at % 3] * 0.7 + last[(at + 2) % 3] * last[(at + 1) % 3] * 0.3 + 0.4;
    last[at++ % 3] = next;
    s += next;
  }
  return s * last[0] + at;
}

int main(void) {
  CHECK(ring, 0.5, 1.2, 0.7);
  return failures;
}
