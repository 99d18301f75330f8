/* A union of two floats and of a float and an integer: LLVM packs both floats into one integer. */
#include "../check.h"

struct value {
  union {
    float pair[2];
    struct {
      float f;
      int n;
    } scaled;
  } u;
  long is_pair;
};

static struct value make(int is_pair, float a, float b) {
  struct value v = {.is_pair = is_pair};
  if (is_pair)
    v.u.pair[0] = a, v.u.pair[1] = b;
  else
    v.u.scaled.f = a, v.u.scaled.n = 3;
  return v;
}
static double number(struct value v) {
  return v.is_pair ? v.u.pair[0] * sin(v.u.pair[1]) : v.u.scaled.f * (double)v.u.scaled.n;
}

static float run(float *x) {
  struct value stack[12];
  int top = 0;
  double s = 0;
  for (int i = 0; i < 6; i++) {
    memmove(stack + 1, stack, (size_t)top++ * sizeof *stack);
    stack[0] = make(1, x[0] * x[1], x[1] * x[2]);
    if (i & 1)
      stack[top++] = make(0, x[2], 0);
  }
  while (top)
    s = 0.8 * s + number(stack[--top]);
  return (float)s;
}

static double twin(double *x) {
  double s = 0;
  for (int k = 8; k >= 0; k--)
    s = 0.8 * s + (k < 6 ? x[0] * x[1] * sin(x[1] * x[2]) : 3 * x[2]);
  return s;
}

int main(void) {
  CHECK_FLOAT(run, twin, 0.5, 1.2, -0.7);
  return failures;
}
