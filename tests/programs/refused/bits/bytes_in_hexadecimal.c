/* EZ0304: the bytes of a number are printed one by one, and read again. */
#include "../../check.h"

static double run(double *x) {
  double number = x[0] * x[1], again = 0;
  char text[32] = "";
  unsigned char bytes[8], digits;
  memcpy(bytes, &number, sizeof bytes);
  for (int i = 0; i < 8; i++)
    sprintf(text + 2 * i, "%02x", bytes[i]);
  for (int i = 0; i < 8; i++) {
    sscanf(text + 2 * i, "%2hhx", &digits);
    ((unsigned char *)&again)[i] = digits;
  }
  return again * x[0];
}

int main(void) {
  CHECK(run, 0.5, 1.2);
  return failures;
}
