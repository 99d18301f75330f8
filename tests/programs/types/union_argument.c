/* A union made of a number is passed in an integer register: the callee may see a double, or two floats. */
#include "../check.h"
union word { double d; struct { float a, b; } f; long n; };
struct tagged { int kind; union word w; };
NOINLINE static double use(struct tagged t) {
  return t.kind == 0 ? t.w.d * t.w.d : t.kind == 1 ? t.w.f.a * (double)t.w.f.b : t.w.n;
}
static double run(double *x) {
  struct tagged a = {0}, b = {1};
  a.w.d = x[0] * x[1];
  b.w.f.a = 1.5f, b.w.f.b = 2;
  return use(a) + use(b) * x[2];
}
int main(void) { CHECK(run, 0.5, 1.2, -0.7); return failures; }
