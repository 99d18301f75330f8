/* LLVM copies the tail of a struct from a slot of its own, which begins with padding: numbers lie at 4, 12, … there. */
#include "../check.h"
#include <string.h>

struct captured {
  double *first, *second;
  int n;
  double numbers[4];
};
struct links {
  double more[2];
  void *next;
  double *places[4];
};
struct __attribute__((packed, aligned(4))) tail {
  int padding;
  double numbers[4];
};

struct pool {
  void *blocks[2];
};

NOINLINE static void *take(const struct pool *p, int k) { return p->blocks[k]; }

NOINLINE static double of_links(struct links *l) {
  double sum = 0;
  for (int k = 0; k < 4; k++)
    sum += l->places[k][k] * l->more[k & 1];
  return sum;
}

NOINLINE static double of_captured(const struct captured *c) {
  double sum = 0;
  for (int k = 0; k < c->n; k++)
    sum += c->first[k] * c->numbers[k] * c->second[k];
  return sum;
}

static double through(const struct pool *p, double *x) {
  struct tail t;
  struct captured *c = take(p, 0), *copy = take(p, 1);
  t.padding = 0;
  for (int k = 0; k < 4; k++)
    t.numbers[k] = x[k] * x[(k + 1) % 4];
  c->first = x;
  c->second = x + 1;
  c->n = 3;
  memcpy((char *)c + 20, &t, sizeof t);
  double sum = 0;
  for (int k = 0; k < 4; k++)
    sum += sin(t.numbers[k]) * (k + 1);
  memcpy(copy, c, sizeof *c);
  sum += of_captured(copy) + 2 * of_captured(c);
  struct links *l = take(p, 1);
  for (int k = 0; k < 4; k++)
    l->places[k] = x;
  l->more[0] = sum;
  l->more[1] = x[0];
  struct links *again = take(p, 0);
  memcpy(again, l, sizeof *l);
  return sum + of_links(again);
}

static double f(double *x) {
  struct pool p = {{malloc(sizeof(struct links)), malloc(sizeof(struct links))}};
  double sum = through(&p, x);
  free(p.blocks[0]);
  free(p.blocks[1]);
  return sum;
}

static void in_blocks_of_caller(void) {
  struct links blocks[2] = {0}, shadows[2] = {0};
  struct pool p = {{&blocks[0], &blocks[1]}}, dp = {{&shadows[0], &shadows[1]}};
  double x[] = {0.7, -0.4, 1.1, 0.9}, y[] = {0.7, -0.4, 1.1, 0.9}, dx[4] = {0}, dy[4] = {0};
  __enzyme_autodiff((void *)f, x, dx);
  __enzyme_autodiff((void *)through, &p, &dp, y, dy);
  for (int k = 0; k < 4; k++)
    SAME(dy[k], dx[k]);
}

int main(void) {
  CHECK(f, 0.7, -0.4, 1.1, 0.9);
  in_blocks_of_caller();
  return failures;
}
