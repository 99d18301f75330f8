/* Values that are a number or a pointer are made, stored and read as values: LLVM moves them as pointers, also where only
 * pointers are seen to lie. */
#include "../check.h"
#ifndef APART
#define APART static
#endif
struct value { int kind; union { float number; const double *place; } u; };
struct stack { struct value items[12]; int top; };

NOINLINE static void set(struct value *v, int kind, double number, const double *place) {
  v->kind = kind;
  if (kind)
    v->u.place = place;
  else
    v->u.number = (float)number;
}
APART struct value made(int kind, double number, const double *place) {
  struct value v;
  set(&v, kind, number, place);
  return v;
}
NOINLINE static double at(const struct value *v) { return v->kind ? *v->u.place * 0.5 : v->u.number; }
APART double number(struct value v) { return at(&v); }
APART struct value pop(struct stack *s) { return s->items[--s->top]; }
static double sum(struct stack *s, const double *x) {
  double found = 0;
  while (s->top)
    found = found * x[1] + number(pop(s));
  return found;
}

static double pushed(double *x) {
  struct stack s;
  s.items[0] = made(1, 0, x + 1);
  s.items[1] = made(0, x[0] * x[1], x);
  s.top = 2;
  return sum(&s, x);
}
static double inserted(double *x) {
  struct stack s;
  s.top = 0;
  for (int i = 0; i < 4; i++) {
    struct value v = made(i & 1, x[0] * (x[1] + i), x + 1);
    memmove(s.items + 1, s.items, s.top * sizeof *s.items);
    s.items[0] = v;
    s.top++;
  }
  return sum(&s, x);
}
static double pushed_twin(double *x) { return x[0] * x[1] * x[1] + x[1] * 0.5; }
static double inserted_twin(double *x) {
  double a = x[0] * x[1], b = x[1] * 0.5, c = x[0] * (x[1] + 2);
  return ((a * x[1] + b) * x[1] + c) * x[1] + b;
}
NARROW(pushed, 2)
NARROW(inserted, 2)

int main(void) {
  CHECK_FLOAT(narrow_pushed, pushed_twin, 0.6, -0.8);
  CHECK_FLOAT(narrow_inserted, inserted_twin, 0.6, -0.8);
  return failures;
}
