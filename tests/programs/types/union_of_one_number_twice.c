/* A union that holds one float twice: LLVM makes its word by a multiplication. */
#include "../check.h"

struct value {
  int kind;
  union {
    long l;
    float p[2];
  } u;
};
enum { INTEGER, PAIR };

static struct value make(int kind, float a, float b) {
  struct value v = {.kind = kind};
  if (kind == INTEGER)
    v.u.l = 2;
  else
    v.u.p[0] = a, v.u.p[1] = b;
  return v;
}
NOINLINE static float number(struct value v) { return v.kind == PAIR ? v.u.p[0] * sinf(v.u.p[1]) : 0.3F * v.u.l; }

static float run(float *x) {
  struct value *stack = calloc(4, sizeof *stack);
  int top = 0;
  float s = 0;
  stack[top++] = make(PAIR, x[1], x[1]);
  for (int i = 0; i < 2; i++)
    if (x[0] > 0.1F)
      stack[top++] = make(i, x[0] * x[1], x[0]);
  while (top)
    s = sinf(s) + number(stack[--top]);
  free(stack);
  return s;
}

static double twin(double *x) {
  double first = x[0] > 0.1 ? sin(sin(x[0] * x[1] * sin(x[0])) + 0.6) : 0;
  return first + x[1] * sin(x[1]);
}

int main(void) {
  CHECK_FLOAT(run, twin, 0.6, 1.2);
  CHECK_FLOAT(run, twin, 0.05, -0.8);
  return failures;
}
