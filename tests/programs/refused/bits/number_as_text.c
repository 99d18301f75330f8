/* EZ0304: a number is printed and read again
   expect: reason: it writes a number that carries a derivative to a text or file, from which numbers are read */
#include "../../check.h"

static double run(double *x) {
  char text[64];
  snprintf(text, sizeof text, "%.17g", x[0] * x[1]);
  return strtod(text, NULL) * x[0];
}

int main(void) {
  CHECK(run, 0.5, 1.2);
  return failures;
}
