/* Functions that call what Python passes: an integrator, Newton's method, the midpoint rule. */
#include <math.h>
#include <stdlib.h>
typedef void (*rhs_t)(double t, const double *y, double *dy, void *ctx);
void integrate(rhs_t rhs, void *ctx, const double *y0, int n, int steps, double *y) {
  double *dy = malloc(n * sizeof *dy);
  for (int i = 0; i < n; i++) y[i] = y0[i];
  for (int k = 0; k < steps; k++) {
    rhs(0.1 * k, y, dy, ctx);
    for (int i = 0; i < n; i++) y[i] += 0.1 * dy[i];
  }
  free(dy);
}
double newton(double (*f)(double x, double a), double a) {
  double x = 1;
  for (int k = 0; k < 20; k++) {
    double h = 1e-6;
    x -= f(x, a) / ((f(x + h, a) - f(x - h, a)) / (2 * h));
  }
  return x;
}
double integral(double (*f)(double), double a, double b, int n) {
  double s = 0, h = (b - a) / n;
  for (int i = 0; i < n; i++) s += f(a + (i + 0.5) * h);
  return s * h;
}
double twice(double x) { return 2 * x * x; }
