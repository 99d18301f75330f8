/* Intrusive lists: a link inside a struct leads to the struct around it; flexible arrays at the end of structs. */
#include "../check.h"
#include <stddef.h>

struct link {
  struct link *next;
};
struct particle {
  double mass, position;
  struct link link;
  int id;
};
struct block {
  int n;
  double total, value[];
};

#define CONTAINER(l) ((struct particle *)((char *)(l) - offsetof(struct particle, link)))

static double energy(struct link *first) {
  double e = 0;
  for (struct link *l = first; l; l = l->next)
    for (struct link *k = l->next; k; k = k->next)
      e += CONTAINER(l)->mass * CONTAINER(k)->mass / (1 + fabs(CONTAINER(l)->position - CONTAINER(k)->position));
  return e;
}

static double particles(double *x) {
  struct particle p[3];
  struct link *first = NULL;
  for (int i = 0; i < 3; i++) {
    p[i] = (struct particle){x[i], i * x[(i + 1) % 3], {first}, i};
    first = &p[i].link;
  }
  return energy(first);
}

static double blocks(double *x) {
  struct block *b = malloc(sizeof *b + 4 * sizeof b->value[0]);
  b->n = 4, b->total = x[0];
  for (int i = 0; i < b->n; i++)
    b->value[i] = x[i % 3] * x[1];
  struct block *c = malloc(sizeof *c + 4 * sizeof c->value[0]);
  memcpy(c, b, sizeof *b + (size_t)b->n * sizeof b->value[0]);
  for (int i = 0; i < c->n; i++)
    c->total += c->value[i] * c->value[c->n - 1 - i];
  double r = c->total * b->total;
  free(b), free(c);
  return r;
}

int main(void) {
  CHECK(particles, 0.5, 1.2, -0.7);
  CHECK(blocks, 0.5, 1.2, -0.7);
  return failures;
}
