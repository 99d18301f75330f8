/* A union of a double, a long and a float with an integer beside it: LLVM loads all of them as a double. */
#include "../check.h"

struct value {
  char kind;
  union {
    double d;
    long n;
    struct {
      float f;
      int n;
    } pair;
    const double *place;
  } u;
};

static double number(struct value v) {
  switch (v.kind) {
  case 0:
    return sin(v.u.d);
  case 1:
    return 0.1 * (double)v.u.n;
  case 2:
    return v.u.pair.f * v.u.pair.n;
  default:
    return *v.u.place;
  }
}

NOINLINE static void put(struct value *v, int kind, double *x) {
  v->kind = (char)kind;
  if (kind == 0)
    v->u.d = x[0] * x[1];
  else if (kind == 1)
    v->u.n = 7;
  else if (kind == 2)
    v->u.pair.f = (float)x[2], v->u.pair.n = 1 << 22;
  else
    v->u.place = x + 1;
}

static float run(float *y) {
  double x[3] = {y[0], y[1], y[2]}, s = 0;
  struct value *all = malloc(8 * sizeof *all);
  for (int i = 0; i < 8; i++)
    put(&all[i], i % 4, x);
  for (int top = 8; top;)
    s = 0.5 * s + number(all[--top]);
  free(all);
  return (float)(s / (1 << 20));
}

static double twin(double *x) {
  double s = 0;
  for (int i = 7; i >= 0; i--)
    s = 0.5 * s + (i % 4 == 0 ? sin(x[0] * x[1]) : i % 4 == 1 ? 0.7 : i % 4 == 2 ? x[2] * (1 << 22) : x[1]);
  return s / (1 << 20);
}

int main(void) {
  CHECK_FLOAT(run, twin, 0.5, 1.2, -0.7);
  return failures;
}
