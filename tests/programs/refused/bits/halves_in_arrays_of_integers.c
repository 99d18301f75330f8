/* EZ0304: doubles are copied to an array of int, whose elements move on: halves of numbers. */
#include "../../check.h"

enum { N = 3, HALVES = 2 * N };

NOINLINE static void turn(int *to, const int *from) {
  for (int i = 0; i < HALVES; i++)
    to[i] = from[HALVES - 1 - i];
}

static double f(double *x) {
  int first[HALVES], second[HALVES], third[HALVES];
  double found[N];
  memcpy(first, x, sizeof first);
  turn(second, first);
  turn(third, second);
  memcpy(found, third, sizeof found);
  return found[0] * found[1] * found[2];
}

int main(void) {
  CHECK(f, 0.5, 1.2, 0.7);
  return failures;
}
