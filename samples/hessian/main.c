/* Fits the model by Newton's method, and checks the Hessian against differences of the gradient. */
#include "derivatives.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static double norm(const double *v) {
  double s = 0;
  for (int i = 0; i < N; i++)
    s += v[i] * v[i];
  return sqrt(s);
}

/* Cholesky's factor of h + shift, in its lower triangle; 0 where that is not positive definite. */
static int factorise(double h[N][N], double shift) {
  for (int j = 0; j < N; j++) {
    double d = h[j][j] + shift;
    for (int k = 0; k < j; k++)
      d -= h[j][k] * h[j][k];
    if (!(d > 0))
      return 0;
    h[j][j] = sqrt(d);
    for (int i = j + 1; i < N; i++) {
      for (int k = 0; k < j; k++)
        h[i][j] -= h[i][k] * h[j][k];
      h[i][j] /= h[j][j];
    }
  }
  return 1;
}

static void solve(double l[N][N], const double *g, double *step) {
  for (int i = 0; i < N; i++) {
    step[i] = g[i];
    for (int k = 0; k < i; k++)
      step[i] -= l[i][k] * step[k];
    step[i] /= l[i][i];
  }
  for (int i = N - 1; i >= 0; i--) {
    for (int k = i + 1; k < N; k++)
      step[i] -= l[k][i] * step[k];
    step[i] /= l[i][i];
  }
}

/* One step: downhill also where the Hessian is indefinite, and shorter until the misfit is less. */
static void improve(double *p, const double *g, double h[N][N]) {
  double l[N][N], step[N], next[N], shift = 0;
  memcpy(l, h, sizeof l);
  while (!factorise(l, shift)) {
    shift = 2 * shift + 1;
    memcpy(l, h, sizeof l);
  }
  solve(l, g, step);
  double length = 1, now = misfit(p);
  do {
    for (int i = 0; i < N; i++)
      next[i] = p[i] - length * step[i];
    length /= 2;
  } while (!(misfit(next) <= now) && length > 1e-9);
  memcpy(p, next, sizeof next);
}

static double error_of(const double *p, double h[N][N]) {
  double worst = 0;
  for (int j = 0; j < N; j++) {
    double up[N], down[N], gu[N], gd[N], e = 1e-5;
    memcpy(up, p, sizeof up), memcpy(down, p, sizeof down);
    up[j] += e, down[j] -= e;
    gradient(up, gu), gradient(down, gd);
    for (int i = 0; i < N; i++)
      worst = fmax(worst, fabs(h[j][i] - (gu[i] - gd[i]) / (2 * e)) / (1 + fabs(h[j][i])));
  }
  return worst;
}

int main(void) {
  double p[N] = {1, 0.2, 3.8, 0.8}, g[N], h[N][N], worst = 0;
  puts("step    misfit            |gradient|");
  for (int step = 0;; step++) {
    hessian(p, g, h);
    worst = fmax(worst, error_of(p, h));
    printf("%4d    %-16.12f  %.1e\n", step, misfit(p), norm(g));
    if (norm(g) < 1e-10 || step == 50)
      break;
    improve(p, g, h);
  }
  printf("\namplitude %.4f, damping %.4f, frequency %.4f, phase %.4f (true: %g, %g, %g, %g)\n", p[0], p[1], p[2], p[3],
         truth[0], truth[1], truth[2], truth[3]);
  int agrees = worst < 1e-6 && norm(g) < 1e-10;
  printf("Hessian against differences of the gradient: %.1e %s\n", worst, agrees ? "" : "DISAGREES");
  return !agrees;
}
