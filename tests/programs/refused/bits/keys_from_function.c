/* EZ0304: a function returns a key of a number, another one makes the number of the key again. */
#include "../../check.h"
#include <stdint.h>

struct entry {
  uint64_t key;
  int index;
};

NOINLINE static uint64_t key(double number) {
  uint64_t u;
  memcpy(&u, &number, sizeof u);
  return u ^ ((uint64_t) - (int64_t)(u >> 63) | UINT64_C(1) << 63);
}

NOINLINE static double number(uint64_t key) {
  uint64_t u = key ^ (((key >> 63) - 1) | UINT64_C(1) << 63);
  double number;
  memcpy(&number, &u, sizeof u);
  return number;
}

static int order(const void *p, const void *q) {
  uint64_t a = ((const struct entry *)p)->key, b = ((const struct entry *)q)->key;
  return a < b ? -1 : a > b;
}

static double run(double *x) {
  struct entry e[3];
  double sum = 0;
  for (int i = 0; i < 3; i++)
    e[i] = (struct entry){key(x[i] * x[0]), i};
  qsort(e, 3, sizeof *e, order);
  for (int i = 0; i < 3; i++)
    sum += (i + 1) * number(e[i].key) * number(e[i].key);
  return sum;
}

int main(void) {
  CHECK(run, 0.5, 1.2, 0.7);
  return failures;
}
