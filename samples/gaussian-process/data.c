#include "gaussian_process.h"

#include <math.h>
#include <stdint.h>

static double uniform(uint64_t *state) { /* in (0, 1); Marsaglia's xorshift */
  *state ^= *state << 13, *state ^= *state >> 7, *state ^= *state << 17;
  return ((*state >> 11) + 0.5) * 0x1p-53;
}

void observe(int n, double *x, double *y) {
  uint64_t state = 88172645463325252u;
  for (int i = 0; i < n; i++) {
    double radius = sqrt(-2 * log(uniform(&state))), angle = 6.28318530717959 * uniform(&state);
    x[i] = 12 * uniform(&state);
    y[i] = sin(x[i]) + 0.1 * radius * cos(angle);
  }
}
