/* Flags are changed in both branches of a choice: LLVM makes one load of two, and drops what they declare. The arena in
 * which they lie holds floats, or an object of another layout, at other times. */
#include "../check.h"

enum { N = 3 };
struct shape {
  void *link;
  int type, flags;
  double radius;
};
struct counted {
  double weight;
  long count, limit;
};
static char *arena;

NOINLINE static double from_floats(const double *x, int i) {
  float *p = (float *)arena;
  double s = 0;
  for (int k = 0; k < 8; k++)
    p[k] = (float)x[0] * (k + i);
  for (int k = 0; k < 8; k++)
    s += p[k] * x[1];
  return s;
}
NOINLINE static double from_doubles(const double *x, int i) {
  double *p = (double *)arena, s = 0;
  for (int k = 0; k < 4; k++)
    p[k] = x[0] * (k + i);
  for (int k = 0; k < 4; k++)
    s += p[k] * x[1];
  return s;
}
NOINLINE static void set(struct shape *s, double radius) {
  s->radius = radius;
  s->flags = radius == 0 ? s->flags | 32 : s->flags & ~32;
}
NOINLINE static void count(struct counted *c, double weight) {
  c->weight = weight;
  c->count = weight > 4 ? c->count + 1 : c->count - 1;
}
static double f(double *x) {
  double r = 0;
  for (int i = 0; i < N; i++) {
    r += from_floats(x, i);
    struct shape *s = (struct shape *)arena;
    s->flags = 40 + i;
    set(s, x[1] * i);
    r += s->radius * (s->flags & 32 ? 2 : 3);
    r += from_doubles(x, i);
    struct counted *c = (struct counted *)arena;
    c->count = i;
    count(c, x[0] * i);
    r += c->weight * c->count;
  }
  return r;
}

int main(void) {
  double x[2] = {3, 5}, dx[2] = {0}, tangents[2][2] = {{1, 0}, {0, 1}};
  arena = malloc(512);
  __enzyme_autodiff((void *)f, x, dx); /* f = 138 x0 x1 + 6 x0 + 9 x1 here */
  SAME(dx[0], 138 * x[1] + 6);
  SAME(dx[1], 138 * x[0] + 9);
  for (int i = 0; i < 2; i++)
    SAME(__enzyme_fwddiff((void *)f, x, tangents[i]), dx[i]);
  free(arena);
  return failures;
}
