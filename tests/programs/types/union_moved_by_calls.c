/* Unions of a float and a double are pushed on a stack by a function, and copied to memory that is read. LLVM moves
 * them as doubles. Where only doubles are seen to lie, floats lie, too.
 */
#include "../check.h"

struct value {
  int is_double;
  union {
    float f;
    double d;
  } u;
};
struct stack {
  int top;
  struct value *items;
};

NOINLINE static double number(const struct value *v) { return v->is_double ? sin(v->u.d) : v->u.f * 0.9; }
NOINLINE static void push(struct stack *s, struct value v) { s->items[s->top++] = v; }
static struct value pop(struct stack *s) { return s->items[--s->top]; }

NOINLINE static double step(struct stack *s, int i) {
  struct value t[2];
  t[0] = pop(s), t[1] = pop(s);
  double n = number(&t[i & 1]);
  push(s, t[1]);
  push(s, t[0]);
  return n;
}

static float run(float *x) {
  struct value room[2];
  struct stack s = {0, room};
  double sum = 0;
  push(&s, (struct value){.is_double = 0, .u.f = x[0]});
  push(&s, x[1] > 0 ? (struct value){.is_double = 0, .u.f = x[1]} : (struct value){.is_double = 1, .u.d = x[1]});
  for (int i = 0; i < 4; i++)
    sum += step(&s, i);
  return (float)sum;
}

static double twin(double *x) { return 1.8 * x[0] + 2 * sin(x[1]); }

int main(void) {
  CHECK_FLOAT(run, twin, 0.612, -0.834);
  return failures;
}
