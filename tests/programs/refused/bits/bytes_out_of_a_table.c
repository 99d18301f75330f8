/* EZ0304: the bytes of a number are looked up in a table, and what is found there makes another number. */
#include "../../check.h"

static unsigned char table[256];

static double run(double *x) {
  double product = x[0] * x[1], copy = 0;
  for (int i = 0; i < 256; i++)
    table[i] = i;
  for (int i = 0; i < 8; i++)
    ((unsigned char *)&copy)[i] = table[((unsigned char *)&product)[i]];
  return copy;
}

int main(void) {
  CHECK(run, 1.5, 2.5);
  return failures;
}
