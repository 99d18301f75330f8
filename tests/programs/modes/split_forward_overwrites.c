/* __enzyme_fwdsplit of functions that overwrite what they have read: the tape holds what that was. Also when the program
   has changed it since; what the program sees stays as it is. */
#include "../check.h"

struct taped {
  void *tape;
  double value;
};
struct two {
  double a, b;
};
extern int enzyme_nofree, enzyme_width;
extern struct taped __enzyme_augmentfwd(void *, ...);
extern void *__enzyme_augmentfwd_void(void *, ...);
extern double __enzyme_fwdsplit(void *, ...);
extern struct two __enzyme_fwdsplit_two(void *, ...);
extern double __enzyme_reverse(void *, ...);

static int calls;
static double total, total_shadow;

static NOINLINE void squares(double *x, int n) {
  double *old = malloc(n * sizeof *old);
  calls++;
  memcpy(old, x, n * sizeof *x);
  for (int i = 0; i < n; i++)
    x[i] = old[i] * old[(i + 1) % n];
  free(old);
}
static double f(double *x, int n, double a) {
  squares(x, n);
  squares(x, n);
  total = total * a + x[0];
  printf("   ok called, %d\n", calls);
  return total * x[1];
}
/* f at (x0, x1), with total before */
static double value(double x0, double x1, double a, double before) {
  double p = x0 * x1; /* both after one call; their squares after two */
  return (before * a + p * p) * p * p;
}

/* writes over numbers that it returned before, and over a part of its input only */
static void parts(double *x, double *y) {
  y[0] = x[0] * x[1];
  x[1] = y[0] * 3;
  y[1] = x[1] + y[0];
}

int main(void) {
  const double h = 1e-6;
  double x[2] = {1.5, 0.7}, dx[2] = {0.5, -1}, adjoint[2] = {0}, found;
  total = 2;
  double want = (value(1.5 + h * 0.5, 0.7 - h, 0.9 + h * 0.25, 2 + h * 10) -
                 value(1.5 - h * 0.5, 0.7 + h, 0.9 - h * 0.25, 2 - h * 10)) / (2 * h);
  struct taped t = __enzyme_augmentfwd((void *)f, x, adjoint, 2, 0.9);
  SAME(calls, 2);
  SAME(t.value, value(1.5, 0.7, 0.9, 2));
  double left = x[0], left_total = total;
  SAME(left, 1.05 * 1.05);
  for (int k = 0; k < 2; k++) {
    dx[0] = 0.5, dx[1] = -1, total_shadow = 10;
    found = __enzyme_fwdsplit((void *)f, enzyme_nofree, x, dx, 2, 0.9, 0.25, t.tape);
    same("fwdsplit", k, found, want, 1e-8);
    SAME(calls, 2);
    SAME(x[0], k ? 100 : left);
    SAME(total, left_total);
    x[0] = 100;
  }
  dx[0] = 0.5, dx[1] = -1, total_shadow = 10;
  struct two both = __enzyme_fwdsplit_two((void *)f, enzyme_nofree, enzyme_primal_return, x, dx, 2, 0.9, 0.25, t.tape);
  SAME(both.a, t.value);
  same("with the result", 0, both.b, want, 1e-8);
  total_shadow = 0;
  double by_a = __enzyme_reverse((void *)f, x, adjoint, 2, 0.9, 1.0, t.tape);
  same("reverse", 0, adjoint[0] * 0.5 - adjoint[1] + by_a * 0.25 + total_shadow * 10, want, 1e-8);

  double u[2] = {2, 3}, y[2], du[2] = {1, 10}, dy[2], zero[2][2] = {{0}};
  void *tape = __enzyme_augmentfwd_void((void *)parts, u, zero[0], y, zero[1]);
  __enzyme_fwdsplit((void *)parts, u, du, y, dy, tape);
  SAME(u[1], 18);
  SAME(dy[0], 23);
  SAME(dy[1], 4 * 23);
  SAME(du[1], 69);

  double w[2] = {2, 3}, dw[2][2] = {{1, 0}, {0, 1}}, dv[2][2];
  tape = __enzyme_augmentfwd_void((void *)parts, enzyme_width, 2, w, zero[0], zero[0], y, zero[1], zero[1]);
  __enzyme_fwdsplit((void *)parts, enzyme_width, 2, w, dw[0], dw[1], y, dv[0], dv[1], tape);
  SAME(dv[0][1], 12);
  SAME(dv[1][1], 8);
  SAME(dw[1][1], 6);
  return failures;
}
