/* A union of a number and a pointer is returned in a register, and chosen among others. */
#include "../check.h"
struct value { int kind; union { double number; const double *reference; } u; };
NOINLINE static struct value number(double v) { struct value r = {.kind = 0}; r.u.number = v; return r; }
NOINLINE static struct value reference(const double *v) { struct value r = {.kind = 1}; r.u.reference = v; return r; }
NOINLINE static double get(struct value v) { return v.kind ? *v.u.reference : v.u.number; }
NOINLINE static struct value pick(struct value a, struct value b, int first) { return first ? a : b; }
static double run(double *x) {
  struct value a = number(x[0] * x[1]), b = reference(&x[2]), c = number(x[2] * x[2]);
  double s = 0;
  for (int i = 0; i < 4; i++) {
    struct value p = pick(a, b, i & 1), q = pick(p, c, i & 2);
    s += get(p) * get(q) * (i + 1);
  }
  return s;
}
int main(void) { CHECK(run, 0.5, 1.2, -0.7); return failures; }
