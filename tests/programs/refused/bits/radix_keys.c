/* EZ0304: numbers are sorted by keys that are computed from their bits, and computed back from the sorted keys.
   expect: reason: the bits of a number that carries a derivative are stored after integer arithmetic */
#include "../../check.h"
#include <stdint.h>

enum { N = 3 };

static double run(double *x) {
  double a[N] = {x[0] * x[1], -x[1], x[2] * x[0]}, sum = 0;
  uint64_t keys[N], sorted[N];
  int count[257] = {0};
  for (int i = 0; i < N; i++) {
    uint64_t u;
    memcpy(&u, &a[i], sizeof u);
    keys[i] = u ^ ((uint64_t) - (int64_t)(u >> 63) | UINT64_C(1) << 63);
  }
  for (int i = 0; i < N; i++)
    count[(keys[i] >> 56) + 1]++;
  for (int i = 0; i < 256; i++)
    count[i + 1] += count[i];
  for (int i = 0; i < N; i++)
    sorted[count[keys[i] >> 56]++] = keys[i];
  for (int i = 0; i < N; i++) {
    uint64_t u = sorted[i] ^ (((sorted[i] >> 63) - 1) | UINT64_C(1) << 63);
    double number;
    memcpy(&number, &u, sizeof u);
    sum += (i + 1) * number * number;
  }
  return sum;
}

int main(void) {
  CHECK(run, 0.5, 1.2, 0.7);
  return failures;
}
