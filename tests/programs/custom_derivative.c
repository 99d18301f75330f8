/* Registered forward derivatives, recognisable by what they return: the tangent alone, with the result, or in memory;
   constant arguments; several directions; a function that has only a gradient of its own is differentiated by its body. */
#include "check.h"

extern double __enzyme_fwddiff(void *, ...);
extern int enzyme_width;
struct two {
  double a, b;
};
extern struct two __enzyme_fwddiff_two(void *, ...);

static double cube(double x) { return x * x * x; }
static double derivative_cube(double x, double dx) { return 100 * dx; }
void *__enzyme_register_derivative_cube[] = {(void *)cube, (void *)derivative_cube};

static double mixed(double a, const double *x, int k, double b) { return a * x[k] + b; }
static struct two derivative_mixed(double a, double da, const double *x, const double *dx, int k, double b, double db) {
  return (struct two){mixed(a, x, k, b), 10 * da + 20 * dx[k] + 30 * db};
}
void *__enzyme_register_derivative_mixed[] = {(void *)mixed, (void *)derivative_mixed};

static void in_place(float *x) { x[0] = x[0] * x[0]; }
static void derivative_in_place(float *x, float *dx) {
  dx[0] *= 7;
  in_place(x);
}
void *__enzyme_register_derivative_in_place[] = {(void *)in_place, (void *)derivative_in_place};

static double square(double x) { return x * x; }
static double augment_square(double x) { return x * x; }
static double reverse_square(double x, double d) { return -d; }
void *__enzyme_register_gradient_square[] = {(void *)square, (void *)augment_square, (void *)reverse_square};

static double numbers(double x, double y) { return 2 * cube(x) + y; }
static double memory(double *x) { return mixed(x[0], x, 1, 5); }
static double twice(float x) {
  in_place(&x);
  in_place(&x);
  return x;
}
static double by_body(double x) { return square(x); }

int main(void) {
  SAME(__enzyme_fwddiff((void *)numbers, 2.0, 1.0, 3.0, 5.0), 205);
  struct two both = __enzyme_fwddiff_two((void *)numbers, enzyme_width, 2, 2.0, 1.0, 3.0, 3.0, 5.0, 0.0);
  SAME(both.a, 205);
  SAME(both.b, 600);
  both = __enzyme_fwddiff_two((void *)numbers, enzyme_primal_return, 2.0, 1.0, 3.0, 5.0);
  SAME(both.a, 19);
  SAME(both.b, 205);
  double x[] = {2, 3}, dx[] = {1, 2};
  SAME(__enzyme_fwddiff((void *)memory, x, dx), 50);
  both = __enzyme_fwddiff_two((void *)twice, enzyme_primal_return, 3.0, 1.0);
  SAME(both.a, 81);
  SAME(both.b, 49);
  SAME(__enzyme_fwddiff((void *)cube, 2.0, 0.5), 50);
  SAME(__enzyme_fwddiff((void *)by_body, 3.0, 1.0), 6);
  SAME(__enzyme_autodiff((void *)by_body, 3.0), -1);
  SAME(__enzyme_autodiff((void *)cube, 2.0), 12);
  return failures;
}
