/* Unions of a double and two floats are only made and read in registers: functions take and return them as doubles. */
#include "../check.h"
struct value { long kind; union { double d; float p[2]; } u; };
struct stack { int top; struct value *items; };

static struct value pair(double a, double b) {
  struct value v = {.kind = 1};
  v.u.p[0] = (float)a, v.u.p[1] = (float)b;
  return v;
}
static double number(struct value v) { return v.kind ? (double)v.u.p[0] * v.u.p[1] : v.u.d; }
NOINLINE static void push(struct stack *s, struct value v) { memcpy(&s->items[s->top++], &v, sizeof v); }
NOINLINE static struct value pop(struct stack *s) { return s->items[--s->top]; }
NOINLINE static void exchange(struct stack *s) {
  struct value twice = s->items[s->top - 1];
  s->items[s->top++] = twice;
  struct value a = pop(s), b = pop(s);
  push(s, a);
  push(s, b);
}
static double f(double *x) {
  static struct value items[8];
  struct stack s = {.items = items};
  double sum = 0;
  push(&s, (struct value){.u.d = x[0]});
  push(&s, pair(x[0], x[1]));
  for (int i = 0; i < 3; i++)
    exchange(&s);
  while (s.top)
    sum += number(pop(&s));
  return sum;
}
static double twin(double *x) { return x[0] + 4 * x[0] * x[1]; }
NARROW(f, 2)

int main(void) {
  CHECK_FLOAT(narrow_f, twin, 0.5, 1.2);
  return failures;
}
