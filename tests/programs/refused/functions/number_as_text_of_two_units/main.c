/* EZ0304: a number is printed and read again, in two units
   expect: reason: it writes a number that carries a derivative to a text or file, from which numbers are read */
#include "../../../check.h"

double from_text(const char *text);

static double run(double *x) {
  char text[64];
  snprintf(text, sizeof text, "%.17g", x[0] * x[1]);
  return from_text(text) * x[0];
}

int main(void) {
  CHECK(run, 0.5, 1.2);
  return failures;
}
