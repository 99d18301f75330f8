/* EZ0304: the bytes of a number are printed one by one, as characters, and read as a number again. */
#include "../../check.h"

static double run(double *x) {
  double y = x[0] * x[1], z;
  char text[40];
  for (int i = 0; i < 8; i++)
    snprintf(text + i, 8, "%c%d", ((char *)&y)[i], 3);
  memcpy(&z, text, sizeof z);
  return z;
}

int main(void) {
  CHECK(run, 0.5, 1.2);
  return failures;
}
