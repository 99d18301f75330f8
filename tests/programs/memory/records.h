/* A struct of pointers to numbers and of integers, by turns. */
#ifndef RECORDS_H
#define RECORDS_H
#include "../check.h"

struct number {
  double v;
};
struct record {
  struct number *a;
  long n;
  struct number *b;
  long m;
  struct number *c;
};

NOINLINE static double cube(struct number *n) { return n->v * n->v * n->v; }
NOINLINE static struct number *number(double v) {
  struct number *n = malloc(sizeof *n);
  n->v = v;
  return n;
}

#endif
