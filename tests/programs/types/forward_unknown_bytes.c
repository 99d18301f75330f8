/* Forward mode copies the shadows of bytes of unknown type: a union, words of a buffer. */
#include "../check.h"
#include <stdint.h>

union word {
  double number;
  double *pointer;
  uint64_t bits;
};

NOINLINE static void copy(union word *to, const union word *from, int n) {
  for (int i = 0; i < n; i++)
    to[n - 1 - i].bits = from[i].bits;
}
NOINLINE static void swap_bytes(volatile char *a, volatile char *b, int n) {
  for (int i = 0; i < n; i++) {
    char t = a[i];
    a[i] = b[i];
    b[i] = t;
  }
}

static double run(double *x) {
  double a = x[0] * x[1], b = x[2] * x[2];
  union word from[2] = {{.number = a * 3}, {.pointer = &b}}, to[2];
  copy(to, from, 2);
  swap_bytes((volatile char *)&a, (volatile char *)&b, sizeof a);
  return to[1].number * *to[0].pointer + sin(a);
}

int main(void) {
  double at[] = {0.5, 1.2, 0.7};
  for (int i = 0; i < 3; i++) {
    double x[3], v[3] = {0};
    memcpy(x, at, sizeof x);
    v[i] = 1;
    same("run", i, __enzyme_fwddiff((void *)run, x, v), check_difference(run, at, 3, i), 1e-8);
  }
  return failures;
}
