/* A stack of unions in static storage, which moves as a whole and exchanges elements: one element was stored as a number,
 * others are pointers. */
#include "../check.h"

struct value {
  long kind;
  union {
    double number;
    const double *pointer;
  } u;
};
struct machine {
  int top;
  struct value *stack;
};
enum { NUMBER, POINTER };

NOINLINE static struct value make(int kind, double number, const double *pointer) {
  struct value v = {.kind = kind};
  if (kind == NUMBER)
    v.u.number = number;
  else
    v.u.pointer = pointer;
  return v;
}
NOINLINE static double number(struct value v) { return v.kind == NUMBER ? sin(v.u.number) : *v.u.pointer * 0.7; }
NOINLINE static void push(struct machine *m, struct value v) {
  struct value *at = m->stack + m->top;
  *at = v;
  m->top = (int)(at - m->stack) + 1;
}
NOINLINE static struct value pop(struct machine *m) { return m->stack[--m->top]; }

static double run(double *x) {
  static struct value room[12];
  struct machine machine = {0, room}, *m = &machine;
  double s = 0;
  push(m, make(NUMBER, x[3] - x[2], x));
  push(m, make(POINTER, 1.1, x + 2));
  for (int i = 0; i < 4; i++) {
    memmove(m->stack + 1, m->stack, m->top * sizeof *m->stack);
    m->stack[0] = make(POINTER, x[2], x);
    m->top++;
    struct value a = pop(m), b = pop(m);
    push(m, a);
    push(m, b);
  }
  while (m->top)
    s = sin(s) + number(pop(m));
  return s;
}

int main(void) {
  CHECK(run, -1.213, 0.456, 0.278, -0.645);
  CHECK(run, 0.6, -0.8, 1.1, 0.4);
  return failures;
}
