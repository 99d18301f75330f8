/* expect: two adjoints meet where numbers of several types, or parts of numbers, share a place
 * Words of no type are copied. A float beside an integer, which both the value and its shadow have, look like an
 * address: as a shadow it would be copied over an adjoint. */
#include "../check.h"
#include <stdint.h>

struct sample {
  float value;
  int32_t id;
};

NOINLINE static void copy_some(void *to, const void *from, const int *keep, int n) {
  for (int i = 0; i < n; i++) {
    uint64_t word = 0;
    if (keep[i])
      memcpy(&word, (const char *)from + 8 * i, 8);
    memcpy((char *)to + 8 * i, &word, 8);
  }
}
static void *untyped(void *x) {
  void *p = x;
  __asm__("" : "+r"(p) : : "memory");
  return p;
}

int main(void) {
  enum { UPPER_HALF = 0x7e00, KEPT = 1 };
  struct sample x = {1, UPPER_HALF}, y = {0}, dx = {0.25f, UPPER_HALF}, dy = {3, UPPER_HALF};
  int keep[1] = {KEPT};
  __enzyme_autodiff((void *)copy_some, untyped(&y), untyped(&dy), untyped(&x), untyped(&dx), enzyme_const, keep, 1);
  return dx.value != 3.25f;
}
