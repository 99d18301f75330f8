/* Forward mode of gradients that move unions of numbers and pointers: copied whole, in a pool that is used again, and
   places that hold one, then the other. */
#include "../check.h"

struct expression {
  enum { NUMBER, VARIABLE, ADD, MULTIPLY, SINE } tag;
  union {
    double number;
    int variable;
    struct {
      const struct expression *left, *right;
    } pair;
  } u;
};
NOINLINE static double value(const struct expression *e, const double *x) {
  switch (e->tag) {
  case NUMBER:
    return e->u.number;
  case VARIABLE:
    return x[e->u.variable];
  case ADD:
    return value(e->u.pair.left, x) + value(e->u.pair.right, x);
  case MULTIPLY:
    return value(e->u.pair.left, x) * value(e->u.pair.right, x);
  default:
    return sin(value(e->u.pair.left, x));
  }
}
static double tree(const double *x) {
  struct expression a = {VARIABLE, {.variable = 0}}, b = {VARIABLE, {.variable = 1}};
  struct expression n = {NUMBER, {.number = x[1] * x[2]}};
  struct expression product = {MULTIPLY, {.pair = {&a, &n}}}, sine = {SINE, {.pair = {&product, NULL}}};
  struct expression sum = {ADD, {.pair = {&sine, &b}}}, all = {MULTIPLY, {.pair = {&sum, &sum}}};
  return value(&all, x);
}

union node {
  struct {
    double a, b;
  } leaf;
  struct {
    union node *left, *right;
  } inner;
  union node *next;
};
struct pool {
  union node *free, *block;
};
static NOINLINE union node *take(struct pool *p) {
  if (!p->free) {
    p->free = p->block = malloc(4 * sizeof *p->block);
    for (int i = 0; i < 4; i++)
      p->block[i].next = i < 3 ? &p->block[i + 1] : NULL;
  }
  union node *found = p->free;
  p->free = found->next;
  return found;
}
static NOINLINE void give(struct pool *p, union node *n) {
  n->next = p->free;
  p->free = n;
}
static double pool(const double *x) {
  struct pool p = {0};
  double s = 0;
  for (int k = 0; k < 3; k++) {
    union node *l = take(&p), *r = take(&p), *both = take(&p);
    l->leaf.a = x[0] * x[1], l->leaf.b = x[k];
    r->leaf.a = s + x[2], r->leaf.b = x[1];
    both->inner.left = l, both->inner.right = r;
    union node copy = *both, second = *copy.inner.left;
    s += copy.inner.left->leaf.a * copy.inner.right->leaf.b + sin(copy.inner.right->leaf.a) * second.leaf.b;
    give(&p, both);
    give(&p, r);
    give(&p, l);
  }
  free(p.block);
  return s;
}

union word {
  double number;
  const double *pointer;
};
static double words(const double *x) {
  union word at[4];
  int top = 0;
  double s = 0, local = x[1] * x[0];
  for (int i = 0; i < 5; i++) {
    at[top++ & 3].number = x[0] * x[1] + s;
    at[top++ & 3].pointer = i & 1 ? x : &local;
    s += *at[--top & 3].pointer * x[2];
    s += sin(at[--top & 3].number);
    at[top++ & 3].pointer = i & 1 ? x : &local;
    at[top++ & 3].number = x[2] * s;
    s += sin(at[--top & 3].number);
    s += *at[--top & 3].pointer * s;
    top += i & 1;
  }
  return s;
}

#define SLOPE(f)                                                                                                       \
  static double slope_of_##f(double *x) {                                                                              \
    double d[3] = {0};                                                                                                 \
    __enzyme_autodiff((void *)f, x, d);                                                                                \
    return d[0] * d[1] + 2 * d[1] + d[2] * d[0];                                                                       \
  }
SLOPE(tree)
SLOPE(pool)
SLOPE(words)

/* second derivatives in the three directions, against differences of the gradient */
static void compare(const char *what, double (*slope)(double *), double *found) {
  const double x[3] = {0.5, 1.2, -0.7}, h = 1e-5;
  for (int k = 0; k < 3; k++) {
    double up[3] = {x[0], x[1], x[2]}, down[3] = {x[0], x[1], x[2]};
    up[k] += h, down[k] -= h;
    same(what, k, found[k], (slope(up) - slope(down)) / (2 * h), 1e-8);
  }
}

int main(void) {
  double x[3] = {0.5, 1.2, -0.7}, trees[3], pools[3], all_words[3];
  for (int k = 0; k < 3; k++) {
    double direction[3] = {k == 0, k == 1, k == 2};
    trees[k] = __enzyme_fwddiff((void *)slope_of_tree, x, direction);
    pools[k] = __enzyme_fwddiff((void *)slope_of_pool, x, direction);
    all_words[k] = __enzyme_fwddiff((void *)slope_of_words, x, direction);
  }
  compare("tree", slope_of_tree, trees);
  compare("pool", slope_of_pool, pools);
  compare("words", slope_of_words, all_words);
  return failures;
}
