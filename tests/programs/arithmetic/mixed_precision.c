/* Numbers that change between float, double and long double on their way. */
#include "../check.h"

static double mixed(double *x) {
  float f = (float)x[0] * 2;
  long double l = x[1] * (long double)f;
  double d = (double)(l * l) + f;
  return (double)(float)(d * x[2]);
}
static double twin(double *x) {
  double f = x[0] * 2, l = x[1] * f, d = l * l + f;
  return d * x[2];
}

int main(void) {
  double x[] = {1.25, 0.5, 3}, dx[3] = {0};
  __enzyme_autodiff((void *)mixed, x, dx);
  for (int i = 0; i < 3; i++)
    same("mixed", i, dx[i], check_difference(twin, x, 3, i), 1e-5);
  return failures;
}
