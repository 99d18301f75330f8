/* EZ0304: a recursive function, which cannot be inlined, takes a union of a double and two floats in a register. */
#include "../../check.h"
union word { double d; struct { float a, b; } f; long n; };
struct tagged { int kind; union word w; };
NOINLINE static double use(struct tagged t, int n) {
  double here = t.kind == 0 ? t.w.d * t.w.d : t.kind == 1 ? t.w.f.a * (double)t.w.f.b : t.w.n;
  return n ? here + use(t, n - 1) * here : here;
}
static double run(double *x) {
  struct tagged a = {0}, b = {1};
  a.w.d = x[0] * x[1];
  b.w.f.a = 1.5f, b.w.f.b = 2;
  return use(a, 3) + use(b, 2) * x[2];
}
int main(void) { CHECK(run, 0.5, 1.2, -0.7); return failures; }
