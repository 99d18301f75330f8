/* Items of a pool that the caller passes are copied whole: some hold floats, some the link of a free list. Single floats
 * are copied over links as bytes. */
#include "../check.h"

union item {
  float v[6];
  union item *next;
};
struct pool {
  union item *first;
};

NOINLINE static union item *take(struct pool *p) {
  union item *i = p->first;
  p->first = i->next;
  return i;
}
NOINLINE static void give(struct pool *p, union item *i) {
  i->next = p->first;
  p->first = i;
}
NOINLINE static void move(void *to, const void *from, size_t bytes) { memcpy(to, from, bytes); }

static float f(struct pool *p, const float *x) {
  float s = 0;
  for (int t = 0; t < 3; t++) {
    union item *a = take(p), *b = take(p), *c = take(p), free_one;
    for (int i = 0; i < 6; i++)
      a->v[i] = x[i % 2] * (i + t);
    *b = *a;
    b->v[0] *= a->v[1], b->v[5] += b->v[0];
    move(&c->v[1], &b->v[5], sizeof(float)), move(&c->v[0], &b->v[1], sizeof(float));
    s += b->v[0] * a->v[4] + c->v[1] * c->v[0] + b->v[5];
    give(p, c), give(p, a);
    free_one = *p->first;
    *b = free_one; /* the link of a: b takes its place */
    p->first = b;
    give(p, a);
    p->first->next = b; /* a leads to b, b to c */
  }
  return s;
}
static double twin(double *x) {
  double s = 0;
  for (int t = 0; t < 3; t++) {
    double a1 = x[1] * (1 + t), b0 = x[0] * t * a1, b5 = x[1] * (5 + t) + b0;
    s += b0 * x[0] * (4 + t) + b5 * a1 + b5;
  }
  return s;
}

static void link_all(struct pool *p, union item *items) {
  for (int i = 0; i < 4; i++)
    items[i].next = i < 3 ? &items[i + 1] : NULL;
  p->first = items;
}

extern float __enzyme_autodiff_float(void *, ...);

int main(void) {
  double at[] = {1.5, 0.7};
  for (int round = 0; round < 14; round++) { /* shadows at many sorts of addresses */
    union item *items = calloc(4, sizeof *items);
    char *space = calloc(1, 256 << round);
    union item *ditems = (union item *)(space + (128 << round));
    struct pool p, dp;
    link_all(&p, items), link_all(&dp, ditems);
    for (int again = 0; again < 2; again++) {
      float x[] = {1.5f, 0.7f}, dx[] = {0, 0}, v[] = {0.5f, -2};
      __enzyme_autodiff_float((void *)f, &p, &dp, x, dx);
      for (int i = 0; i < 2; i++)
        same("gradient", i, dx[i], check_difference(twin, at, 2, i), 1e-5);
      if (!again)
        continue; /* the next one begins with the links that this one left */
      link_all(&p, items), link_all(&dp, ditems);
      float tangent = __enzyme_fwddiff_float((void *)f, &p, &dp, x, v);
      same("tangent", 0, tangent, 0.5 * dx[0] - 2 * dx[1], 1e-5);
    }
    free(space), free(items);
  }
  return failures;
}
