/* A word that is copied, or a constant: zero, and all bits set (NaN), are numbers too, so they make no integer of it. */
#include "../check.h"
#include <stdint.h>

#define DEFINE(SUFFIX, NOTHING)                                                                                        \
  NOINLINE static void copy_or_##SUFFIX(void *to, const void *from, const int *keep, int n) {                          \
    for (int i = 0; i < n; i++) {                                                                                      \
      uint64_t word = NOTHING;                                                                                         \
      if (keep[i])                                                                                                     \
        memcpy(&word, (const char *)from + 8 * i, 8);                                                                  \
      memcpy((char *)to + 8 * i, &word, 8);                                                                            \
    }                                                                                                                  \
  }                                                                                                                    \
  NOINLINE static void choose_or_##SUFFIX(void *to, const void *from, const int *keep, int n) {                        \
    for (int i = 0; i < n; i++) {                                                                                      \
      uint64_t word, nothing = NOTHING;                                                                                \
      memcpy(&word, (const char *)from + 8 * i, 8);                                                                    \
      memcpy((char *)to + 8 * i, keep[i] ? &word : &nothing, 8);                                                       \
    }                                                                                                                  \
  }
DEFINE(zero, 0)
DEFINE(nan, -1)

/* The memory, without its type. */
static void *untyped(double *x) {
  void *p = x;
  __asm__("" : "+r"(p) : : "memory");
  return p;
}

#define CHECK_COPY(copy, nothing)                                                                                      \
  do {                                                                                                                 \
    double x[3] = {1, 2, 3}, dx[3] = {1, 10, 100}, y[3] = {9, 9, 9}, dy[3] = {7, 7, 7}, want[3] = {1, nothing, 3};     \
    int keep[3] = {1, 0, 1};                                                                                           \
    __enzyme_fwddiff((void *)copy, enzyme_dup, untyped(y), untyped(dy), enzyme_dup, untyped(x), untyped(dx),           \
                     enzyme_const, keep, 3);                                                                           \
    for (int i = 0; i < 3; i++) {                                                                                      \
      same(#copy " is itself", i, isnan(want[i]) ? isnan(y[i]) : y[i] == want[i], 1, 0);                               \
      same("d" #copy, i, dy[i], keep[i] ? dx[i] : 0, 0);                                                               \
    }                                                                                                                  \
  } while (0)

int main(void) {
  CHECK_COPY(copy_or_zero, 0);
  CHECK_COPY(choose_or_zero, 0);
  CHECK_COPY(copy_or_nan, NAN);
  CHECK_COPY(choose_or_nan, NAN);
  return failures;
}
