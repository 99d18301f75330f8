/* A stack takes unions of a float and a pointer by value: LLVM passes them as pointers, from memory to memory. */
#include "../check.h"

typedef struct {
  int is_pointer;
  union {
    float number;
    const double *pointer;
  } u;
} value;
typedef struct {
  value stack[8];
  int top;
} machine;

NOINLINE static void push(machine *m, value v) { m->stack[m->top++] = v; }
static value pop(machine *m) { return m->stack[--m->top]; }
NOINLINE static double number_at(const value *v) { return v->is_pointer ? *v->u.pointer * 0.7 : v->u.number * 0.9; }
NOINLINE static void put(value *v, int is_pointer, double number, const double *pointer) {
  v->is_pointer = is_pointer;
  if (is_pointer)
    v->u.pointer = pointer;
  else
    v->u.number = (float)number;
}
NOINLINE static double step(machine *m, int i, const double *x) {
  value a = pop(m), b = a, c;
  put(&b, 0, x[0] * x[0], x + 1);
  put(&c, i % 2, x[2] * x[2], x);
  push(m, i > 2 ? b : c);
  push(m, a);
  value first = m->stack[0];
  m->stack[0] = m->stack[m->top - 1], m->stack[m->top - 1] = first;
  return number_at(&a);
}
static double f(double *x) {
  machine m = {.top = 1};
  put(&m.stack[0], 1, 0, x + 1);
  double s = 0;
  for (int i = 0; i < 5; i++)
    s = s * 0.5 + step(&m, i, x);
  for (int i = 0; i < m.top; i++)
    s += (i + 1) * number_at(&m.stack[i]) * x[1];
  return s;
}

int main(void) {
  double x[3] = {0.5, 1.25, -0.75}, dx[3] = {0}, want[3] = {0};
  __enzyme_autodiff((void *)f, x, dx);
  for (int i = 0; i < 3; i++) { /* f is rounded to floats: differences of its quadratic parts are exact enough */
    double y[3] = {0.5, 1.25, -0.75}, h = 0.0625, up, down;
    y[i] += h, up = f(y), y[i] -= 2 * h, down = f(y);
    want[i] = (up - down) / (2 * h);
    same("f", i, dx[i], want[i], 1e-5);
    double v[3] = {0};
    v[i] = 1;
    same("forward", i, __enzyme_fwddiff((void *)f, x, v), dx[i], 1e-12);
  }
  return failures;
}
