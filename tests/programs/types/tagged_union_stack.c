/* A machine whose stack holds numbers and references in turn, in the same places, and grows. */
#include "../check.h"

enum kind { NUMBER, REFERENCE, VECTOR };
struct value {
  enum kind kind;
  union {
    float number;
    const double *reference;
    struct {
      float a, b, c;
    } vector;
  } u;
};
struct machine {
  struct value *stack;
  int top, room;
};

NOINLINE static void push(struct machine *m, struct value v) {
  if (m->top == m->room)
    m->stack = realloc(m->stack, (size_t)(m->room = 2 * m->room + 1) * sizeof *m->stack);
  m->stack[m->top++] = v;
}

NOINLINE static struct value pop(struct machine *m) { return m->stack[--m->top]; }

NOINLINE static double number(struct value v) {
  switch (v.kind) {
  case NUMBER:
    return v.u.number;
  case REFERENCE:
    return *v.u.reference * 2;
  default:
    return v.u.vector.a * v.u.vector.b + v.u.vector.c;
  }
}

NOINLINE static void step(struct machine *m, int i, double *x) {
  struct value a = pop(m), b = pop(m), c = {.kind = NUMBER}, r = {.kind = REFERENCE}, v = {.kind = VECTOR};
  c.u.number = (float)(number(a) * number(b));
  r.u.reference = x + i % 3;
  v.u.vector.a = (float)number(b), v.u.vector.b = (float)x[0], v.u.vector.c = (float)(number(a) * x[1]);
  push(m, i & 1 ? c : v);
  push(m, i & 2 ? r : a);
  if (i == 3)
    push(m, b);
}

static float run(float *y) {
  double x[3] = {y[0], y[1], y[2]};
  struct machine m = {NULL, 0, 0};
  struct value v = {.kind = NUMBER};
  double s = 0;
  v.u.number = y[0] * y[1];
  push(&m, v);
  v.kind = REFERENCE;
  v.u.reference = &x[2];
  push(&m, v);
  for (int i = 0; i < 6; i++)
    step(&m, i, x);
  while (m.top)
    s += number(pop(&m));
  free(m.stack);
  return (float)s;
}

static double twin(double *x) {
  double stack[16], s = 0;
  int top = 0;
  stack[top++] = x[0] * x[1];
  stack[top++] = 2 * x[2];
  for (int i = 0; i < 6; i++) {
    double a = stack[--top], b = stack[--top];
    stack[top++] = i & 1 ? a * b : b * x[0] + a * x[1];
    stack[top++] = i & 2 ? 2 * x[i % 3] : a;
    if (i == 3)
      stack[top++] = b;
  }
  while (top)
    s += stack[--top];
  return s;
}

int main(void) {
  CHECK_FLOAT(run, twin, 0.5, 1.2, -0.7);
  return failures;
}
