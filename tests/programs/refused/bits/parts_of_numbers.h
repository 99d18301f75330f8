/* An array of numbers is copied to an array of smaller integers, whose elements move on one by one: parts of numbers.
 * The program that includes this defines the types NUMBER and PART. */
#include "../../check.h"

enum { N = 3, PARTS = N * sizeof(NUMBER) / sizeof(PART) };

NOINLINE static void turn(PART *to, const PART *from) {
  for (int i = 0; i < PARTS; i++)
    to[i] = from[PARTS - 1 - i];
}

static NUMBER f(NUMBER *x) {
  PART first[PARTS], second[PARTS], third[PARTS];
  NUMBER found[N];
  memcpy(first, x, sizeof first);
  turn(second, first);
  turn(third, second);
  memcpy(found, third, sizeof found);
  return found[0] * found[1] * found[2];
}
