/* EZ0207: the attribute wants the number of states.
 * expect: one number is expected: how many states are stored at a time, at least 1
 */
#include <enzyme/enzyme.h>
__attribute__((enzyme("checkpoint"))) static void advance(double *x) { *x *= 1.5; }
static double f(double *x) {
  for (int i = 0; i < 100; i++)
    advance(x);
  return *x;
}
int main(void) {
  double x = 1, dx = 0;
  __enzyme_autodiff((void *)f, &x, &dx);
  return dx == 0;
}
