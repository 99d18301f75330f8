/* Gradients of functions with parallel regions, on teams of 1, 2, 3 and 8 threads.
 *
 *     ON_TEAMS(f);   double f(double *x), of N numbers: against central differences, and forward against reverse mode
 */
#ifndef ON_TEAMS_H
#define ON_TEAMS_H
#include "../check.h"
#include <omp.h>

enum { N = 37 };

static void on_teams(const char *name, double (*f)(double *), void (*reverse)(double *, double *),
                     double (*forward)(double *, double *)) {
  static const int teams[] = {1, 2, 3, 8};
  double x[N], direction[N], want[N];
  omp_set_num_threads(1);
  for (int i = 0; i < N; i++) {
    x[i] = 0.3 + 0.4 * sin(i * 1.3);
    direction[i] = cos(i);
  }
  for (int i = 0; i < N; i++) {
    double h = 1e-3, at = x[i], far, near;
    x[i] = at + h, near = f(x), x[i] = at - h, near -= f(x);
    x[i] = at + 2 * h, far = f(x), x[i] = at - 2 * h, far -= f(x);
    x[i] = at;
    want[i] = (8 * near - far) / (12 * h);
  }
  for (int k = 0; k < 4; k++) {
    double got[N] = {0}, sum = 0;
    omp_set_num_threads(teams[k]);
    reverse(x, got);
    for (int i = 0; i < N; i++) {
      same(name, i, got[i], want[i], 1e-8);
      sum += got[i] * direction[i];
    }
    same(name, -teams[k], forward(x, direction), sum, 1e-11);
  }
}

#define ON_TEAMS(f) on_teams(#f, f, reverse_##f, forward_##f)
#define GRADIENT(f)                                                                                                    \
  static void reverse_##f(double *x, double *dx) { __enzyme_autodiff((void *)f, x, dx); }                              \
  static double forward_##f(double *x, double *dx) { return __enzyme_fwddiff((void *)f, x, dx); }
#endif
