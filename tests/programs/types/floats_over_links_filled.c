/* Blocks of a pool that the caller passes are zeroed as bytes, then hold floats and a pointer to their owner; free ones
 * hold the link of a free list. */
#include "../check.h"

struct body {
  float position[3], mass;
  const float *scale;
};
union block {
  struct body body;
  union block *next;
};
struct pool {
  union block *first;
};

NOINLINE static struct body *make(struct pool *p, const float *scale) {
  union block *b = p->first;
  p->first = b->next;
  memset(b, 0, sizeof *b);
  b->body.scale = scale;
  return &b->body;
}
NOINLINE static void drop(struct pool *p, struct body *body) {
  union block *b = (union block *)body;
  b->next = p->first;
  p->first = b;
}

static float f(struct pool *p, const float *x) {
  float s = 0;
  for (int t = 0; t < 3; t++) {
    struct body *a = make(p, x), *b = make(p, x + 1);
    a->position[0] += *a->scale * (t + 1);
    b->position[1] += a->position[0] * *b->scale, b->mass = x[1];
    s += a->position[0] * b->position[1] + b->mass * b->position[1] + a->mass + b->position[0];
    drop(p, a);
    if (t != 1)
      drop(p, b);
  }
  return s;
}
static double twin(double *x) {
  double s = 0;
  for (int t = 0; t < 3; t++) {
    double a = x[0] * (t + 1), b = a * x[1];
    s += a * b + x[1] * b;
  }
  return s;
}

static void link_all(struct pool *p, union block *blocks) {
  for (int i = 0; i < 4; i++)
    blocks[i].next = i < 3 ? &blocks[i + 1] : NULL;
  p->first = blocks;
}

extern float __enzyme_autodiff_float(void *, ...);

int main(void) {
  double at[] = {1.5, 0.7};
  for (int round = 0; round < 14; round++) { /* shadows at many sorts of addresses */
    union block blocks[4];
    char *space = calloc(1, 256 << round);
    union block *dblocks = (union block *)(space + (128 << round) - 128);
    struct pool p, dp;
    link_all(&p, blocks), link_all(&dp, dblocks);
    float x[] = {1.5f, 0.7f}, dx[] = {0, 0}, v[] = {0.5f, -2};
    __enzyme_autodiff_float((void *)f, &p, &dp, x, dx);
    for (int i = 0; i < 2; i++)
      same("gradient", i, dx[i], check_difference(twin, at, 2, i), 1e-5);
    link_all(&p, blocks), link_all(&dp, dblocks);
    float tangent = __enzyme_fwddiff_float((void *)f, &p, &dp, x, v);
    same("tangent", 0, tangent, 0.5 * dx[0] - 2 * dx[1], 1e-5);
    free(space);
  }
  return failures;
}
