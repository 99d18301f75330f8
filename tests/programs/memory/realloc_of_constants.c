/* A constant block of numbers and pointers, made by the caller, grows by realloc and then holds active numbers. */
#include "../check.h"

struct item {
  double value;
  const double *factor;
};

static const double two = 2, eight = 8;
static struct item *made;

NOINLINE static struct item *grown(struct item *old, int n) { return realloc(old, n * sizeof *old); }

static double weighted(double *x, struct item *items) {
  double sum = 0;
  items = grown(items, 3);
  items[2] = (struct item){x[0] * x[1], &two};
  for (int i = 0; i < 3; i++)
    sum += items[i].value * *items[i].factor * x[1];
  made = items;
  return sum;
}

static struct item *block(void) {
  struct item *items = malloc(2 * sizeof *items);
  items[0] = (struct item){3, &eight}, items[1] = (struct item){5, &two};
  return items;
}

int main(void) {
  double x[] = {0.5, 1.25}, dx[] = {0, 0}, way[] = {1, 2};
  __enzyme_autodiff((void *)weighted, x, dx, enzyme_const, block());
  SAME(dx[0], 2 * x[1] * x[1]);
  SAME(dx[1], 34 + 4 * x[0] * x[1]);
  SAME(__enzyme_fwddiff((void *)weighted, x, way, enzyme_const, block()), dx[0] + 2 * dx[1]);
  SAME(made[2].value, x[0] * x[1]);
  free(made);
  return failures;
}
