/* Augmented functions that return nothing, registered and requested; and a function whose result is no number. */
#include "../check.h"
#include <enzyme/enzyme.h>

static int calls;
NOINLINE static void square(const double *x, double *y) { *y = *x * *x; }
static void augmented_square(const double *x, double *dx, double *y, double *dy) { *y = *x * *x; }
static void reverse_square(const double *x, double *dx, double *y, double *dy) {
  *dx += 2 * *x * *dy;
  *dy = 0;
  calls++;
}
void *__enzyme_register_gradient_square[] = {(void *)square, (void *)augmented_square, (void *)reverse_square};

static double tripled(const double *x) {
  double y;
  square(x, &y);
  return 3 * y;
}

static double state, dstate;
NOINLINE static void put(double x) { state = x * x; }
static void augmented_put(double x) { state = x * x; }
static double reverse_put(double x) {
  double d = 2 * x * dstate;
  dstate = 0;
  calls++;
  return d;
}
void *__enzyme_register_gradient_put[] = {(void *)put, (void *)augmented_put, (void *)reverse_put};
static double with_put(double x) {
  put(x);
  return x;
}

/* The function returns a number, which only it gives. */
NOINLINE static double halved(double x) { return 0.5 * x; }
static void augmented_halved(double x) { calls++; }
static double reverse_halved(double x, double seed) { return 0.5 * seed; }
void *__enzyme_register_gradient_halved[] = {(void *)halved, (void *)augmented_halved, (void *)reverse_halved};
static double unused_half(double x) { return halved(x); }
static double used_half(double x) { return halved(x) * halved(x); }
static double tangent_halved(double x, double dx) { return 0.5 * dx; }
void *__enzyme_register_splitderivative_halved[] = {(void *)halved, (void *)augmented_halved, (void *)tangent_halved};

extern void __enzyme_augmentfwd_nothing(void *, ...), __enzyme_reverse_nothing(void *, ...);
static void cube(const double *x, double *y) { *y = *x * *x * *x; }

int main(void) {
  double x = 2, dx = 0, y = 0, dy = 1;
  __enzyme_autodiff((void *)tripled, &x, &dx);
  same("registered", 0, dx, 12, 1e-15);
  dstate = 5;
  same("registered, by a number", 0, __enzyme_autodiff((void *)with_put, 3.0), 31, 1e-15);
  same("calls", 0, calls, 2, 0);
  same("its result is not needed", 0, __enzyme_autodiff((void *)unused_half, 3.0), 0.5, 1e-15);
  same("its result is needed", 0, __enzyme_autodiff((void *)used_half, 3.0), 1.5, 1e-15);
  same("in forward mode", 0, __enzyme_fwddiff((void *)used_half, 3.0, 1.0), 1.5, 1e-15);
  same("calls", 1, calls, 7, 0);
  unsigned long size = __enzyme_augmentsize((void *)cube, enzyme_dup, enzyme_dup);
  void *tape = malloc(size);
  dx = 0;
  __enzyme_augmentfwd_nothing((void *)cube, enzyme_allocated, size, enzyme_tape, tape, &x, &dx, &y, &dy);
  __enzyme_reverse_nothing((void *)cube, enzyme_allocated, size, enzyme_tape, tape, &x, &dx, &y, &dy);
  same("requested", 0, dx, 12, 1e-15);
  same("requested", 1, y, 8, 1e-15);
  free(tape);
  return failures;
}
