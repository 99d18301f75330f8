/* Words of unions are either packed of a float and a constant, or of a float alone, or popped of a stack. */
#include "../check.h"

struct value {
  int kind;
  union {
    double d;
    float f;
    struct {
      float a;
      int b;
    } s;
  } u;
};
struct machine {
  int top;
  struct value stack[12];
};
enum { DOUBLE, PAIR, FLOAT };

static struct value make(int kind, double x, int n) {
  struct value v = {.kind = kind};
  if (kind == DOUBLE)
    v.u.d = x;
  else if (kind == PAIR)
    v.u.s.a = (float)x, v.u.s.b = n;
  else
    v.u.f = (float)x;
  return v;
}
NOINLINE static double number(const struct value *v) {
  return v->kind == DOUBLE ? sin(v->u.d) : v->kind == PAIR ? v->u.s.a * v->u.s.b : v->u.f * 0.5;
}
static void push(struct machine *m, struct value v) { m->stack[m->top++] = v; }
NOINLINE static struct value pop(struct machine *m) { return m->stack[--m->top]; }

NOINLINE static void step(struct machine *m, const float *x) {
  struct value a = pop(m), b = pop(m), c = make(PAIR, number(&a) * x[0], 3), d = make(FLOAT, number(&b) * x[1], 0);
  push(m, x[0] > 0.5F ? c : b);
  push(m, x[0] > 0.5F ? a : d);
  push(m, x[1] > 0.5F ? d : a);
}

static float run(float *x) {
  struct machine m = {.top = 0};
  double s = 0;
  push(&m, make(PAIR, x[0], 2));
  push(&m, make(DOUBLE, x[1] * x[0], 2));
  for (int i = 0; i < 3; i++)
    step(&m, x);
  while (m.top)
    s += number(&m.stack[--m.top]);
  return (float)s;
}

static double twin_number(const double *v) { return v[0] == DOUBLE ? sin(v[1]) : v[0] == PAIR ? 3 * v[1] : v[1] / 2; }
static double twin(double *x) {
  double stack[12][2] = {{PAIR, x[0] * 2 / 3}, {DOUBLE, x[1] * x[0]}}, s = 0;
  int top = 2;
  for (int i = 0; i < 3; i++) {
    double *a = stack[top - 1], *b = stack[top - 2];
    double c[2] = {PAIR, twin_number(a) * x[0]}, d[2] = {FLOAT, twin_number(b) * x[1]}, old[2] = {a[0], a[1]};
    if (x[0] > 0.5)
      memcpy(b, c, sizeof c);
    if (!(x[0] > 0.5))
      memcpy(a, d, sizeof d);
    memcpy(stack[top++], x[1] > 0.5 ? d : old, sizeof d);
  }
  while (top)
    s += twin_number(stack[--top]);
  return s;
}

int main(void) {
  CHECK_FLOAT(run, twin, 0.6, 1.2);
  CHECK_FLOAT(run, twin, 0.4, 1.2);
  CHECK_FLOAT(run, twin, 0.7, 0.3);
  return failures;
}
