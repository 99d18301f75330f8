/* EZ0304: a recursive function is given a word of an interpreter, which may be a number or an address. The program
   declares integers, which is no proof.
   expect: boxes_in_recursion.c:22:12: error
 */
#include "../../check.h"
#include <stdint.h>

#define BOXED UINT64_C(0xfffc000000000000)

struct pair {
  uint64_t first, second;
};
static uint64_t bits(double number) {
  uint64_t word;
  memcpy(&word, &number, sizeof word);
  return word;
}
NOINLINE static double sum(uint64_t v) {
  double number;
  if ((v & BOXED) == BOXED) {
    struct pair *p = (struct pair *)(v & ~BOXED);
    return sum(p->first) * 1.5 + sum(p->second);
  }
  memcpy(&number, &v, sizeof number);
  return number;
}
static double f(double *x) {
  struct pair pairs[2] = {{bits(x[0] * x[1]), bits(x[2])}};
  pairs[1] = (struct pair){bits(x[1]), BOXED | (uintptr_t)pairs};
  return sum(BOXED | (uintptr_t)(pairs + 1));
}

int main(void) {
  CHECK(f, 0.5, 1.2, 0.7);
  return failures;
}
