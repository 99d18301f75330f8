/* EZ0208: the function has overwritten its input when __enzyme_fwdsplit evaluates it again, and what it overwrites is not
 * known.
 * expect: the first half would have to keep that, but square calls frexp, and it is unknown what memory this call accesses
 */
#include <math.h>
extern void *__enzyme_augmentfwd(void *, ...);
extern double __enzyme_fwdsplit(void *, ...);
static int exponent;
__attribute__((noinline)) static void square(double *x) { *x *= frexp(*x, &exponent); }
static double f(double *x) {
  square(x);
  return *x;
}
int main(void) {
  double x = 3, dx = 1;
  void *tape = __enzyme_augmentfwd((void *)f, &x, &dx);
  return __enzyme_fwdsplit((void *)f, &x, &dx, tape) != 6;
}
