/* Gradients through a shared library that is set up before. */
#include <math.h>
#include <stdio.h>
double __enzyme_autodiff(void *, double);
double __enzyme_fwddiff(void *, double, double);
double model(double), calls_so_far(void);
void set_up(void), set_factor(int, double);
static double f(double x) { return model(x) * x; }
static int is_wrong(double got, double x) { /* model is 15 sin(x + 1/4) + 2 x + calls x */
  double want = 15 * cos(x + .25) * x + 15 * sin(x + .25) + 2 * (2 + calls_so_far()) * x;
  printf("%.12f, expected %.12f\n", got, want);
  return !(fabs(got - want) < 1e-12);
}
int main(void) {
  double x = 0.7;
  set_up();
  set_factor(1, 5.0);
  int wrong = is_wrong(__enzyme_autodiff((void *)f, x), x);
  wrong += is_wrong(__enzyme_fwddiff((void *)f, x, 1.0), x);
  return wrong + (calls_so_far() != 2);
}
