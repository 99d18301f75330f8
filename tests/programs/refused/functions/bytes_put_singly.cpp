// EZ0304: the bytes of a number are put into a string one by one.
// expect: is given a single byte of a number that carries a derivative
#include "../../check.h"

#include <string>

static double run(double *x) {
  double product = x[0] * x[1], got;
  std::string bytes;
  for (unsigned i = 0; i < sizeof product; i++)
    bytes.push_back(reinterpret_cast<const char *>(&product)[i]);
  memcpy(&got, bytes.data(), sizeof got);
  return got;
}
int main() {
  CHECK(run, 1.5, 2.0);
  return failures;
}
