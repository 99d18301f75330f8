/* A union of a global is chosen between one that was loaded and one that was made: LLVM moves it as a double. */
#include "../check.h"
struct value { union { float f; double d; struct { double a, b; } q; const double *r; } u; char kind; };
struct stack { int top; struct value *items; };

static inline double number(struct value v) {
  switch (v.kind) {
  case 0: return v.u.f * v.u.f;
  case 1: return v.u.d * v.u.d;
  case 2: return v.u.q.a * v.u.q.b;
  default: return *v.u.r;
  }
}
static void push(struct stack *s, struct value v) { s->items[s->top++] = v; }
static struct value pop(struct stack *s) {
  struct value v;
  memcpy(&v, &s->items[--s->top], sizeof v);
  return v;
}
NOINLINE static void step(struct stack *s, int i, const double *x) {
  struct value a = pop(s), b = pop(s), c = {.kind = 2};
  c.u.q.a = number(a), c.u.q.b = x[0];
  push(s, x[1] > 2 ? c : b);
  push(s, i & 1 ? a : c);
}
static double f(double *x) {
  static struct value items[4];
  struct stack s = {.items = items};
  push(&s, (struct value){.u.f = (float)(x[0] * x[1]), .kind = 0});
  push(&s, (struct value){.u.r = x + 1, .kind = 3});
  push(&s, (struct value){.u.r = x, .kind = 3});
  for (int i = 0; i < 4; i++)
    step(&s, i, x);
  double product = number(pop(&s));
  product *= number(pop(&s));
  return product * number(pop(&s));
}
static double twin(double *x) { return x[0] * x[0] * x[0] * x[1] * x[0] * x[0] * x[1] * x[1]; }
NARROW(f, 2)

int main(void) {
  CHECK_FLOAT(narrow_f, twin, 0.5, 1.2);
  return failures;
}
