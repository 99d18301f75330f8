/* Derivatives of the program's own in several directions: called once for each, with its shadows, on the memory that the
 * first one found. All are a hundred times too large, to be told apart. */
#include "../check.h"
#include <enzyme/checkpoint.h>

struct two {
  double a, b;
};
struct taped {
  void *tape;
  double result;
};
extern struct two __enzyme_autodiff_two(void *, ...);
extern void *__enzyme_augmentfwd_two(void *, ...);
extern void __enzyme_reverse_two(void *, ...);

/* of numbers: the tape is a number */
static NOINLINE double square(double x) { return x * x; }
static struct two augmented_square(double x) { return (struct two){x, x * x}; }
static double reverse_square(double x, double d, double tape) { return 200 * tape * d; }
static double derivative_square(double x, double dx) { return 200 * x * dx; }
void *__enzyme_register_gradient_square[] = {(void *)square, (void *)augmented_square, (void *)reverse_square};
void *__enzyme_register_derivative_square[] = {(void *)square, (void *)derivative_square};
static double of_square(double x) { return 3 * square(x); }
static void of_squares(const double *x, double *y) { y[0] = square(x[0]), y[1] = square(x[1]) * x[0]; }

/* in place, with a tape that reverse frees, and a count of calls */
static int calls;
static NOINLINE void cube(double *x, int n) {
  calls++;
  for (int i = 0; i < n; i++)
    x[i] = x[i] * x[i] * x[i];
}
static void *augmented_cube(double *x, double *dx, int n) {
  double *tape = malloc(n * sizeof *tape), *old = malloc(n * sizeof *old);
  memcpy(old, x, n * sizeof *x);
  memcpy(tape, old, n * sizeof *x);
  free(old);
  cube(x, n);
  return tape;
}
static void reverse_cube(double *x, double *dx, int n, void *tape) {
  for (int i = 0; i < n; i++)
    dx[i] *= 300 * ((double *)tape)[i] * ((double *)tape)[i];
  free(tape);
}
static void derivative_cube(double *x, double *dx, int n) {
  for (int i = 0; i < n; i++)
    dx[i] *= 300 * x[i] * x[i];
  cube(x, n);
}
void *__enzyme_register_gradient_cube[] = {(void *)cube, (void *)augmented_cube, (void *)reverse_cube};
void *__enzyme_register_derivative_cube[] = {(void *)cube, (void *)derivative_cube};
static void cubes(double *x, int n) {
  for (int k = 0; k < 2; k++)
    cube(x, n);
}

/* a pointer that comes back, with its shadow; shadows that the augmented function writes */
static NOINLINE double *place(double *x, double **into) { return *into = x + 1; }
static struct places {
  double *result, *shadow;
} augmented_place(double *x, double *dx, double **into, double **dinto) {
  *into = x + 1;
  *dinto = dx + 1;
  return (struct places){x + 1, dx + 1};
}
static void reverse_place(double *x, double *dx, double **into, double **dinto) { dx[1] *= 100; }
void *__enzyme_register_gradient_place[] = {(void *)place, (void *)augmented_place, (void *)reverse_place};
static double placed(double *x) {
  double *there;
  return *place(x, &there) * x[0] + *there;
}

/* in halves */
static NOINLINE void norm(const double *x, double *y) { *y = x[0] * x[0] + x[1] * x[1]; }
static void *augmented_norm(const double *x, double *dx, double *y, double *dy) {
  double *tape = malloc(2 * sizeof *tape);
  memcpy(tape, x, 2 * sizeof *x);
  norm(x, y);
  return tape;
}
static void forward_norm(const double *x, double *dx, double *y, double *dy, void *tape) {
  *dy = 200 * (((double *)tape)[0] * dx[0] + ((double *)tape)[1] * dx[1]);
  free(tape);
}
void *__enzyme_register_splitderivative_norm[] = {(void *)norm, (void *)augmented_norm, (void *)forward_norm};
static double of_norm(const double *x) {
  double y;
  norm(x, &y);
  return y * y;
}

