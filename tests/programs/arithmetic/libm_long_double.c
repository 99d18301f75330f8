/* Functions of the mathematical library on long double. */
#include "../check.h"

static long double many(long double *x) {
  long double a = x[0], b = x[1], c = x[2];
  return sinl(a) * cosl(b) + tanl(c) + atan2l(a, b) + sinhl(c) - coshl(c) * tanhl(a) + expl(c) + logl(a) + log1pl(c) +
         sqrtl(a) * cbrtl(b) + hypotl(a, b) + powl(a, b) + erfl(c);
}

int main(void) {
  CHECK_LONG(many, 1.3L, 2.1L, 0.4L);
  return failures;
}
