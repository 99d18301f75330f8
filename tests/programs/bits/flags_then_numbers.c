/* An arena serves for numbers, for flags in words that are combined bit by bit, and for numbers again.
 * flags: -O1 */
#include "../check.h"
#include <stdint.h>

enum { N = 3 };
static char *arena;
static size_t used;

NOINLINE static void *take(size_t size) {
  void *p = arena + used;
  used += size;
  return p;
}
NOINLINE static double powers(const double *x) {
  double *v = take(N * sizeof *v), s = 0;
  for (int i = 0; i < N; i++)
    v[i] = x[i] * x[i];
  for (int i = 0; i < N; i++)
    s += v[i] * sin(v[(i + 1) % N]);
  used = 0;
  return s;
}
NOINLINE static int chosen(const double *x) {
  uint64_t *flags = take(N * sizeof *flags), all = 0;
  for (int i = 0; i < N; i++)
    flags[i] = x[i] > 0.5 ? 5 : 2;
  for (int i = 0; i < N; i++)
    flags[i] ^= flags[(i + 1) % N] << i | 8;
  for (int i = 0; i < N; i++)
    all ^= flags[i];
  used = 0;
  return all % 3;
}
static double f(double *x) {
  double s = 0;
  for (int i = 0; i < 3; i++) {
    s = s * 0.5 + powers(x) * x[chosen(x)];
    x[i] += 0.3 * s;
  }
  return s;
}
static double g(double *x) {
  double room[64];
  arena = (char *)room;
  return f(x);
}
static double h(double *x) {
  arena = malloc(512);
  double s = f(x);
  free(arena);
  return s;
}

int main(void) {
  CHECK(g, 0.7, 0.2, 0.9);
  CHECK(h, 0.7, 0.2, 0.9);
  return failures;
}
