/* EZ0211: two buffers that change places: what is stored is bytes, and the shadow of a pointer is no byte of the state.
 * expect: reason: the loop hands a pointer from one iteration to the next
 */
#include <enzyme/enzyme.h>
__attribute__((enzyme("checkpoint", 10))) static void advance(const double *from, double *to) { *to = *from * 0.5; }
static double f(double *x, int n) {
  double y = 0, *a = x, *b = &y;
  for (int i = 0; i < n; i++) {
    advance(a, b);
    double *swap = a;
    a = b;
    b = swap;
  }
  return *a;
}
int main(void) {
  double x = 9, dx = 0;
  __enzyme_autodiff((void *)f, &x, &dx, 4);
  return dx == 0;
}
