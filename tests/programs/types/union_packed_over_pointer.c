/* A float and an integer are packed into the word of a union before it is stored; pointers lie there at other times. */
#include "../check.h"
struct value { int kind; union { float f; double d; struct { float a; int b; } s; const double *r; } u; };
struct stack { int top; struct value items[4]; };

static inline struct value make(int kind, double e, const double *x) {
  struct value v;
  v.kind = kind;
  if (kind == 0) v.u.f = (float)e;
  if (kind == 1) v.u.s.a = (float)e, v.u.s.b = 2;
  if (kind == 2) v.u.r = x;
  if (kind == 3) v.u.d = e;
  return v;
}
NOINLINE static double number(const struct value *v) {
  return v->kind == 0 ? v->u.f * v->u.f : v->kind == 1 ? v->u.s.a * v->u.s.b : v->kind == 2 ? *v->u.r : v->u.d;
}
static void push(struct stack *s, struct value v) {
  memcpy(&s->items[s->top], &v, sizeof v);
  s->top++;
}
NOINLINE static void take(struct stack *s, struct value *v) { *v = s->items[--s->top]; }
NOINLINE static void step(struct stack *s, const double *x) {
  struct value v;
  push(s, make(2, 0, x));
  take(s, &v);
  s->items[s->top++] = v;
}
static double f(double *x) {
  struct stack s = {.top = 0};
  double sum = 0;
  push(&s, make(1, x[0] - x[1], x));
  push(&s, make(0, x[0] * x[1], x));
  step(&s, x);
  while (s.top) {
    struct value v;
    take(&s, &v);
    sum += number(&v);
  }
  return sum;
}
static double twin(double *x) { return 2 * (x[0] - x[1]) + x[0] * x[0] * x[1] * x[1] + x[0]; }
NARROW(f, 2)

int main(void) {
  CHECK_FLOAT(narrow_f, twin, 0.5, 1.2);
  return failures;
}
