/* Function pointers in structs, set at run time. */
#include "../check.h"

NOINLINE static double cube(double x) { return x * x * x; }
NOINLINE static double wave(double x) { return x * x + cos(x); }

struct operation {
  double (*f)(double);
  double weight;
};

NOINLINE static double apply(struct operation *o, double x) { return o->f(x) * o->weight; }

static double run(double *x) {
  struct operation o[2] = {{cube, x[0]}, {wave, x[1]}};
  double s = 0;
  for (int i = 0; i < 4; i++)
    s += apply(&o[i & 1], x[i % 3]);
  if (s > 1)
    o[0].f = wave;
  return s * apply(&o[0], x[2]);
}

int main(void) {
  CHECK(run, 0.5, 1.2, 0.7);
  CHECK(run, -0.5, 0.2, 0.7);
  return failures;
}
