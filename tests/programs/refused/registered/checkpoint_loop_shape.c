/* EZ0211: loops of checkpointed steps that cannot run again from stored states.
 * expect: how often the loop runs is not known before it runs
 * expect: checkpoint_loop_shape.c:10:3: error: advance cannot be checkpointed here
 */
#include <enzyme/enzyme.h>
__attribute__((enzyme("checkpoint", 10))) static void advance(double *x) { *x *= 0.5; }
static double f(double *x) {
  for (int i = 0; i < 3; i++)
    x[1] += i;
  while (*x > 1)
    advance(x);
  return *x + x[1];
}
int main(void) {
  double x[2] = {9, 1}, dx[2] = {0};
  __enzyme_autodiff((void *)f, x, dx);
  return dx[0] == 0;
}
