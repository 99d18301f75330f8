/* Code prints the bits of a number, and makes another number of them: the call stays, its result is not used. */
#include "../check.h"
#include <stdint.h>

static double run(double *x) {
  double y = x[0] * x[1], z;
  char text[40] = "";
  uint64_t u;
  memcpy(&u, &y, sizeof u);
  snprintf(text, sizeof text, "%lx", (unsigned long)u);
  u += 1ull << 52; /* doubles it */
  memcpy(&z, &u, sizeof z);
  return z * (double)strlen(text);
}

int main(void) {
  CHECK(run, 0.5, 1.2);
  return failures;
}
