/* A union of a double and a pair of floats is either loaded, or packed of two floats, before it is stored. */
#include "../check.h"
union word { double d; float pair[2]; };
struct value { union word u; long kind; };
struct stack { int top; struct value items[8]; };

NOINLINE static double number(struct value v) {
  return v.kind ? (double)v.u.pair[0] * v.u.pair[1] : v.u.d * v.u.d;
}
static struct value pair(double a, double b) {
  struct value made = {.kind = 1};
  made.u.pair[0] = (float)a, made.u.pair[1] = (float)b;
  return made;
}
static void push(struct stack *s, struct value v) {
  memcpy(&s->items[s->top], &v, sizeof v);
  s->top++;
}
NOINLINE static void step(struct stack *s, const double *x, double e, int i) {
  struct value a = s->items[s->top - 1], b = pair(e * x[0], x[1]);
  push(s, i % 3 ? b : a);
}
static float f(float *y) {
  double x[2] = {y[0], y[1]}, sum = 0;
  struct stack s = {.top = 1};
  s.items[0].kind = 0, s.items[0].u.d = x[0] * x[1];
  for (int i = 0; i < 5; i++) {
    step(&s, x, sum + 1, i);
    sum += number(s.items[i + 1]);
  }
  return (float)sum;
}

static double twin(double *x) {
  double sum = 0, last = x[0] * x[0] * x[1] * x[1];
  for (int i = 0; i < 5; i++) {
    last = i % 3 ? (sum + 1) * x[0] * x[1] : last;
    sum += last;
  }
  return sum;
}

int main(void) {
  CHECK_FLOAT(f, twin, 0.5, 1.2);
  return failures;
}
