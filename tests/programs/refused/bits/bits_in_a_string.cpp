// EZ0304: the bits of a number are set in a string, which copies them into another number.
// expect: the bits of a number are set one by one, by tests of the bits of another that carries a derivative
#include "../../check.h"

#include <string>

static double run(double *x) {
  double number = x[0] * x[1], made = 0;
  const char *bytes = (const char *)&number;
  std::string text(sizeof number, 0);
  for (int i = 0; i < 64; i++)
    if (bytes[i / 8] >> i % 8 & 1)
      text[i / 8] |= 1 << i % 8;
  text.copy((char *)&made, sizeof made);
  return made;
}

int main() {
  CHECK(run, 1.5, 2.5);
  return failures;
}
