/* A group of locks keeps its number in a union, and passes its size to a hook of the program that releases memory.
 * Another hook of the same type stores the word that it is given where numbers are read. */
#include "../check.h"
#include <stddef.h>

typedef struct {
  union {
    unsigned count;
    unsigned long reserved[2];
  } head;
  char locks[1];
} group;
typedef union {
  double number;
  unsigned long word;
} value;
typedef void (*hook)(void *, unsigned long);

static unsigned long released;
static void *spare;

static void release(void *p, unsigned long size) {
  released += size * 2;
  spare = p;
}

static void keep(void *p, unsigned long word) { ((value *)p)->word = word; }

static hook hooks[2] = {release, keep};
static volatile int releases = 0, keeps = 1;

static NOINLINE void *block(void) {
  void *p = spare ? spare : malloc(32);
  spare = NULL;
  return p;
}

static NOINLINE void let_go(group *g) {
  hooks[releases](g, offsetof(group, locks) + g->head.count * sizeof(char));
}

static double f(double *x) {
  group *g = block();
  g->head.count = 3;
  double sum = x[0] * g->head.count;
  let_go(g);
  value *v = block();
  v[0].number = x[0] * x[1];
  hooks[keeps](&v[1], 1ul << 62);
  sum += v[0].number * v[1].number;
  spare = v;
  return sum;
}

int main(void) {
  CHECK(f, 1.5, 0.7);
  return failures;
}
