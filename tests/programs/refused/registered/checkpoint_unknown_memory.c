/* EZ0211: a step that calls an unknown function.
 * expect: reason: advance calls frexp, and it is unknown what memory this call accesses
 */
#include <enzyme/enzyme.h>
#include <math.h>
__attribute__((enzyme("checkpoint", 10))) static void advance(double *x) {
  int exponent;
  *x *= frexp(*x, &exponent);
}
static double f(double *x) {
  for (int i = 0; i < 100; i++)
    advance(x);
  return *x;
}
int main(void) {
  double x = 9, dx = 0;
  __enzyme_autodiff((void *)f, &x, &dx);
  return dx == 0;
}
