/* The attributes of enzyme/enzyme.h: gradient on a declaration and on a definition, inactive functions and globals, a
   shadow global of the program's own, a function like another. */
#include "../check.h"
#include <enzyme/enzyme.h>

extern double __enzyme_fwddiff(void *, ...);

struct taped {
  void *tape;
  double result;
};
struct taped augment_func(double n);
double gradient_func(double n, double d, void *tape);
double derivative_func(double n, double dn);
__attribute__((enzyme("augment", augment_func)))
__attribute__((enzyme("gradient", gradient_func)))
__attribute__((enzyme("derivative", derivative_func)))
double func(double n);

static double h(double *x) { return 2 * func(x[0]); }

double func(double n) { return n * n; }
struct taped augment_func(double n) { return (struct taped){NULL, n * n}; }
double gradient_func(double n, double d, void *tape) { return 77 * d; }

double derivative_func(double n, double dn) { return 55 * dn; }

static int calls;
__attribute__((enzyme("inactive"))) static double noise(double x) {
  calls++;
  return x;
}
static double noisy(double *x) { return x[0] * noise(x[0]); }

static double dstate;
__attribute__((enzyme("shadow", &dstate))) static double state;
__attribute__((enzyme("inactive"))) static double memo;
static NOINLINE void remember(double x) { memo = x * 3; }
static void (*volatile store)(double) = remember;
static double stateful(double *x) {
  void (*keep)(double) = store;
  keep(x[0]);
  double before = memo + state * x[0];
  state = x[0] * x[0];
  return before + state;
}

__attribute__((enzyme("function_like", "sin"))) static double rough_sine(double x) { return x < 1 ? x : 1; }
static double wave(double *x) { return rough_sine(x[0]); }

int main(void) {
  double x[1] = {3}, dx[1] = {0};
  __enzyme_autodiff((void *)h, x, dx);
  SAME(dx[0], 154);
  dx[0] = 1;
  SAME(__enzyme_fwddiff((void *)h, x, dx), 110);
  dx[0] = 0;
  __enzyme_autodiff((void *)noisy, x, dx);
  SAME(dx[0], 3);
  SAME(calls, 1);
  dx[0] = 0;
  state = 5;
  dstate = 11; /* the adjoint of what it leaves in state */
  __enzyme_autodiff((void *)stateful, x, dx);
  SAME(dx[0], 5 + 12 * 6);
  SAME(dstate, 3);
  SAME(state, 9);
  dx[0] = 0;
  __enzyme_autodiff((void *)wave, x, dx);
  SAME(dx[0], cos(3));
  return failures;
}
