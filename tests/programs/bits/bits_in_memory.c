/* Bits of numbers are changed in memory, and read as numbers again. */
#include "../check.h"
#include <stdint.h>

static double run(double *x) {
  uint64_t *doubled = malloc(3 * sizeof *doubled);
  for (int i = 0; i < 3; i++) {
    memcpy(&doubled[i], &x[i], sizeof x[i]);
    doubled[i] += 1ull << 52;
  }
  double s = 0, v;
  for (int i = 0; i < 3; i++) {
    memcpy(&v, &doubled[2 - i], sizeof v);
    s += v * x[i];
  }
  free(doubled);
  return s;
}

int main(void) {
  CHECK(run, 1.3, 2.2, 0.6);
  return failures;
}
