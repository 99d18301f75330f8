/* mustcache, nocache, shouldrecompute: whether the result of a function is stored on the tape. preserve_primal: it is
   called even where nobody needs what it writes. */
#include "../check.h"
#include <enzyme/enzyme.h>

enum { N = 600 };
static unsigned long released;
void enzyme_tape_released(unsigned long bytes) { released = bytes; }

__attribute__((enzyme_mustcache)) static double stored(double x) { return x / (1 + x * x); }
__attribute__((enzyme("nocache"))) static double again(double x) { return x / (1 + x * x); }
__attribute__((enzyme_shouldrecompute)) static double again_too(double x) { return x / (1 + x * x); }
static double again_also(double x) { return x / (1 + x * x); }
void *__enzyme_shouldrecompute_also[] = {(void *)again_also};

#define SUM(name, g)                                                                                                   \
  static double name(const double *x) {                                                                                \
    double sum = 0;                                                                                                    \
    for (int i = 0; i < N; i++) {                                                                                      \
      double r = g(x[i]);                                                                                              \
      sum += r * r * r;                                                                                                \
    }                                                                                                                  \
    return sum;                                                                                                        \
  }
SUM(of_stored, stored)
SUM(of_again, again)
SUM(of_again_too, again_too)
SUM(of_again_also, again_also)

static void check(const char *what, double (*f)(const double *)) {
  double x[N], dx[N] = {0};
  for (int i = 0; i < N; i++)
    x[i] = 0.01 * i - 2;
  released = 0;
  if (f == of_stored)
    __enzyme_autodiff((void *)of_stored, x, dx);
  else if (f == of_again)
    __enzyme_autodiff((void *)of_again, x, dx);
  else if (f == of_again_also)
    __enzyme_autodiff((void *)of_again_also, x, dx);
  else
    __enzyme_autodiff((void *)of_again_too, x, dx);
  for (int i = 0; i < N; i += 31) {
    double d = 1 + x[i] * x[i], r = x[i] / d;
    same(what, i, dx[i], 3 * r * r * (1 - x[i] * x[i]) / (d * d), 1e-13);
  }
}

__attribute__((enzyme("preserve_primal"))) static void put(double *y, double x) { *y = x * x; }
static void plain_put(double *y, double x) { *y = x * x; }
static void kept(const double *x, double *y) { put(y, *x); }
static void dropped(const double *x, double *y) { plain_put(y, *x); }

int main(void) {
  check("stored", of_stored);
  same("the tape holds the results", 0, released >= N * sizeof(double), 1, 0);
  check("computed again", of_again);
  same("the tape does not hold the results", 0, released < N, 1, 0);
  check("computed again", of_again_too);
  same("the tape does not hold the results", 1, released < N, 1, 0);
  check("computed again", of_again_also);
  same("the tape does not hold the results", 2, released < N, 1, 0);
  double x = 3, dx = 0, y = 0, dy = 1;
  __enzyme_autodiff((void *)kept, &x, &dx, enzyme_dupnoneed, &y, &dy);
  same("written", 0, y, 9, 0);
  y = 0, dy = 1;
  __enzyme_autodiff((void *)dropped, &x, &dx, enzyme_dupnoneed, &y, &dy);
  same("not written", 0, y, 0, 0);
  same("both", 0, dx, 12, 1e-14);
  return failures;
}
