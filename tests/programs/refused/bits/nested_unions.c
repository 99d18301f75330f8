/* EZ0309: reverse mode of a gradient that moves unions of numbers and pointers.
 * expect: this gradient cannot be differentiated in reverse mode again
 */
#include "../../check.h"

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

static double slope(const double *x) {
  double d[3] = {0};
  __enzyme_autodiff((void *)tree, x, d);
  return d[0] * d[1];
}
int main(void) {
  double x[3] = {2, 3, 5}, dx[3] = {0};
  __enzyme_autodiff((void *)slope, x, dx);
  return dx[0] == 0;
}
