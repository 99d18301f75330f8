// EZ0304: a function stores the bits of a number in a vector of bools, and another one makes a number of these.
// expect: the bits of a number are set one by one, by tests of the bits of another that carries a derivative
#include "../../check.h"

#include <cstdint>
#include <vector>

NOINLINE static std::vector<bool> bits(double number) {
  uint64_t word;
  memcpy(&word, &number, sizeof word);
  std::vector<bool> found(64);
  for (int i = 0; i < 64; i++)
    found[i] = word >> i & 1;
  return found;
}

NOINLINE static double number(const std::vector<bool> &flags) {
  uint64_t word = 0;
  for (int i = 64; i--;)
    word = word << 1 | flags[i];
  double made;
  memcpy(&made, &word, sizeof made);
  return made;
}

static double run(double *x) { return number(bits(x[0] * x[1])); }

int main() {
  CHECK(run, 1.5, 2.5);
  return failures;
}
