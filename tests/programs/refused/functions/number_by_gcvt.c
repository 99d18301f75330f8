/* EZ0304: gcvt, which has the text as its last argument, writes a number that is read again. */
#include "../../check.h"

static double run(double *x) {
  char text[64];
  gcvt(x[0] * x[1], 17, text);
  return strtod(text, NULL) * x[0];
}

int main(void) {
  CHECK(run, 0.5, 1.2);
  return failures;
}
