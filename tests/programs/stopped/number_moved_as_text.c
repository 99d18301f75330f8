/* A number is written as text, and read after the text was copied.
 * flags: --enzyme-follow-text
 * expect: a number is read that was written at another place [EZ0304] */
#include "../check.h"

static double run(double *x) {
  char text[64], copy[64];
  snprintf(text, sizeof text, "%.17g", x[0] * x[1]);
  strcpy(copy, text);
  return strtod(copy, NULL) * x[0];
}

int main(void) {
  CHECK(run, 0.5, 1.2);
  return failures;
}
