/* EZ0304: a number is copied byte by byte to the first member of an allocated struct that also holds numbers. A function
   builds it again, by tests of its bits.
   expect: reason: built is given the bits of a number that carries a derivative, and by tests of these it sets the bits of another, or writes a text from which numbers are read */
#include "../../check.h"
#include <stdint.h>

struct record {
  unsigned char bytes[8];
  double weights[2];
};

NOINLINE static void copy(struct record *record, const double *number) {
  const unsigned char *bytes = (const unsigned char *)number;
  for (int i = 0; i < 8; i++) {
    record->bytes[i] = bytes[i];
    __asm__ volatile("" : : : "memory");
  }
}

NOINLINE static double built(const struct record *record) {
  uint64_t bits = 0;
  for (int i = 0; i < 64; i++)
    if (record->bytes[i / 8] & (1u << (i % 8))) bits |= (uint64_t)1 << i;
  double number;
  memcpy(&number, &bits, sizeof number);
  return number;
}

static double f(double *x) {
  struct record *record = malloc(sizeof *record);
  record->weights[0] = x[0];
  record->weights[1] = x[1];
  copy(record, x);
  double y = built(record) * record->weights[1];
  free(record);
  return y;
}

int main(void) {
  CHECK(f, 0.7, 1.3);
  return failures;
}
