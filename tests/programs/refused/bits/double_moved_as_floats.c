/* EZ0304: the halves of a double move as floats into a union. An adjoint of each half does not make one of the double. */
#include "../../check.h"
union word { double d; struct { float a, b; } f; };
NOINLINE static void put(union word *to, double d, float a, float b, int is_pair) {
  float halves[2];
  memcpy(halves, &d, sizeof d);
  to->f.a = is_pair ? a : halves[0];
  to->f.b = is_pair ? b : halves[1];
}
static double f(double *x) {
  union word stack[6];
  double s = 0;
  for (int i = 0; i < 6; i++)
    put(&stack[i], x[0] * x[1] + s, (float)x[1], (float)x[0], i & 1);
  for (int i = 0; i < 6; i++)
    s += i & 1 ? stack[i].f.a * (double)stack[i].f.b : sin(stack[i].d);
  return s;
}
int main(void) { CHECK(f, 0.5, 1.25); return failures; }
