/* Doubles are moved as two integers, or byte by byte: on the heap and in variables, through choices, calls and structs. */
#include "../check.h"
#include <stdint.h>

typedef int __attribute__((may_alias)) word;
typedef short __attribute__((may_alias)) small;
struct two {
  int low, high;
};
enum { N = 3 };

static double sum(const double *from, const double *to) {
  double s = 0;
  for (int i = 0; i < N; i++)
    s += to[i] * (i + 1) + from[i];
  return s;
}

#define MOVES(NAME, ...)                                                                                               \
  static double NAME##_on_heap(double *x) {                                                                            \
    double *from = malloc(N * sizeof *from), *to = calloc(N, sizeof *to);                                              \
    for (int i = 0; i < N; i++)                                                                                        \
      from[i] = x[i] * x[(i + 1) % N];                                                                                 \
    __VA_ARGS__;                                                                                                       \
    double s = sum(from, to);                                                                                          \
    free(from);                                                                                                        \
    free(to);                                                                                                          \
    return s;                                                                                                          \
  }                                                                                                                    \
  static double NAME##_in_variables(double *x) {                                                                       \
    double from[N], to[N] = {0};                                                                                       \
    for (int i = 0; i < N; i++)                                                                                        \
      from[i] = x[i] * x[(i + 1) % N];                                                                                 \
    __VA_ARGS__;                                                                                                       \
    return sum(from, to);                                                                                              \
  }

NOINLINE static void put(word *to, int low, int high) { to[0] = low, to[1] = high; }
static volatile int first = 100;

MOVES(words, for (int i = 2 * N - 1; i >= 0; i--)((word *)to)[i] = ((word *)from)[i])
MOVES(shorts, for (int i = 0; i < 4 * N; i++)((small *)to)[i] = ((small *)from)[i])
MOVES(bytes, for (int i = 8 * N - 1; i >= 0; i--)((char *)to)[i] = ((char *)from)[i])
MOVES(pairs, for (int i = 0; i < N; i++) {
  struct two t;
  memcpy(&t, from + i, sizeof t);
  struct two other = {t.low, t.high};
  memcpy(to + i, &other, sizeof t);
})
MOVES(choices, int skipped = first; for (int i = 0; i < 2 * N; i++) {
  int part = i == skipped ? 5 : ((word *)from)[i];
  ((word *)to)[i] = part;
})
MOVES(arguments, for (int i = 0; i < N; i++) put((word *)(to + i), ((word *)(from + i))[0], ((word *)(from + i))[1]))
MOVES(exchanged, memcpy(to, from, sizeof(double) * N); for (int i = 0; i < 2; i++) {
  int part = ((word *)to)[i];
  ((word *)to)[i] = ((word *)(to + 2))[i];
  ((word *)(to + 2))[i] = part;
})

#define BOTH(NAME)                                                                                                     \
  CHECK(NAME##_on_heap, 0.7, 1.3, -0.4);                                                                               \
  CHECK(NAME##_in_variables, 0.7, 1.3, -0.4)

int main(void) {
  BOTH(words);
  BOTH(shorts);
  BOTH(bytes);
  BOTH(pairs);
  BOTH(choices);
  BOTH(arguments);
  BOTH(exchanged);
  return failures;
}
