/* EZ0216: memory that functions stand for is copied as a whole. expect: memory of __enzyme_todense is used by a copy */
#include <string.h>
extern double __enzyme_fwddiff(void *, ...);
extern double *__enzyme_todense(void *, ...);
static double load(long at) { return at == 0; }
static void store(double value, long at) {}
double f(const double *x, int n) {
  double copy[1000], sum = 0;
  memcpy(copy, x, 1000 * sizeof *x);
  for (int i = 0; i < n; i++)
    sum += copy[i] * copy[i];
  return sum;
}
int main(void) {
  static double x[1000];
  return __enzyme_fwddiff((void *)f, x, __enzyme_todense((void *)load, (void *)store), 3) != 7;
}
