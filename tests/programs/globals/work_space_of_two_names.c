/* Two constant arguments are the same memory: a number is stored by one of them, and read by the other. */
#include "../check.h"

struct solver {
  double *work;
};

NOINLINE static double direct(double *to, const double *from, double x) {
  to[1] = x * x;
  return from[1] * x;
}

NOINLINE static void put(double *to, double x) { to[0] = sin(x); }
NOINLINE static double get(const double *from) { return from[0]; }
NOINLINE static double in_calls(double *to, const double *from, double x) {
  put(to, x);
  return get(from) * x;
}

/* one of them is behind a pointer */
NOINLINE static double behind(struct solver *s, const double *from, double x) {
  s->work[0] = exp(x);
  return from[0] * x;
}
NOINLINE static double from_behind(double *to, const struct solver *s, double x) {
  to[0] = x * x * x;
  return s->work[0] * x;
}

/* read by a function that nothing with a derivative is passed to */
NOINLINE static double get_behind(const struct solver *s) { return s->work[1]; }
NOINLINE static double by_plain_call(double *to, const struct solver *s, double x) {
  to[1] = x * x;
  return get_behind(s) * x;
}

int main(int argc, char **argv) {
  double memory[2] = {1, 2}, x = 0.8, *to = memory, *from = argv ? memory : NULL;
  struct solver solver = {argc ? memory : NULL}, *s = &solver;
#define BOTH(f, a, b, expected)                                                                                        \
  SAME(__enzyme_autodiff((void *)f, enzyme_const, a, enzyme_const, b, enzyme_out, x), expected);                       \
  SAME(__enzyme_fwddiff((void *)f, enzyme_const, a, enzyme_const, b, enzyme_dup, x, 1.0), expected)
  BOTH(direct, to, from, 3 * x * x);
  BOTH(in_calls, to, from, sin(x) + x * cos(x));
  BOTH(behind, s, from, exp(x) * (1 + x));
  BOTH(from_behind, to, s, 4 * x * x * x);
  double *own = calloc(2, sizeof *own);
  solver.work = argc ? own : NULL;
  BOTH(by_plain_call, own, s, 3 * x * x);
  free(own);
  return failures;
}
