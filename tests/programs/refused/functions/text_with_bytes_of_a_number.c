/* EZ0304: vasprintf copies the bytes of a number to a new text, where they are read as a number
   expect: reason: vasprintf writes numbers to memory that carries derivatives */
#define _GNU_SOURCE
#include "../../check.h"
#include <stdarg.h>

static char *text(const char *format, ...) {
  char *made = NULL;
  va_list list;
  va_start(list, format);
  if (vasprintf(&made, format, list) < 0)
    made = NULL;
  va_end(list);
  return made;
}

static double f(double *x) {
  double y = x[0] * x[1], z;
  char *bytes = text("%.8s", (char *)&y);
  memcpy(&z, bytes, sizeof z);
  free(bytes);
  return z * z;
}

int main(void) {
  CHECK(f, 1.3, 2.7);
  return failures;
}
