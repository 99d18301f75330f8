/* EZ0304: words that are copied, or zero, may be numbers: nothing tells their type.
 * expect: it copies bytes, and type analysis cannot tell whether they are a number, an integer or a pointer
 */
#include "../../check.h"
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
  double x[2] = {1, 2}, dx[2] = {0}, y[2], dy[2] = {1, 1};
  int keep[2] = {1, 0};
  __enzyme_autodiff((void *)copy_some, untyped(y), untyped(dy), untyped(x), untyped(dx), enzyme_const, keep, 2);
  return dx[0] != 1;
}
