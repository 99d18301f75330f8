/* EZ0304: asprintf allocates the text to which it writes a number that is read again. */
#define _GNU_SOURCE
#include "../../check.h"

NOINLINE static char *text_of(double x) {
  char *text;
  if (asprintf(&text, "%.17g", x) < 0)
    abort();
  return text;
}
static double run(double *x) {
  char *text = text_of(x[0] * x[1]);
  double read = strtod(text, NULL);
  free(text);
  return read * x[0];
}

int main(void) {
  CHECK(run, 0.5, 1.2);
  return failures;
}
