/* EZ0304: two numbers in memory change their places as halves of an integer of 128 bits. */
#include "../../check.h"

union pair {
  unsigned __int128 whole;
  double halves[2];
};

static NOINLINE void turn(union pair *pair, int bytes) {
  pair->whole = pair->whole << 8 * bytes | pair->whole >> (128 - 8 * bytes);
}

static double run(double *x) {
  union pair pair;
  pair.halves[0] = x[0] * x[1];
  pair.halves[1] = x[2];
  turn(&pair, x[0] < 1 ? 8 : 16);
  return 2 * pair.halves[0] + x[3] * pair.halves[1];
}

int main(void) {
  CHECK(run, 0.5, 1.2, 0.7, 1.1);
  return failures;
}
