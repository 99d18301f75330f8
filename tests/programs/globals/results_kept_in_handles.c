/* Results that f keeps in memory behind pointers for the next call with the same argument: a call before the gradient,
 * at the same place, must not make it the gradient of a constant. The handle is behind a global, or counts as constant. */
#include "../check.h"

struct cache {
  double key[3];
  float rough;
  double value;
  double *x, *product; /* a vector of its own, and its result */
};
struct handle {
  int calls;
  double last_t, last;
  double near_t, near;
  struct cache *cache;
  double now, distance, limit;
};
static struct handle *handle;

NOINLINE static struct handle *make(void) {
  struct handle *h = calloc(1, sizeof *h);
  h->cache = calloc(1, sizeof *h->cache);
  h->cache->x = calloc(3, sizeof(double));
  h->cache->product = calloc(1, sizeof(double));
  h->limit = 0.7;
  return h;
}

static void destroy(struct handle *h) {
  free(h->cache->x);
  free(h->cache->product);
  free(h->cache);
  free(h);
}

NOINLINE static double position(struct handle *h, double t) {
  h->calls++;
  if (t == h->last_t)
    return h->last;
  h->last_t = t;
  return h->last = sin(t) + t * t;
}

/* near enough */
NOINLINE static double near(struct handle *h, const double *t) {
  if (fabs(*t - h->near_t) > 1e-14) {
    h->near_t = *t;
    h->near = exp(*t) * *t;
  }
  return h->near;
}

/* a vector that memcmp compares, and is set by another function */
NOINLINE static void set(struct cache *c, const double *x) {
  memcpy(c->key, x, sizeof c->key);
  c->value = x[0] * x[0] * x[1] + x[1] * x[2];
}
NOINLINE static double norm(struct handle *h, const double *x) {
  if (memcmp(h->cache->key, x, sizeof h->cache->key))
    set(h->cache, x);
  return h->cache->value;
}

/* a vector that a loop compares */
NOINLINE static double product(struct handle *h, const double *x, int n) {
  int same = 1;
  for (int i = 0; i < n; i++)
    same &= h->cache->x[i] == x[i];
  if (!same) {
    double p = 1;
    for (int i = 0; i < n; i++)
      h->cache->x[i] = x[i], p *= x[i];
    *h->cache->product = p;
  }
  return *h->cache->product;
}

static double all(double *x) {
  struct handle *h = handle;
  double sum = position(h, x[0]) * position(h, x[1]) + position(h, x[1]); /* the last one is found */
  sum += near(h, x) + 2 * near(h, x) * near(h, x + 1);
  return sum + norm(h, x) * product(h, x, 3) + norm(h, x);
}

/* of memory that counts as constant, the key is never equal: what is kept there has no derivative */
static double twice(struct handle *h, double t) { return position(h, t) * position(h, t) + t * position(h, t); }

/* a loop until nothing changes */
static double fixed(double *x) {
  struct handle *h = handle;
  double y = h->now = 0.3;
  for (int k = 0; k < 200; k++) {
    y = cos(x[0] * h->now) * x[1] * 0.5;
    if (y == h->now)
      break;
    h->now = y;
  }
  return y;
}

/* no key: the number is compared with a limit that f does not set, and with what it uses further on, loaded again: the
 * product may lie there, too */
static double beyond(double *x) {
  struct handle *h = handle;
  double y = x[0] == h->limit ? 1 : sin(x[0] - h->limit) / (x[0] - h->limit);
  if (x[1] != h->distance) {
    *h->cache->product = x[0];
    y += x[1] / (x[1] - h->distance);
    h->distance = x[1];
  }
  return y + x[0];
}

int main(int count, char **words) {
  double x[] = {0.5, 1.2, 0.7}, dx[2] = {0};
  struct handle *handles[] = {make(), make()};
  handle = handles[count > 5];
  for (int k = 0; k < 2; k++) {
    all(x);
    CHECK(all, 0.5, 1.2, 0.7);
    fixed(x);
    CHECK(fixed, 0.5, 1.2);
  }
  struct handle *h = make();
  double t = 0.8, p = sin(t) + t * t, dp = cos(t) + 2 * t;
  for (int k = 0; k < 2; k++) {
    twice(h, t);
    SAME(__enzyme_autodiff((void *)twice, enzyme_const, h, t), 2 * p * dp + p + t * dp);
    SAME(__enzyme_fwddiff((void *)twice, enzyme_const, h, t, 1.0), 2 * p * dp + p + t * dp);
  }
  handle->limit = 0.5, handle->distance = 1.2;
  __enzyme_autodiff((void *)beyond, x, dx);
  SAME(dx[0], 1);
  SAME(dx[1], 0);
  destroy(handles[0]);
  destroy(handles[1]);
  destroy(h);
  return failures;
}
