/* EZ0304: numbers are put into a message byte by byte, in the order of networks, and taken out of it. */
#include "../../check.h"
#include <stdint.h>

NOINLINE static void put(unsigned char *message, double number) {
  uint64_t u;
  memcpy(&u, &number, sizeof u);
  for (int i = 0; i < 8; i++)
    message[i] = (unsigned char)(u >> 8 * (7 - i));
}

NOINLINE static double get(const unsigned char *message) {
  uint64_t u = 0;
  double number;
  for (int i = 0; i < 8; i++)
    u = u << 8 | message[i];
  memcpy(&number, &u, sizeof u);
  return number;
}

static double run(double *x) {
  unsigned char message[16];
  put(message, x[0] * x[1]);
  put(message + 8, x[0]);
  return get(message + 8) * get(message);
}

int main(void) {
  CHECK(run, 0.5, 1.2);
  return failures;
}
