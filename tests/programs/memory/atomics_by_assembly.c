/* Atomic accesses of memory by inline assembly, as in libraries older than the atomic types of C and C++. */
#include "../check.h"

#if !defined __x86_64__ || defined FORTRAN
int main(void) { return 0; }
#else
#include <stdlib.h>

struct number {
  struct number *next;
  double value;
  int uses;
};

static struct number *list;

static int added(int *place, int by) {
  __asm__ __volatile__("lock\n\txaddl %0, %1" : "=r"(by), "=m"(*place) : "0"(by), "m"(*place) : "memory", "cc");
  return by;
}
static void count(int *place) { __asm__ __volatile__("lock; incl %0;" : "=m"(*place) : "m"(*place) : "memory", "cc"); }
static void less(int *place) { __asm__ __volatile__("lock; decl %0;" : "+m"(*place) : : "memory", "cc"); }
static void more(int *place, int by) {
  __asm__ __volatile__("lock; addl %1, %0;" : "=m"(*place) : "rK"(by), "m"(*place) : "memory", "cc");
}
static char exchanged_if(int *place, int expected, int next) {
  char done;
  __asm__ __volatile__("lock; cmpxchgl %3, %0; setzb %1;"
                       : "=m"(*place), "=a"(done)
                       : "a"(expected), "r"(next), "m"(*place)
                       : "memory", "cc");
  return done;
}
static struct number *exchanged(struct number **place, struct number *next) {
  struct number *before;
  __asm__ __volatile__("xchg %2, %0;" : "=m"(*place), "=r"(before) : "1"(next), "m"(*place) : "memory");
  return before;
}

static struct number *made(double value) {
  struct number *n = malloc(sizeof *n);
  n->next = NULL, n->value = value, n->uses = 0;
  return n;
}

static double counted(double *x) {
  struct number *n = made(x[0] * x[1]);
  count(&n->uses), more(&n->uses, 5), less(&n->uses);
  double result = 0;
  for (int k = 0; k < 3; k++)
    result += added(&n->uses, k) * n->value * x[k & 1];
  if (exchanged_if(&n->uses, 8, 2))
    result += n->uses * x[1];
  result += exchanged_if(&n->uses, 8, 4) ? 1000 : n->uses * n->value;
  free(n);
  return result;
}

static double listed(double *x) {
  struct number *first = made(x[0] * x[0]), *second = made(sin(x[1]));
  exchanged(&list, first);
  struct number *before = exchanged(&list, second);
  double result = before->value * list->value;
  list = NULL;
  free(first), free(second);
  return result;
}

int main(void) {
  CHECK(counted, 1.3, 0.7);
  CHECK(listed, 1.3, 0.7);
  return failures;
}
#endif
