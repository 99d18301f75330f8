/* Whole copies of a union that holds numbers and pointers in turn: only the run decides which. */
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

static double run(double *x) {
  struct expression a = {VARIABLE, {.variable = 0}}, b = {VARIABLE, {.variable = 1}}, n = {NUMBER, {.number = x[1] * 3}};
  struct expression product = {MULTIPLY, {.pair = {&a, &n}}}, sine = {SINE, {.pair = {&product, NULL}}};
  struct expression sum = {ADD, {.pair = {&sine, &b}}}, all = {MULTIPLY, {.pair = {&sum, &sum}}};
  return value(&all, x);
}

int main(void) {
  CHECK(run, 0.5, 1.2);
  return failures;
}
