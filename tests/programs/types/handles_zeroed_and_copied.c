/* Static handles with fields of all sorts: zeroed as bytes, copied, swapped, reached through a pointer; lists beside them. */
#include "../check.h"
enum { KINDS = 3 };
typedef struct node {
  struct node *next;
  double v;
  int id;
} node;
typedef struct {
  int n;
  double *a;
  int *order;
  float gain;
  const char *name;
  double (*op)(double);
  node *first;
  double w[4];
  short flags[2];
} handle;
static handle one, table[KINDS], *current = &one;
static double square(double x) { return x * x; }

NOINLINE static void *zeroed(size_t n, size_t size) {
  void *p = malloc(n * size);
  memset(p, 0, n * size);
  return p;
}
NOINLINE static void init(handle *h, int n) {
  memset(h, 0, sizeof *h);
  h->n = n, h->op = square, h->name = "one", h->gain = 1.5f;
  h->a = zeroed(n, sizeof *h->a), h->order = zeroed(n, sizeof *h->order);
}
NOINLINE static void copy(handle *to, const handle *from) {
  *to = *from;
  to->a = zeroed(from->n, sizeof *to->a), to->order = zeroed(from->n, sizeof *to->order), to->first = NULL;
  memcpy(to->a, from->a, from->n * sizeof *to->a);
  memcpy(to->order, from->order, from->n * sizeof *to->order);
}
NOINLINE static void push(handle *h, double v) {
  node *p = zeroed(1, sizeof *p);
  p->v = v, p->next = h->first, p->id = h->n;
  h->first = p;
}
NOINLINE static double value(handle *h, const double *x) {
  double s = h->gain;
  for (int i = 0; i < h->n; i++) {
    s += h->a[i] * x[i] + h->op(h->w[i]);
    h->order[i] = i;
  }
  for (node *p = h->first; p; p = p->next)
    s += p->v * p->id;
  return s;
}
NOINLINE static void done(handle *h) {
  free(h->a), free(h->order);
  for (node *p = h->first, *next; p; p = next) {
    next = p->next;
    free(p);
  }
  memset(h, 0, sizeof *h);
}

static double f(double *x) {
  double s = 0;
  init(current, 3);
  for (int i = 0; i < 3; i++)
    one.a[i] = x[i] * x[0], one.w[i] = x[1] * i;
  push(current, x[2]);
  for (int k = 0; k < KINDS; k++) {
    copy(&table[k], current);
    push(&table[k], x[k] * x[k]);
    table[k].w[k] += x[2];
  }
  for (int k = 0; k < KINDS; k++)
    s += value(&table[k], x) * (k + 1);
  s += value(&one, x);
  handle swapped = table[0];
  table[0] = table[1], table[1] = swapped;
  s += table[0].w[1] * table[1].first->v;
  for (int k = 0; k < KINDS; k++)
    done(&table[k]);
  done(current);
  return s;
}

static double along(double *x) {
  double dx[] = {0.3, -0.7, 0.5};
  return __enzyme_fwddiff((void *)f, enzyme_dup, x, dx);
}
static double component(double *x) {
  double dx[3] = {0};
  __enzyme_autodiff((void *)f, x, dx);
  return dx[0] + 2 * dx[1] - dx[2];
}

int main(void) {
  double at[] = {0.3, 1.2, 0.7}, x[] = {0.3, 1.2, 0.7}, v[] = {0.2, 0.4, -0.1}, twice = 0, over_reverse = 0;
  CHECK(f, 0.3, 1.2, 0.7);
  CHECK(f, 0.8, -0.4, 1.7);
  for (int i = 0; i < 3; i++) {
    twice += v[i] * check_difference(along, at, 3, i);
    over_reverse += v[i] * check_difference(component, at, 3, i);
  }
  SAME(__enzyme_fwddiff((void *)along, enzyme_dup, x, v), twice);
  SAME(__enzyme_fwddiff((void *)component, enzyme_dup, x, v), over_reverse);
  return failures;
}
