/* An arena is advanced by counts of bytes that come from memory, added to addresses in integers. No difference of two
   pointers is stored there, so none of them is the distance of two objects. */
#include "../check.h"
#include <stdint.h>

typedef struct {
  void *current, *begin;
  unsigned flags;
  size_t bytes[2];
} arena;
static arena *outside;

static void *allocate(arena *a, size_t size) {
  void *block = (void *)(((uintptr_t)a->current + 15) & ~(uintptr_t)15);
  a->current = (void *)((uintptr_t)block + ((size + 15) & ~(size_t)15));
  return block;
}

NOINLINE static double stage(arena *a, double x, int n) {
  char *flags = allocate(a, a->flags);
  double *u = allocate(a, a->bytes[0]), *v = allocate(a, a->bytes[1]), s = 0;
  for (int i = 0; i < n; i++)
    flags[i] = i & 1, u[i] = x * i, v[i] = x + i;
  for (int i = 0; i < n; i++)
    s += flags[i] ? u[i] * v[i] : u[i];
  return s;
}

static double in_outside_arena(double *x) {
  outside->current = outside->begin;
  return stage(outside, x[0], 5) + stage(outside, x[0] * x[1], 5);
}

static double in_own_arena(double *x) {
  arena own = {0, malloc(4096), 5, {5 * sizeof(double), 5 * sizeof(double)}};
  own.current = own.begin;
  double s = stage(&own, x[0], 5) + stage(&own, x[0] * x[1], 5);
  free(own.begin);
  return s;
}

int main(void) {
  outside = malloc(sizeof *outside);
  *outside = (arena){0, malloc(4096), 5, {5 * sizeof(double), 5 * sizeof(double)}};
  CHECK(in_outside_arena, 3, 0.5);
  CHECK(in_own_arena, 3, 0.5);
  free(outside->begin);
  free(outside);
  return failures;
}
