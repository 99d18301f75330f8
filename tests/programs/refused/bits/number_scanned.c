/* EZ0304: a number is printed and read again by sscanf, which no option follows
 * flags: --enzyme-follow-text
   expect: reason: it writes a number that carries a derivative to a text or file, from which numbers are read */
#include "../../check.h"

static double run(double *x) {
  char text[64];
  double read = 0;
  snprintf(text, sizeof text, "%.17g", x[0] * x[1]);
  sscanf(text, "%lf", &read);
  return read * x[0];
}

int main(void) {
  CHECK(run, 0.5, 1.2);
  return failures;
}