/* loops of steps */
struct pair {
  double a, b;
};
static void step(struct pair *p, const double *k, long t) {
  p->a += 0.1 * *k * sin(p->b);
  p->b *= cos(0.1 * p->a);
}
__attribute__((enzyme("checkpoint", 2))) static void marked(struct pair *p, const double *k, long t) { step(p, k, t); }
ENZYME_CHECKPOINTED(by_header, step, struct pair, const double, 2)
static void by_attribute(struct pair *p, size_t bytes, const double *k, long steps) {
  for (long t = 0; t < steps; t++)
    marked(p, k, t);
}
static void plainly(struct pair *p, size_t bytes, const double *k, long steps) {
  for (long t = 0; t < steps; t++)
    step(p, k, t);
}
static void twice(void (*loop)(struct pair *, size_t, const double *, long), double *x, double *y) {
  struct pair p = {x[0], x[1]};
  loop(&p, sizeof p, x + 2, 7);
  p.a *= x[0];
  loop(&p, sizeof p, x + 2, 5);
  y[0] = p.a, y[1] = p.b;
}
static void header(double *x, double *y) { twice(by_header, x, y); }
static void attribute(double *x, double *y) { twice(by_attribute, x, y); }
static void plain(double *x, double *y) { twice(plainly, x, y); }
static void compare(double rows[2][3], double *y, double want[2][3], double *wanted) {
  for (int k = 0; k < 2; k++) {
    SAME(y[k], wanted[k]);
    for (int i = 0; i < 3; i++)
      same("loops", 3 * k + i, rows[k][i], want[k][i], 1e-14);
  }
}
#define ROWS(f, rows, y)                                                                                               \
  double rows[2][3] = {{0}}, y[2], seeds_##y[2][2] = {{1, 0}, {0, 1}};                                                 \
  __enzyme_autodiff((void *)f, enzyme_width, 2, enzyme_dup, point, rows[0], rows[1], enzyme_dup, y, seeds_##y[0],      \
                    seeds_##y[1])

int main(void) {
  struct two d = __enzyme_autodiff_two((void *)of_square, enzyme_width, 2, 5.0);
  SAME(d.a, 3000);
  SAME(d.b, 3000);
  double s[2] = {3, 5}, t[2], ds[2][2] = {{0}}, dt[2][2] = {{1, 0}, {0, 1}};
  __enzyme_autodiff((void *)of_squares, enzyme_width, 2, enzyme_dup, s, ds[0], ds[1], enzyme_dup, t, dt[0], dt[1]);
  SAME(ds[0][0], 600);
  SAME(ds[1][0], 25);
  SAME(ds[1][1], 3000);

  double x[2] = {1.5, 2}, dx[2][2] = {{1, 0}, {0, 10}};
  calls = 0;
  __enzyme_autodiff((void *)cubes, enzyme_width, 2, enzyme_dup, x, dx[0], dx[1], 2);
  SAME(x[0], pow(1.5, 9));
  SAME(x[1], 512);
  SAME(calls, 2);
  SAME(dx[0][0], 90000 * pow(1.5, 8));
  SAME(dx[0][1], 0);
  SAME(dx[1][1], 900000 * 256);
  x[0] = 1.5, x[1] = 2, dx[0][0] = 1, dx[1][0] = 0, dx[1][1] = 10, calls = 0;
  void *tape = __enzyme_augmentfwd_two((void *)cubes, enzyme_width, 2, enzyme_dup, x, dx[0], dx[1], 2);
  SAME(x[1], 512);
  __enzyme_reverse_two((void *)cubes, enzyme_width, 2, enzyme_dup, x, dx[0], dx[1], 2, tape);
  SAME(dx[0][0], 90000 * pow(1.5, 8));
  SAME(dx[1][1], 900000 * 256);
  x[0] = 1.5, x[1] = 2, dx[0][0] = 1, dx[1][0] = 0, dx[1][1] = 10, calls = 0;
  __enzyme_fwddiff((void *)cubes, enzyme_width, 2, enzyme_dup, x, dx[0], dx[1], 2);
  SAME(x[1], 512);
  SAME(calls, 2);
  SAME(dx[0][0], 90000 * pow(1.5, 8));
  SAME(dx[1][1], 900000 * 256);

  double p[2] = {2, 3}, dp[2][2] = {{0}};
  __enzyme_autodiff((void *)placed, enzyme_width, 2, enzyme_dup, p, dp[0], dp[1]);
  for (int k = 0; k < 2; k++) {
    SAME(dp[k][0], 3);
    SAME(dp[k][1], 300);
  }

  struct two n = {0, 0};
  extern struct two __enzyme_fwddiff_both(void *, ...);
  double n1[2] = {1, 0}, n2[2] = {0, 1};
  n = __enzyme_fwddiff_both((void *)of_norm, enzyme_width, 2, enzyme_dup, p, n1, n2);
  SAME(n.a, 2 * 13 * 400);
  SAME(n.b, 2 * 13 * 600);

  double point[3] = {0.3, 0.5, 0.7};
  ROWS(plain, want, wanted);
  {
    ROWS(header, rows, y);
    compare(rows, y, want, wanted);
  }
  {
    ROWS(attribute, rows, y);
    compare(rows, y, want, wanted);
  }
  return failures;
}
