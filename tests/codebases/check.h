/* What the programs of code bases share. They are compiled once for each mode (-DFORWARD, else reverse) and once for each
 * place where their handle is made (-DINSIDE: in the differentiated function, else before it), and linked by themselves:
 * what one of them needs of the compiler does not depend on the others.
 *
 *     CHECK(f, 1.0, 2.0)                     double f(double *x) at (1, 2)
 *     CHECK_AT(f, x, n, h)                   the same at x[0] to x[n-1]; differences begin with steps h (1 + |x[i]|)
 *     CHECK_HANDLE(inside, outside, 1.0)     one of the two, both double f(double *x)
 *     return failures;                       at the end of main
 *
 * Prints, for tests/codebases/run:
 *
 *     derivative f i VALUE DIFFERENCES ERROR     the derivative by x[i], differences (Ridders 1982), their own error
 *     seconds f PRIMAL GRADIENT                  of one call; in forward mode of one direction
 *
 * A program whose results are less exact than the differences' 1e-6 defines TOLERANCE before it includes this file. One
 * that runs on several ranks defines CODEBASES_NOW, a clock that they share: all make the same number of calls.
 */
#ifndef CODEBASES_CHECK_H
#define CODEBASES_CHECK_H
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifndef TOLERANCE
#define TOLERANCE 1e-6
#endif
#ifndef CODEBASES_NOW
#define CODEBASES_NOW codebases_now()
#endif
#define NOINLINE __attribute__((noinline))

#ifdef __cplusplus
extern "C" {
#endif
extern int enzyme_const, enzyme_dup, enzyme_dupnoneed, enzyme_out;
extern double __enzyme_autodiff(void *, ...);
extern double __enzyme_fwddiff(void *, ...);
#ifdef __cplusplus
}
#endif

enum { CODEBASES_MOST = 128 };
typedef double (*codebases_function)(double *);
static int failures;
static volatile double codebases_kept; /* a result that is used by nobody would not be computed */

static inline double codebases_moved(codebases_function f, const double *x, int n, int i, double h) {
  double moved[CODEBASES_MOST];
  memcpy(moved, x, n * sizeof *x);
  moved[i] += h;
  return f(moved);
}

/* Central differences for steps h, h/1.4, ..., extrapolated to step 0; *error is what the extrapolation itself estimates. */
static inline double codebases_difference(codebases_function f, const double *x, int n, int i, double h, double *error) {
  enum { ROWS = 14 };
  const double shrink = 1.4;
  double table[ROWS][ROWS], best = 0;
  *error = INFINITY;
  h *= 1 + fabs(x[i]);
  for (int row = 0; row < ROWS; row++, h /= shrink) {
    double factor = shrink * shrink;
    table[row][0] = (codebases_moved(f, x, n, i, h) - codebases_moved(f, x, n, i, -h)) / (2 * h);
    for (int k = 1; k <= row; k++, factor *= shrink * shrink) {
      table[row][k] = (factor * table[row][k - 1] - table[row - 1][k - 1]) / (factor - 1);
      double change = fmax(fabs(table[row][k] - table[row][k - 1]), fabs(table[row][k] - table[row - 1][k - 1]));
      if (change < *error)
        *error = change, best = table[row][k];
    }
  }
  return best;
}

static inline double codebases_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static inline void codebases_compare(const char *name, codebases_function f, const double *x, int n, double h,
                                     const double *got) {
  double want[CODEBASES_MOST], error[CODEBASES_MOST], scale = 1e-300;
  for (int i = 0; i < n; i++) {
    want[i] = codebases_difference(f, x, n, i, h, &error[i]);
    scale = fmax(scale, fabs(want[i]));
  }
  for (int i = 0; i < n; i++) {
    failures += !(fabs(got[i] - want[i]) <= TOLERANCE * fmax(fabs(want[i]), 1e-3 * scale));
    printf("derivative %s %d %.17g %.17g %.3g\n", name, i, got[i], want[i], error[i]);
  }
  fflush(stdout);
}

/* The least time of a call: the number of calls grows until they take 10 ms together, then five rounds of so many. */
#define CODEBASES_TIME(best, call)                                                                                     \
  do {                                                                                                                 \
    double calls_ = 1;                                                                                                 \
    best = INFINITY;                                                                                                   \
    for (int round_ = 0; round_ < 5;) {                                                                                \
      double start_ = CODEBASES_NOW, used_;                                                                            \
      for (double k_ = 0; k_ < calls_; k_++)                                                                           \
        call;                                                                                                          \
      used_ = CODEBASES_NOW - start_;                                                                                  \
      if (used_ < 0.01)                                                                                                \
        calls_ *= used_ < 0.001 ? 10 : 2;                                                                              \
      else                                                                                                             \
        best = fmin(best, used_ / calls_), round_++;                                                                   \
    }                                                                                                                  \
  } while (0)

#ifdef FORWARD
#define CODEBASES_GRADIENT(f, x, dx, n, got)                                                                           \
  for (int i_ = 0; i_ < n; i_++) {                                                                                     \
    memset(dx, 0, sizeof dx);                                                                                          \
    dx[i_] = 1;                                                                                                        \
    got[i_] = __enzyme_fwddiff((void *)f, enzyme_dup, x, dx);                                                          \
  }
#define CODEBASES_ONCE(f, x, dx) codebases_kept = __enzyme_fwddiff((void *)f, enzyme_dup, x, dx)
#else
#define CODEBASES_GRADIENT(f, x, dx, n, got)                                                                           \
  memset(dx, 0, sizeof dx);                                                                                            \
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx);                                                                     \
  memcpy(got, dx, sizeof dx);
#define CODEBASES_ONCE(f, x, dx) (void)__enzyme_autodiff((void *)f, enzyme_dup, x, dx)
#endif

#define CHECK_AT(f, x, n, h)                                                                                           \
  do {                                                                                                                 \
    double dx_[CODEBASES_MOST], got_[CODEBASES_MOST], once_, gradient_;                                                \
    volatile codebases_function hidden_ = (codebases_function)f;                                                       \
    codebases_function primal_ = hidden_;                                                                              \
    double *volatile at_ = x; /* so that no call is known to be like the one before */                                 \
    CODEBASES_GRADIENT(f, x, dx_, n, got_)                                                                             \
    codebases_compare(#f, primal_, x, n, h, got_);                                                                     \
    CODEBASES_TIME(once_, codebases_kept = primal_(at_));                                                              \
    CODEBASES_TIME(gradient_, CODEBASES_ONCE(f, at_, dx_));                                                            \
    printf("seconds %s %.4g %.4g\n", #f, once_, gradient_);                                                            \
  } while (0)

#define CHECK(f, ...)                                                                                                  \
  do {                                                                                                                 \
    double x_[] = {__VA_ARGS__};                                                                                       \
    CHECK_AT(f, x_, (int)(sizeof x_ / sizeof *x_), 0.02);                                                              \
  } while (0)

#ifdef INSIDE
#define CHECK_HANDLE(inside, outside, ...) CHECK(inside, __VA_ARGS__)
#else
#define CHECK_HANDLE(inside, outside, ...) CHECK(outside, __VA_ARGS__)
#endif

#endif
