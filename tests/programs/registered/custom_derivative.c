/* Registered forward derivatives, recognisable by what they return: the tangent alone, with the result, or in memory;
   constant arguments; several directions; a function that has only a gradient of its own is differentiated by its body. */
#include "../check.h"

extern double __enzyme_fwddiff(void *, ...);
extern void *__enzyme_augmentfwd(void *, ...);
extern double __enzyme_fwdsplit(void *, ...);
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

static double root(double x, const double *w, int k) { return sqrt(x) * w[k]; }
struct halves {
  void *tape;
  double result;
};
static struct halves augment_root(double x, const double *w, const double *dw, int k) {
  double *tape = malloc(sizeof *tape);
  *tape = sqrt(x);
  return (struct halves){tape, *tape * w[k]};
}
static double forward_root(double x, double dx, const double *w, const double *dw, int k, void *tape) {
  double kept = *(double *)tape;
  free(tape);
  return 1000 * dx / (2 * kept) * w[k] + 1000 * kept * dw[k];
}
void *__enzyme_register_splitderivative_root[] = {(void *)root, (void *)augment_root, (void *)forward_root};
static double of_root(double x, double *w) { return 2 * root(x, w, 1); }

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
  double w[] = {0, 3}, dw[] = {0, 5};
  both = __enzyme_fwddiff_two((void *)of_root, enzyme_primal_return, 4.0, 1.0, w, dw);
  SAME(both.a, 12);
  SAME(both.b, 2000 * (3 / 4. + 2 * 5));
  void *tape = __enzyme_augmentfwd((void *)of_root, 4.0, w, dw);
  SAME(__enzyme_fwdsplit((void *)of_root, 4.0, 1.0, w, dw, tape), 2000 * (3 / 4. + 2 * 5));
  SAME(__enzyme_fwddiff((void *)by_body, 3.0, 1.0), 6);
  SAME(__enzyme_autodiff((void *)by_body, 3.0), -1);
  SAME(__enzyme_autodiff((void *)cube, 2.0), 12);
  return failures;
}
