/* A word that is copied, or zero: zero is a number too, so it does not make an integer of the word. */
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
NOINLINE static void clear_some(void *to, const void *from, const int *keep, int n) {
  for (int i = 0; i < n; i++) {
    uint64_t word, zero = 0;
    memcpy(&word, (const char *)from + 8 * i, 8);
    memcpy((char *)to + 8 * i, keep[i] ? &word : &zero, 8);
  }
}

/* The memory, without its type. */
static void *untyped(double *x) {
  void *p = x;
  __asm__("" : "+r"(p) : : "memory");
  return p;
}

#define CHECK_COPY(copy)                                                                                               \
  do {                                                                                                                 \
    double x[3] = {1, 2, 3}, dx[3] = {1, 10, 100}, y[3] = {9, 9, 9}, dy[3] = {7, 7, 7};                                \
    int keep[3] = {1, 0, 1};                                                                                           \
    __enzyme_fwddiff((void *)copy, enzyme_dup, untyped(y), untyped(dy), enzyme_dup, untyped(x), untyped(dx),           \
                     enzyme_const, keep, 3);                                                                           \
    for (int i = 0; i < 3; i++) {                                                                                      \
      same(#copy, i, y[i], keep[i] ? x[i] : 0, 0);                                                                     \
      same("d" #copy, i, dy[i], keep[i] ? dx[i] : 0, 0);                                                               \
    }                                                                                                                  \
  } while (0)

int main(void) {
  CHECK_COPY(copy_some);
  CHECK_COPY(clear_some);
  return failures;
}
