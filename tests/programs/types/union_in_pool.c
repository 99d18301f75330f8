/* A pool of nodes that are leaves (numbers) or inner (pointers), used again after they are given back. */
#include "../check.h"
union node { struct { double a, b; } leaf; struct { union node *left, *right; } inner; union node *next; };
struct pool { union node *free; union node *blocks[8]; int n; };
NOINLINE static union node *take(struct pool *p) {
  if (!p->free) {
    union node *b = malloc(4 * sizeof *b);
    p->blocks[p->n++] = b;
    for (int i = 0; i < 4; i++)
      b[i].next = i < 3 ? &b[i + 1] : NULL;
    p->free = b;
  }
  union node *r = p->free;
  p->free = r->next;
  return r;
}
NOINLINE static void give(struct pool *p, union node *n) { n->next = p->free; p->free = n; }
NOINLINE static union node *leaf(struct pool *p, double a, double b) { union node *n = take(p); n->leaf.a = a; n->leaf.b = b; return n; }
NOINLINE static union node *inner(struct pool *p, union node *l, union node *r) { union node *n = take(p); n->inner.left = l; n->inner.right = r; return n; }
static double run(double *x) {
  struct pool p = {0};
  double s = 0;
  for (int k = 0; k < 3; k++) {
    union node *l = leaf(&p, x[0] * x[1], x[k]), *r = leaf(&p, s + x[2], x[1]), *t = inner(&p, l, r), copy = *t, c2 = *copy.inner.left;
    s += copy.inner.left->leaf.a * copy.inner.right->leaf.b + sin(copy.inner.right->leaf.a) * c2.leaf.b;
    give(&p, t); give(&p, r); give(&p, l);
  }
  for (int i = 0; i < p.n; i++) free(p.blocks[i]);
  return s;
}
int main(void) { CHECK(run, 0.5, 1.2, -0.7); return failures; }
