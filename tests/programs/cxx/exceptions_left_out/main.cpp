/* A function that is left out throws, and differentiated code catches.
 * flags: --enzyme-closure=1 */
#include "../../check.h"
#include <stdexcept>
#include <string>

int check(const std::string &name);
static const char *name = "good";

static double f(double *x) {
  double y = x[0] * x[1];
  try {
    y *= x[0];
    y += check(name);
  } catch (const std::exception &error) {
    y = x[0] * x[1] * x[1] * (error.what()[0] == 'b');
  }
  return y * y;
}

int main() {
  CHECK(f, 1.5, 0.7);
  name = "bad";
  CHECK(f, 1.5, 0.7);
  return failures;
}
