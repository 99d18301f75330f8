/* EZ0304: numbers are copied into integers of an allocated struct that also holds numbers. A function builds each again, by
   tests of its bits.
   expect: reason: built is given the bits of a number that carries a derivative, and by tests of these it sets the bits of another, or writes a text from which numbers are read */
#include "../../check.h"
#include <stdint.h>

struct record {
  double weights[2];
  unsigned words[4];
};

NOINLINE static void copy(struct record *record, const double *numbers, int count) {
  memcpy(record->words, numbers, count * sizeof *numbers);
}

NOINLINE static double built(const struct record *record, int k) {
  uint64_t bits = 0;
  for (int i = 0; i < 64; i++)
    if (record->words[2 * k + i / 32] & (1u << (i % 32))) bits |= (uint64_t)1 << i;
  double number;
  memcpy(&number, &bits, sizeof number);
  return number;
}

static double f(double *x) {
  struct record *record = malloc(sizeof *record);
  record->weights[0] = x[0];
  record->weights[1] = x[1];
  copy(record, x, 2);
  double y = 0;
  for (int k = 0; k < 2; k++) y += built(record, k) * record->weights[k];
  free(record);
  return y;
}

int main(void) {
  CHECK(f, 0.7, 1.3);
  return failures;
}
