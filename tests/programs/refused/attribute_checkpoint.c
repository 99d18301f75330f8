/* EZ0207: checkpoints of a state whose size nobody tells; the message names the header that does it. */
#include <enzyme/enzyme.h>
__attribute__((enzyme("checkpoint", 10))) static void step(double *x) { *x *= 1.5; }
static double f(double *x) {
  for (int i = 0; i < 100; i++)
    step(x);
  return *x;
}
int main(void) {
  double x = 1, dx = 0;
  __enzyme_autodiff((void *)f, &x, &dx);
  return dx == 0;
}
