/* Several enzyme_out arguments: their derivatives come back as a struct, in registers or through memory. */
#include "../check.h"

struct two {
  double a, b;
};
struct three {
  double a, b, c;
};
struct two_floats {
  float a, b;
};
struct float_and_double {
  float a;
  double b;
};
extern struct two __enzyme_autodiff_two(void *, ...);
extern struct three __enzyme_autodiff_three(void *, ...);
extern struct two_floats __enzyme_autodiff_floats(void *, ...);
extern struct float_and_double __enzyme_autodiff_mixed(void *, ...);

static double f2(double x, double y) { return x * x * y; }
static double f3(double x, double y, int n, double z) { return x * y * y * z * n; }
static float floats(float x, float y) { return x * x * y; }
static double mixed(float x, double y) { return x * x * y; }

int main(void) {
  struct two d2 = __enzyme_autodiff_two((void *)f2, enzyme_out, 2.0, enzyme_out, 3.0);
  SAME(d2.a, 12);
  SAME(d2.b, 4);
  struct three d3 = __enzyme_autodiff_three((void *)f3, 2.0, 3.0, 2, 5.0);
  SAME(d3.a, 90);
  SAME(d3.b, 120);
  SAME(d3.c, 36);
  struct two_floats df = __enzyme_autodiff_floats((void *)floats, 2.0f, 3.0f);
  SAME(df.a, 12);
  SAME(df.b, 4);
  struct float_and_double dm = __enzyme_autodiff_mixed((void *)mixed, 2.0f, 3.0);
  SAME(dm.a, 12);
  SAME(dm.b, 4);
  return failures;
}
