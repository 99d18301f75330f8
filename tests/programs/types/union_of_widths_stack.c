/* A stack of unions of a float, a double and an integer, moved by value: LLVM moves each as a double or an integer. */
#include "../check.h"

enum kind { FLOAT, DOUBLE, INTEGER, PAIR };
struct value {
  enum kind kind;
  union {
    float f;
    double d;
    long n;
    struct {
      float f;
      int n;
    } pair;
  } u;
};
struct machine {
  struct value stack[16];
  int top;
};

static void push(struct machine *m, struct value v) { m->stack[m->top++] = v; }
NOINLINE static struct value pop(struct machine *m) { return m->stack[--m->top]; }

/* All that it is given is the union. */
NOINLINE static double number(struct value v) {
  switch (v.kind) {
  case FLOAT:
    return v.u.f * 0.5;
  case DOUBLE:
    return sin(v.u.d);
  case PAIR:
    return v.u.pair.f * v.u.pair.n;
  default:
    return 0.1 * (double)v.u.n;
  }
}

NOINLINE static struct value make(enum kind kind, double x, int n) {
  struct value v = {.kind = kind};
  switch (kind) {
  case FLOAT:
    v.u.f = (float)x;
    break;
  case DOUBLE:
    v.u.d = x;
    break;
  case PAIR:
    v.u.pair.f = (float)x, v.u.pair.n = n;
    break;
  default:
    v.u.n = n;
  }
  return v;
}

static float run(float *x) {
  struct machine m = {.top = 0};
  double s = 0;
  push(&m, make(FLOAT, x[0] * x[1], 0));
  push(&m, make(DOUBLE, x[2], 0));
  for (int i = 0; i < 6; i++) {
    struct value a = pop(&m), b = pop(&m), c = make(i % 4, number(a) * x[0], 3 + i), d = make(DOUBLE, number(b), 0);
    push(&m, i & 1 ? c : d);
    push(&m, i & 2 ? a : b);
    if (i == 3)
      push(&m, a), push(&m, c);
  }
  while (m.top)
    s += number(pop(&m));
  return (float)s;
}

struct twin {
  enum kind kind;
  double x;
  int n;
};
static double twin_number(struct twin v) {
  return v.kind == FLOAT ? v.x * 0.5 : v.kind == DOUBLE ? sin(v.x) : v.kind == PAIR ? v.x * v.n : 0.1 * v.n;
}
static double twin(double *x) {
  struct twin stack[16] = {{FLOAT, x[0] * x[1], 0}, {DOUBLE, x[2], 0}};
  int top = 2;
  double s = 0;
  for (int i = 0; i < 6; i++) {
    struct twin a = stack[--top], b = stack[--top], c = {i % 4, twin_number(a) * x[0], 3 + i};
    stack[top++] = i & 1 ? c : (struct twin){DOUBLE, twin_number(b), 0};
    stack[top++] = i & 2 ? a : b;
    if (i == 3)
      stack[top++] = a, stack[top++] = c;
  }
  while (top)
    s += twin_number(stack[--top]);
  return s;
}

int main(void) {
  CHECK_FLOAT(run, twin, 0.5, 1.2, -0.7);
  return failures;
}
