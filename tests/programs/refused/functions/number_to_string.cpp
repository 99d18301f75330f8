/* EZ0304: std::to_string hands a number to a function with variable arguments, which prints it. */
#include "../../check.h"
#include <string>

static double run(double *x) { return std::stod(std::to_string(x[0] * x[1])) * x[0]; }

int main() {
  CHECK(run, 0.5, 1.2);
  return failures;
}
