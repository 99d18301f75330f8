/* Pointers and integers lie side by side, and the program reaches the pointers by computed offsets: what is changed
 * through them was read before, and is needed in the reverse sweep. */
#include "records.h"
#include <stddef.h>
#include <stdint.h>

NOINLINE static void scale(struct number *n, double by) { n->v *= by; }
NOINLINE static void fill(struct record *r, struct number **n) {
  r->a = n[0];
  r->n = 1;
  r->b = n[1];
  r->m = 2;
  r->c = n[2];
}

/* an interpreter's stack: numbers, integers and pointers */
NOINLINE static void by_stack(struct number **n, double by) {
  struct {
    int tag;
    union {
      double d;
      long i;
      struct number *p;
    } u;
  } stack[8];
  int top = 0;
  double factor = 1;
  stack[top].tag = 1, stack[top++].u.p = n[0];
  stack[top].tag = 2, stack[top++].u.i = 3;
  stack[top].tag = 1, stack[top++].u.p = n[1];
  stack[top].tag = 1, stack[top++].u.p = n[2];
  stack[top].tag = 0, stack[top++].u.d = by;
  while (top > 0) {
    top--;
    if (stack[top].tag == 1)
      scale(stack[top].u.p, factor);
    else if (stack[top].tag == 0)
      factor = stack[top].u.d;
  }
}

/* members by a table of offsets */
static size_t offsets[] = {offsetof(struct record, a), offsetof(struct record, b), offsetof(struct record, c)};
NOINLINE static struct number *member(struct record *r, int i) {
  return *(struct number **)((char *)r + offsets[i]);
}
NOINLINE static void by_offsets(struct number **n, double by) {
  struct record *r = calloc(1, sizeof *r);
  fill(r, n);
  for (int i = 0; i < 3; i++)
    scale(member(r, i), by);
  free(r);
}

/* the same where the struct is a member, and begins with an array */
struct inner {
  struct number *first[2];
  long n;
  struct number *last;
};
struct outer {
  long n;
  struct inner inner;
  struct number *none;
};
static size_t places[] = {0, sizeof(void *), offsetof(struct inner, last)};
NOINLINE static void fill_inner(struct inner *r, struct number **n) {
  r->first[0] = n[0];
  r->first[1] = n[1];
  r->n = 1;
  r->last = n[2];
}
NOINLINE static void scale_inner(struct inner *r, double by) {
  for (int i = 0; i < 3; i++)
    scale(*(struct number **)((char *)r + places[i]), by);
}
NOINLINE static void by_offsets_of_a_member(struct number **n, double by) {
  struct outer *o = calloc(1, sizeof *o);
  o->n = 4;
  fill_inner(&o->inner, n);
  scale_inner(&o->inner, by);
  free(o);
}

/* all words of a struct */
NOINLINE static void by_words(struct number **n, double by) {
  struct record *r = calloc(1, sizeof *r);
  void **word = (void **)r;
  fill(r, n);
  for (int i = 0; i < 5; i++)
    if ((uintptr_t)word[i] > 4096)
      scale(word[i], by);
  free(r);
}

#define CHANGED(change)                                                                                                \
  static double changed_##change(double *x) {                                                                          \
    struct number *n[3] = {number(x[0]), number(x[1] * x[0]), number(x[2] * x[1])};                                    \
    double sum = 0;                                                                                                    \
    for (int i = 0; i < 3; i++) {                                                                                      \
      sum += cube(n[1]) * sin(n[2]->v) + cube(n[2]) + cube(n[0]);                                                      \
      change(n, x[0]);                                                                                                 \
      sum += n[0]->v * n[1]->v + n[2]->v * n[1]->v;                                                                    \
    }                                                                                                                  \
    free(n[0]), free(n[1]), free(n[2]);                                                                                \
    return sum;                                                                                                        \
  }
CHANGED(by_stack)
CHANGED(by_offsets)
CHANGED(by_offsets_of_a_member)
CHANGED(by_words)

int main(void) {
  CHECK(changed_by_stack, 1.1, 0.5, 0.7);
  CHECK(changed_by_offsets, 1.1, 0.5, 0.7);
  CHECK(changed_by_offsets_of_a_member, 1.1, 0.5, 0.7);
  CHECK(changed_by_words, 1.1, 0.5, 0.7);
  return failures;
}
