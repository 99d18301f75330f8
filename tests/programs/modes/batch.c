/* __enzyme_batch: the primal for several arguments at once; constants are given once. */
#include "../check.h"

struct four {
  double a, b, c, d;
};
struct two_floats {
  float a, b;
};
extern struct four __enzyme_batch(void *, ...);
extern struct two_floats __enzyme_batch_floats(void *, ...);
extern void __enzyme_batch_void(void *, ...);
extern int enzyme_width, enzyme_vector, enzyme_scalar;

static double f(double x, int n, double y) { return x * n + y; }
static float g(float x) { return sqrtf(x); }
static void h(double *x) { x[0] *= 2; }

int main(void) {
  struct four r = __enzyme_batch((void *)f, enzyme_width, 4, 1.0, 2.0, 3.0, 4.0, enzyme_const, 10, 5.0, 6.0, 7.0, 8.0);
  SAME(r.a, 15);
  SAME(r.b, 26);
  SAME(r.c, 37);
  SAME(r.d, 48);
  r = __enzyme_batch((void *)f, enzyme_width, 4, enzyme_vector, 1.0, 2.0, 3.0, 4.0, enzyme_scalar, 3, enzyme_scalar, 0.5);
  SAME(r.d, 12.5);
  struct two_floats q = __enzyme_batch_floats((void *)g, enzyme_width, 2, 4.0f, 9.0f);
  SAME(q.a, 2);
  SAME(q.b, 3);
  double x = 1, y = 2;
  __enzyme_batch_void((void *)h, enzyme_width, 2, &x, &y);
  SAME(x, 2);
  SAME(y, 4);
  return failures;
}
