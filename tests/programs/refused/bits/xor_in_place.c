/* EZ0304: a number is made of the bits of another that carries a derivative
 * The last bits decide about others: no rule knows that derivative.
 * flags: -O1 */
#include "../../check.h"
#include <stdint.h>

static double f(double *x) {
  double v[3];
  for (int i = 0; i < 3; i++)
    v[i] = x[i] * x[0];
  for (int i = 0; i < 3; i++) ((uint64_t *)v)[i] ^= 1ull << 63 | (((uint64_t *)v)[i] & 3);
  return v[0] + 2 * v[1] + 3 * v[2];
}

int main(void) {
  double x[3] = {0.7, 0.2, -0.4}, dx[3] = {1, 0, 0};
  __enzyme_fwddiff((void *)f, x, dx);
  return 0;
}
