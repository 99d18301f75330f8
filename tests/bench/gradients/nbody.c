/* Steps of an n-body system: positions and velocities are overwritten in place. Without restrict each store to a velocity
 * might change a position, which the gradient would have to allow for, as the one by hand does not. */
#include "bench.h"

enum { N = 48, STEPS = 100 };
#define DT 1e-3

__attribute__((noinline)) static double orbit(double *restrict x, double *restrict v, const double *restrict m, int n, int steps) {
  for (int t = 0; t < steps; t++) {
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        double a = x[3 * j] - x[3 * i], b = x[3 * j + 1] - x[3 * i + 1], c = x[3 * j + 2] - x[3 * i + 2];
        double r2 = a * a + b * b + c * c + 1e-2;
        double s = DT * m[j] / (r2 * sqrt(r2));
        v[3 * i] += s * a, v[3 * i + 1] += s * b, v[3 * i + 2] += s * c;
      }
    for (int i = 0; i < 3 * n; i++)
      x[i] += DT * v[i];
  }
  double sum = 0;
  for (int i = 0; i < 3 * n; i++)
    sum += x[i] * x[i];
  return sum;
}

static void orbit_by_hand(double *x, double *dx, double *v, double *dv, const double *m, int n, int steps) {
  size_t row = 3 * n;
  double *log = malloc((steps + 1) * row * sizeof *log);
  for (int t = 0; t < steps; t++) {
    memcpy(log + t * row, x, row * sizeof *x);
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        double a = x[3 * j] - x[3 * i], b = x[3 * j + 1] - x[3 * i + 1], c = x[3 * j + 2] - x[3 * i + 2];
        double r2 = a * a + b * b + c * c + 1e-2;
        double s = DT * m[j] / (r2 * sqrt(r2));
        v[3 * i] += s * a, v[3 * i + 1] += s * b, v[3 * i + 2] += s * c;
      }
    for (int i = 0; i < 3 * n; i++)
      x[i] += DT * v[i];
  }
  for (int i = 0; i < 3 * n; i++)
    dx[i] += 2 * x[i];
  for (int t = steps; t-- > 0;) {
    const double *p = log + t * row;
    for (int i = 0; i < 3 * n; i++)
      dv[i] += DT * dx[i];
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        double a = p[3 * j] - p[3 * i], b = p[3 * j + 1] - p[3 * i + 1], c = p[3 * j + 2] - p[3 * i + 2];
        double r2 = a * a + b * b + c * c + 1e-2;
        double s = DT * m[j] / (r2 * sqrt(r2));
        double ds = dv[3 * i] * a + dv[3 * i + 1] * b + dv[3 * i + 2] * c;
        double dr2 = -3 * s / r2 * ds; /* twice the derivative by r2 */
        double da = s * dv[3 * i] + dr2 * a, db = s * dv[3 * i + 1] + dr2 * b, dc = s * dv[3 * i + 2] + dr2 * c;
        dx[3 * j] += da, dx[3 * j + 1] += db, dx[3 * j + 2] += dc;
        dx[3 * i] -= da, dx[3 * i + 1] -= db, dx[3 * i + 2] -= dc;
      }
  }
  free(log);
}

static double *x0, *v0, *x, *v, *m, *dx, *dv, *dx_hand, *dv_hand;
enum { BYTES = 3 * N * sizeof(double) };

static void start(void) { memcpy(x, x0, BYTES), memcpy(v, v0, BYTES); }
static void primal(void) {
  start();
  orbit(x, v, m, N, STEPS);
}
static void gradient(void) {
  start();
  memset(dx, 0, BYTES), memset(dv, 0, BYTES);
  __enzyme_autodiff((void *)orbit, enzyme_dup, x, dx, enzyme_dup, v, dv, enzyme_const, m, N, STEPS);
}
static void hand(void) {
  start();
  memset(dx_hand, 0, BYTES), memset(dv_hand, 0, BYTES);
  orbit_by_hand(x, dx_hand, v, dv_hand, m, N, STEPS);
}

int main(void) {
  x0 = numbers(3 * N, -1, 1), v0 = numbers(3 * N, -1, 1), m = numbers(N, 0.5, 2), x = numbers(3 * N, 0, 0);
  v = numbers(3 * N, 0, 0), dx = numbers(3 * N, 0, 0), dv = numbers(3 * N, 0, 0), dx_hand = numbers(3 * N, 0, 0);
  dv_hand = numbers(3 * N, 0, 0);
  return report(primal, gradient, hand, dx, dx_hand, 3 * N, STEPS * (size_t)BYTES);
}
