/* Generic code: elements by size through char and void pointers, callbacks on them, numbers in byte buffers. */
#include "../check.h"

typedef void apply(void *element, void *context);

NOINLINE static void each(void *base, size_t n, size_t size, apply *f, void *context) {
  for (char *p = base, *end = p + n * size; p < end; p += size)
    f(p, context);
}

NOINLINE static void exchange(void *a, void *b, size_t size) {
  char t[64];
  memcpy(t, a, size), memcpy(a, b, size), memcpy(b, t, size);
}

struct entry {
  float f;
  int n;
  double d;
};
struct context {
  double scale;
  int calls;
};

static void scale(void *element, void *context) {
  struct context *c = context;
  *(double *)element *= c->scale;
  c->calls++;
}

static void mix(void *element, void *context) {
  struct entry *e = element;
  e->d = e->d * e->f + ((struct context *)context)->scale * e->n;
}

static double run(double *x) {
  struct context c = {x[0] * 2, 0};
  double a[3] = {x[0], x[1], x[2]};
  struct entry e[2] = {{0.5f, 2, x[1]}, {2, 3, x[2]}};
  each(a, 3, sizeof *a, scale, &c);
  each(e, 2, sizeof *e, mix, &c);
  exchange(&a[0], &a[2], sizeof *a);
  exchange(&e[0], &e[1], sizeof *e);
  unsigned char bytes[sizeof(double) * 3];
  memcpy(bytes, a, sizeof a);
  double back[3];
  memcpy(back, bytes, sizeof bytes);
  return back[0] * back[1] + back[2] * e[0].d * e[0].f + e[1].d * c.calls;
}

int main(void) {
  CHECK(run, 0.5, 1.2, -0.7);
  return failures;
}
