/* Structs of pointers and integers are copied word by word: the pointers of the copy lead to the same numbers. */
#include "records.h"

enum { WORDS = sizeof(struct record) / sizeof(void *) };
#define BARRIER __asm__ volatile("" ::: "memory") /* else LLVM would call memcpy */

NOINLINE static void by_pointers(void **to, void **from) {
  for (int k = 0; k < WORDS; k++) {
    void *word = from[k];
    BARRIER;
    to[k] = word;
  }
}

NOINLINE static void by_integers(void **to, void **from) {
  for (int k = 0; k < WORDS; k++) {
    long word = ((long *)from)[k];
    BARRIER;
    ((long *)to)[k] = word;
  }
}

NOINLINE static void by_memcpy(void **to, void **from) {
  for (int k = 0; k < WORDS; k++) {
    memcpy(to + k, from + k, sizeof *to);
    BARRIER;
  }
}

NOINLINE static void *get(void **from, int k) { return from[k]; }
NOINLINE static void put(void **to, int k, void *word) { to[k] = word; }
NOINLINE static void by_functions(void **to, void **from) {
  for (int k = 0; k < WORDS; k++)
    put(to, k, get(from, k));
}

NOINLINE static double use(struct record *r) { return r->a->v * r->n + r->b->v * r->b->v * r->m + sin(r->c->v); }
NOINLINE static void scale(struct record *r, double by) {
  r->a->v *= by;
  r->b->v *= by;
  r->c->v *= by;
}
NOINLINE static void fill(struct record *r, struct number *a, struct number *b, struct number *c) {
  r->a = a;
  r->b = b;
  r->c = c;
  r->n = 3;
  r->m = 2;
}

#define COPIED(copy)                                                                                                   \
  static double with_##copy(double *x) {                                                                               \
    struct record *p = malloc(sizeof *p), *q = malloc(sizeof *q);                                                      \
    struct number *a = number(x[0]), *b = number(x[1] * x[0]), *c = number(x[2] * x[1]);                               \
    double sum = 0;                                                                                                    \
    fill(p, a, b, c);                                                                                                  \
    copy((void **)q, (void **)p);                                                                                      \
    for (int i = 0; i < 3; i++) {                                                                                      \
      sum += cube(b) * sin(c->v) + cube(c);                                                                            \
      scale(q, x[0]); /* changes what the other struct's pointers lead to */                                           \
      sum += use(q) * use(p);                                                                                          \
    }                                                                                                                  \
    free(a), free(b), free(c), free(p), free(q);                                                                       \
    return sum;                                                                                                        \
  }
COPIED(by_pointers)
COPIED(by_integers)
COPIED(by_memcpy)
COPIED(by_functions)

int main(void) {
  CHECK(with_by_pointers, 1.1, 0.5, 0.7);
  CHECK(with_by_integers, 1.1, 0.5, 0.7);
  CHECK(with_by_memcpy, 1.1, 0.5, 0.7);
  CHECK(with_by_functions, 1.1, 0.5, 0.7);
  return failures;
}
