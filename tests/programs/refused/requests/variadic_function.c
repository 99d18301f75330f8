/* EZ0203: a request on a function with variable arguments */
#include <stdarg.h>
extern double __enzyme_autodiff(void *, ...);

__attribute__((noinline)) static double product(double x, ...) {
  va_list list;
  va_start(list, x);
  double y = va_arg(list, double);
  va_end(list);
  return x * y;
}

int main(void) { return __enzyme_autodiff((void *)product, 3.0, 2.0) != 2; }
