/* Items of a pool are a pair of floats, or the link of a free list. Each float takes one half of the link's word: no half
 * of the link's shadow may stay beside an adjoint. Where the pool lies decides what such a half adds. */
#include "../check.h"

union item {
  struct {
    float a, b;
  } pair;
  struct {
    int key;
    float weight;
  } weighted;
  double number;
  union item *next;
};
struct pool {
  union item *first;
};
struct owner {
  int id;
  struct pool *pool;
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

static float run(struct pool *p, const float *x, int zero_first) {
  float s = 0;
  for (int t = 0; t < 3; t++) {
    union item *u = take(p), *v = take(p), *w = take(p);
    if (zero_first)
      u->pair.a = u->pair.b = 0;
    u->pair.a += x[0] * x[1] * (zero_first || (u->pair.a = 0) == 0), u->pair.b = x[1] + t;
    give(p, w);
    w = take(p);
    v->weighted.key = t, v->weighted.weight = u->pair.a * x[1];
    w->number = v->weighted.weight * v->weighted.key;
    u->pair.a *= u->pair.b;
    s += u->pair.a * v->weighted.weight + (float)w->number * u->pair.b;
    give(p, v), give(p, u), give(p, w);
  }
  return s;
}
static double twin(double *x) {
  double s = 0;
  for (int t = 0; t < 3; t++) {
    double a = x[0] * x[1], b = x[1] + t, v = a * x[1];
    s += a * b * v + v * t * b;
  }
  return s;
}

static struct pool global;
static union item items_of_global[4];
static float of_caller(struct pool *p, float *x) { return run(p, x, 0); }
static float of_owner(struct owner *o, float *x) { return run(o->pool, x, 1); }
static void link_all(struct pool *p, union item *items) {
  for (int i = 0; i < 4; i++)
    items[i].next = i < 3 ? &items[i + 1] : NULL;
  p->first = items;
}
/* After a gradient, the shadow has the links that it was passed with: the program makes it fit the pool again. */
static void follow(const struct pool *p, const union item *items, struct pool *dp, union item *ditems) {
  dp->first = ditems + (p->first - items);
  for (const union item *i = p->first; i; i = i->next)
    ditems[i - items].next = i->next ? ditems + (i->next - items) : NULL;
}
static float of_global(float *x) {
  link_all(&global, items_of_global);
  return run(&global, x, 0);
}

static void compare(const char *name, const float *dx) {
  double at[] = {1.5, 0.7};
  for (int i = 0; i < 2; i++)
    same(name, i, dx[i], check_difference(twin, at, 2, i), 1e-5);
}

extern float __enzyme_autodiff_float(void *, ...);

int main(void) {
  /* shadows whose addresses have very different halves, as floats */
  for (int round = 0; round < 16; round++) {
    char *space = calloc(1, 64 << round), *other = malloc(2000 * round + 8);
    union item *items = calloc(4, sizeof *items), *ditems = (union item *)(space + (32 << round));
    struct pool p, dp;
    struct owner o = {1, &p}, d_o = {0, &dp};
    link_all(&p, items), link_all(&dp, ditems);
    for (int again = 0; again < 2; again++) { /* with the links that the first one leaves */
      float x[] = {1.5f, 0.7f}, dx[] = {0, 0};
      follow(&p, items, &dp, ditems);
      __enzyme_autodiff_float((void *)of_caller, &p, &dp, x, dx);
      compare("of the caller", dx);
      dx[0] = dx[1] = 0;
      follow(&p, items, &dp, ditems);
      __enzyme_autodiff_float((void *)of_owner, &o, &d_o, x, dx);
      compare("behind a handle", dx);
      dx[0] = dx[1] = 0;
      __enzyme_autodiff_float((void *)of_global, x, dx);
      compare("of a global", dx);
      follow(&p, items, &dp, ditems);
      float v[] = {0.5f, -2}, tangent = __enzyme_fwddiff_float((void *)of_caller, &p, &dp, x, v);
      same("tangent", 0, tangent, 0.5 * dx[0] - 2 * dx[1], 1e-5);
    }
    same("links", round, (p.first->next - items) * 1000 + (p.first - items), (dp.first->next - ditems) * 1000 + (dp.first - ditems), 0);
    free(space), free(items), free(other);
  }
  return failures;
}
