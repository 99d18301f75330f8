// EZ0304: each bit of a number is set by a test of another number's bit: a bitset is copied bit by bit.
// expect: the bits of a number are set one by one, by tests of the bits of another that carries a derivative
#include "../../check.h"

#include <bitset>
#include <cstdint>

static double run(double *x) {
  double product = x[0] * x[1], copy;
  uint64_t word;
  memcpy(&word, &product, sizeof word);
  std::bitset<64> bits(word), copied;
  for (int i = 0; i < 64; i++)
    copied[i] = bits[i];
  word = copied.to_ullong();
  memcpy(&copy, &word, sizeof copy);
  return copy;
}

int main() {
  CHECK(run, 1.5, 2.5);
  return failures;
}
