/* EZ0304: a number becomes text in a stream, and a number again by way of std::string.
   expect: reason: it writes a number that carries a derivative to a text or file, from which numbers are read */
#include "../../check.h"
#include <sstream>
#include <string>

static double run(double *x) {
  std::ostringstream text;
  text << x[0] * x[1];
  return std::stod(text.str()) * x[0];
}

int main() {
  CHECK(run, 0.5, 1.2);
  return failures;
}
