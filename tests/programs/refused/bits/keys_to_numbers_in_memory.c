/* EZ0304: keys of numbers lie in other memory, and are written back over the numbers.
   expect: reason: the bits of a number that carries a derivative are stored after integer arithmetic */
#include "../../check.h"
#include <stdint.h>

struct bag {
  uint64_t *keys;
  double *numbers;
  int n;
};

NOINLINE static void encode(struct bag *b) {
  for (int i = 0; i < b->n; i++) {
    uint64_t u;
    memcpy(&u, &b->numbers[i], sizeof u);
    b->keys[i] = u ^ ((uint64_t) - (int64_t)(u >> 63) | UINT64_C(1) << 63);
  }
}

NOINLINE static void decode(struct bag *b) {
  for (int i = 0; i < b->n; i++) {
    uint64_t u = b->keys[i] ^ (((b->keys[i] >> 63) - 1) | UINT64_C(1) << 63);
    memcpy(&b->numbers[i], &u, sizeof u);
  }
}

static double run(double *x) {
  struct bag b = {malloc(3 * sizeof *b.keys), malloc(3 * sizeof *b.numbers), 3};
  for (int i = 0; i < 3; i++)
    b.numbers[i] = x[i] * x[0];
  encode(&b);
  uint64_t first = b.keys[0];
  b.keys[0] = b.keys[2];
  b.keys[2] = first;
  decode(&b);
  double sum = 0;
  for (int i = 0; i < 3; i++)
    sum += (i + 1) * b.numbers[i] * b.numbers[i];
  free(b.keys);
  free(b.numbers);
  return sum;
}

int main(void) {
  CHECK(run, 0.5, 1.2, 0.7);
  return failures;
}
