/* Registered gradients, recognisable by what they return: of numbers, of memory, of both, with and without a tape; in
   loops, through pointers, differentiated directly, and where the result is not used. Small enough to be inlined. */
#include "../check.h"

static int augmented, reversed;

static double cube(double x) { return x * x * x; }
struct taped {
  void *tape;
  double result;
};
static struct taped augment_cube(double x) {
  augmented++;
  double *tape = malloc(sizeof *tape);
  *tape = x;
  return (struct taped){tape, x * x * x};
}
static double reverse_cube(double x, double d, void *tape) {
  reversed++;
  double kept = *(double *)tape;
  free(tape);
  return kept == x ? 1000 * d : NAN;
}
void *__enzyme_register_gradient_cube[] = {(void *)cube, (void *)augment_cube, (void *)reverse_cube};

static void squares(const double *x, double *y, int n) {
  for (int i = 0; i < n; i++)
    y[i] = x[i] * x[i];
}
static void *augment_squares(const double *x, double *dx, double *y, double *dy, int n) {
  squares(x, y, n);
  return NULL;
}
static void reverse_squares(const double *x, double *dx, double *y, double *dy, int n, void *tape) {
  for (int i = 0; i < n; i++) {
    dx[i] += 100 * dy[i];
    dy[i] = 0;
  }
}
void *__enzyme_register_gradient_squares[] = {(void *)squares, (void *)augment_squares, (void *)reverse_squares};

static double mixed(float a, const double *x, double b, int k) { return a * x[k] + b; }
struct two {
  float a;
  double b;
};
static double augment_mixed(float a, const double *x, double *dx, double b, int k) { return a * x[k] + b; }
static struct two reverse_mixed(float a, const double *x, double *dx, double b, int k, double d) {
  dx[k] += 10 * d;
  return (struct two){20 * d, 30 * d};
}
void *__enzyme_register_gradient_mixed[] = {(void *)mixed, (void *)augment_mixed, (void *)reverse_mixed};

static double *rows(double *x, int n) {
  double *y = malloc(n * sizeof *y);
  for (int i = 0; i < n; i++)
    y[i] = 5 * x[i];
  return y;
}
struct triple {
  void *tape;
  double *result, *shadow;
};
static struct triple augment_rows(double *x, double *dx, int n) {
  double *shadow = calloc(n, sizeof *shadow);
  return (struct triple){shadow, rows(x, n), shadow};
}
static void reverse_rows(double *x, double *dx, int n, void *tape) {
  for (int i = 0; i < n; i++)
    dx[i] += 500 * ((double *)tape)[i];
}
void *__enzyme_register_gradient_rows[] = {(void *)rows, (void *)augment_rows, (void *)reverse_rows};

static void in_place(double *x) { x[0] = x[0] * x[0]; }
static double augment_in_place(double *x, double *dx) {
  double old = x[0];
  in_place(x);
  return old;
}
static void reverse_in_place(double *x, double *dx, double tape) { dx[0] *= 7 * tape; }
void *__enzyme_register_gradient_in_place[] = {(void *)in_place, (void *)augment_in_place, (void *)reverse_in_place};

static double numbers(double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s += cube(x[i]) * 2;
  return s;
}
static double memory(double *x, int n) {
  double y[4];
  squares(x, y, n);
  double s = 0;
  for (int i = 0; i < n; i++)
    s += y[i];
  return s;
}
static double both(double *x) { return mixed((float)x[0], x, x[1], 2); }
static double constants(double *x) {
  static const double table[] = {1, 2, 3};
  return mixed((float)x[0], table, x[1], 2);
}
static double returned(double *x, int n) {
  double *y = rows(x, n), s = 0;
  for (int i = 0; i < n; i++)
    s += y[i];
  free(y);
  return s;
}
static double twice(double *x) {
  in_place(x);
  in_place(x);
  return x[0];
}
static double (*volatile pointer)(double) = cube;
static double through_pointer(double *x) {
  double (*f)(double) = pointer;
  return f(x[0]);
}
static double unused(double *x) {
  volatile double ignored = cube(x[0]);
  return x[0];
}

int main(void) {
  double x[] = {2, 3, 4}, dx[3] = {0};
  __enzyme_autodiff((void *)numbers, x, dx, 3);
  for (int i = 0; i < 3; i++)
    SAME(dx[i], 2000);
  SAME(augmented, 3);
  SAME(reversed, 3);
  memset(dx, 0, sizeof dx);
  __enzyme_autodiff((void *)memory, x, dx, 3);
  for (int i = 0; i < 3; i++)
    SAME(dx[i], 100);
  memset(dx, 0, sizeof dx);
  __enzyme_autodiff((void *)both, x, dx);
  SAME(dx[0], 20);
  SAME(dx[1], 30);
  SAME(dx[2], 10);
  memset(dx, 0, sizeof dx);
  __enzyme_autodiff((void *)constants, x, dx);
  SAME(dx[0], 20);
  SAME(dx[1], 30);
  SAME(dx[2], 0);
  memset(dx, 0, sizeof dx);
  __enzyme_autodiff((void *)returned, x, dx, 3);
  SAME(dx[2], 500);
  memset(dx, 0, sizeof dx);
  __enzyme_autodiff((void *)twice, x, dx);
  SAME(x[0], 16);
  SAME(dx[0], 7 * 2 * 7 * 4);
  memset(dx, 0, sizeof dx);
  __enzyme_autodiff((void *)through_pointer, x, dx);
  SAME(dx[0], 1000);
  memset(dx, 0, sizeof dx);
  __enzyme_autodiff((void *)unused, x, dx);
  SAME(dx[0], 1);
  SAME(__enzyme_autodiff((void *)cube, 5.0), 1000);
  SAME(cube(3), 27);
  return failures;
}
