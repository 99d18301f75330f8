/* EZ0304: long doubles are copied to an array of long, whose elements move on: parts of numbers. */
#include "../../check.h"

enum { N = 3, WORDS = N * sizeof(long double) / sizeof(long) };

NOINLINE static void turn(long *to, const long *from) {
  for (int i = 0; i < WORDS; i++)
    to[i] = from[WORDS - 1 - i];
}

static long double f(long double *x) {
  long first[WORDS], second[WORDS], third[WORDS];
  long double found[N];
  memcpy(first, x, sizeof first);
  turn(second, first);
  turn(third, second);
  memcpy(found, third, sizeof found);
  return found[0] * found[1] * found[2];
}

int main(void) {
  CHECK_LONG(f, 0.5, 1.2, 0.7);
  return failures;
}
