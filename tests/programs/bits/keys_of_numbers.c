/* Numbers are sorted by keys that are computed from their bits; the keys do not become numbers again. The fraction of a
 * random number is made of integers that lie beside numbers. */
#include "../check.h"
#include <stdint.h>

enum { N = 6 };

static double by_keys(double *x) {
  double a[N] = {x[0] * x[1], x[1] - 2, x[2] * x[0], -x[0], x[1] * x[1], sin(x[2])}, sum = 0;
  uint64_t keys[N];
  int sorted[N], next[N];
  for (int i = 0; i < N; i++) {
    uint64_t u;
    memcpy(&u, &a[i], sizeof u);
    keys[i] = u ^ ((uint64_t) - (int64_t)(u >> 63) | UINT64_C(1) << 63);
    sorted[i] = i;
  }
  for (int shift = 0; shift < 64; shift += 8) {
    int count[257] = {0};
    for (int i = 0; i < N; i++)
      count[(keys[i] >> shift & 255) + 1]++;
    for (int i = 0; i < 256; i++)
      count[i + 1] += count[i];
    for (int i = 0; i < N; i++)
      next[count[keys[sorted[i]] >> shift & 255]++] = sorted[i];
    memcpy(sorted, next, sizeof sorted);
  }
  for (int i = 0; i < N; i++)
    sum += (i + 1) * a[sorted[i]] * a[sorted[i]];
  return sum;
}

struct stream {
  uint64_t state[4];
  double weights[4];
};

static double random_numbers(double *x) {
  struct stream *s = malloc(sizeof *s);
  double sum = 0;
  for (int i = 0; i < 4; i++) {
    s->weights[i] = x[i & 1] * i;
    s->state[i] = i * UINT64_C(0x9e3779b97f4a7c15) + 1;
  }
  for (int i = 0; i < 8; i++) {
    uint64_t z = s->state[i & 3];
    z ^= z << 13, z ^= z >> 7, z ^= z << 17;
    s->state[i & 3] = z;
    z = z >> 12 | UINT64_C(0x3ff) << 52;
    double number;
    memcpy(&number, &z, sizeof z);
    sum += (number - 1) * s->weights[i & 3] * s->weights[i & 3];
  }
  free(s);
  return sum;
}

int main(void) {
  CHECK(by_keys, 0.5, 1.2, 0.7);
  CHECK(random_numbers, 0.5, 1.2);
  return failures;
}
