/* EZ0304: the bits of a number are printed as an integer, which is read again. */
#include "../../check.h"
#include <stdint.h>

static double run(double *x) {
  double y = x[0] * x[1], z;
  char text[40];
  uint64_t u, v;
  memcpy(&u, &y, sizeof u);
  snprintf(text, sizeof text, "%lx", (unsigned long)u);
  v = strtoull(text, NULL, 16);
  memcpy(&z, &v, sizeof z);
  return z;
}

int main(void) {
  CHECK(run, 0.5, 1.2);
  return failures;
}
