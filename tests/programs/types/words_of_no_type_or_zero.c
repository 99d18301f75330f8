/* Words that are copied, or zero, may be numbers, and no other code tells their type. */
#include "../check.h"
#include <stdint.h>

NOINLINE static void copy_some(void *to, const void *from, const int *keep, int n) {
  for (int i = 0; i < n; i++) {
    uint64_t word = 0;
    if (keep[i])
      memcpy(&word, (const char *)from + 8 * i, 8);
    memcpy((char *)to + 8 * i, &word, 8);
  }
}
static void *untyped(double *x) {
  void *p = x;
  __asm__("" : "+r"(p) : : "memory");
  return p;
}

int main(void) {
  double x[2] = {1, 2}, y[2];
  for (int which = 0; which < 4; which++) {
    int keep[2] = {which & 1, which >> 1};
    double dx[2] = {0}, dy[2] = {3, 5};
    __enzyme_autodiff((void *)copy_some, untyped(y), untyped(dy), untyped(x), untyped(dx), enzyme_const, keep, 2);
    SAME(y[0], keep[0] ? x[0] : 0);
    SAME(dx[0], keep[0] ? 3 : 0);
    SAME(dx[1], keep[1] ? 5 : 0);
    SAME(dy[0], 0);
    SAME(dy[1], 0);
  }
  return failures;
}
