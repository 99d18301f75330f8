/* Runge-Kutta with adaptive steps and a callback. */
#include "../check.h"

typedef void rhs(double t, const double *y, double *dy, const double *p);

NOINLINE static void pendulum(double t, const double *y, double *dy, const double *p) {
  dy[0] = y[1];
  dy[1] = -p[0] * sin(y[0]) - p[1] * y[1] + 0.1 * cos(t);
}

static void step(rhs *f, double t, double h, const double *y, double *out, const double *p) {
  double k[4][2], z[2];
  f(t, y, k[0], p);
  for (int s = 1; s < 4; s++) {
    double c = s == 3 ? h : h / 2;
    for (int i = 0; i < 2; i++)
      z[i] = y[i] + c * k[s - 1][i];
    f(t + c, z, k[s], p);
  }
  for (int i = 0; i < 2; i++)
    out[i] = y[i] + h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
}

static double solve(double *x) {
  double y[2] = {x[0], x[1]}, t = 0, h = 0.1;
  while (t < 1 - 1e-9) {
    double one[2], half[2], two[2];
    step(pendulum, t, h, y, one, x + 2);
    step(pendulum, t, h / 2, y, half, x + 2);
    step(pendulum, t + h / 2, h / 2, half, two, x + 2);
    double error = fabs(one[0] - two[0]) + fabs(one[1] - two[1]);
    if (error > 1e-6 && h > 0.02) {
      h /= 2;
      continue;
    }
    memcpy(y, two, sizeof y);
    t += h;
  }
  return y[0] * y[0] + y[1];
}

int main(void) {
  CHECK(solve, 0.8, 0.1, 2.0, 0.3);
  return failures;
}
