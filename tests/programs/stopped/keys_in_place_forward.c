/* expect: keys_in_place_forward.c:16:15: the bits of a number that carries a derivative are accessed in place as an integer
 * In forward mode, the tangent tells that the integer is a number.
 * flags: -O1 */
#include "../check.h"
#include <stdint.h>

static volatile int count = 3;

static double f(double *x) {
  int n = count;
  double v[3];
  uint64_t keys[3], *bits = (uint64_t *)v;
  for (int i = 0; i < n; i++)
    v[i] = x[i] * x[0];
  for (int i = 0; i < n; i++)
    keys[i] = bits[i] ^ (-(bits[i] >> 63) | 1ull << 63);
  for (int i = 0; i < n; i++)
    for (int j = i + 1; j < n; j++)
      if (keys[j] < keys[i]) {
        uint64_t key = keys[i];
        keys[i] = keys[j], keys[j] = key;
      }
  for (int i = 0; i < n; i++) ((uint64_t *)v)[i] = keys[i] ^ (((keys[i] >> 63) - 1) | 1ull << 63);
  return v[0] + 2 * v[1] + 3 * v[2];
}

int main(void) {
  double x[3] = {0.7, 0.2, -0.4}, dx[3] = {1, 0, 0};
  __enzyme_fwddiff((void *)f, x, dx);
  return 0;
}
