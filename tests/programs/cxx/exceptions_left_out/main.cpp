/* A function that is left out throws, and differentiated code catches: from a direct call, and through a pointer.
 * flags: --enzyme-closure=1 */
#include "../../check.h"
#include <stdexcept>
#include <string>

int check(const std::string &name);
static const char *name = "good";
static int (*volatile checker)(const std::string &) = check;

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

static double through_pointer(double *x) {
  double y = sin(x[0]);
  try {
    y *= x[1] + checker(name);
  } catch (const std::exception &error) {
    y += x[1] * error.what()[0];
  }
  return y * x[0];
}

int main() {
  for (const char *chosen : {"good", "bad"}) {
    name = chosen;
    CHECK(f, 1.5, 0.7);
    CHECK(through_pointer, 1.5, 0.7);
  }
  return failures;
}
