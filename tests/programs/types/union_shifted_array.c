/* Unions of floats, doubles and pointers shift by one place in an array. The first are set apart from the others. */
#include "../check.h"
struct value { union { float f; double d; const double *r; } u; char kind; };
struct stack { int top; struct value *items; };

static void put(struct value *v, int kind, double e, const double *x) {
  v->kind = (char)kind;
  switch (kind) {
  case 0: v->u.f = (float)e; break;
  case 1: v->u.d = e; break;
  default: v->u.r = x;
  }
}
static double number(const struct value *v) {
  return v->kind == 0 ? v->u.f * v->u.f : v->kind == 1 ? v->u.d * v->u.d : *v->u.r;
}
NOINLINE static void step(struct stack *s, int i, const double *x) {
  put(&s->items[s->top++], i % 3, x[0] * x[1], x);
  if (i > 1)
    memmove(s->items, s->items + 1, --s->top * sizeof *s->items);
}
static double run(const double *x, struct value *items) {
  struct stack s = {.top = 0, .items = items};
  double sum = 0;
  items[0].kind = 2, items[0].u.r = x + 1;
  items[1].kind = 1, items[1].u.d = x[0];
  s.top = 2;
  for (int i = 0; i < 6; i++)
    step(&s, i, x);
  for (int i = 0; i < s.top; i++)
    sum += number(&s.items[i]) * (i + 1);
  return sum;
}
static double in_global(double *x) {
  static struct value items[8];
  return run(x, items);
}
static double on_stack(double *x) {
  struct value items[8];
  return run(x, items);
}
/* kinds are left in the order 2 0 1 2 */
static double twin(double *x) {
  double p = x[0] * x[1];
  return x[0] + 2 * p * p + 3 * p * p + 4 * x[0];
}
NARROW(in_global, 2)
NARROW(on_stack, 2)

int main(void) {
  CHECK_FLOAT(narrow_in_global, twin, 0.5, 1.2);
  CHECK_FLOAT(narrow_on_stack, twin, 0.5, 1.2);
  return failures;
}
