/* What the programs here share: a gradient against central differences, and an exit status that says if they agree.
 *
 *     CHECK(f, 1.0, 2.0)   double f(double *x) at the point (1, 2): the gradient, what f leaves in x, and that forward
 *                          and reverse mode agree
 *     SAME(got, want)      two numbers
 *     return failures;     at the end of main
 *
 * The differences are extrapolated (Ridders 1982): good to about 1e-10, also where a kink lies near the point.
 *
 * With J the Jacobian of (result, x after) by x, the two modes agree if w·(J v) = (J' w)·v for a direction v and a seed
 * w; that holds to rounding errors, of whatever size f's own are. Programs whose globals carry derivatives define
 * BEFORE_REQUEST to clear the globals' shadows, which keep what a request leaves there.
 */
#ifndef CHECK_H
#define CHECK_H
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NOINLINE __attribute__((noinline))

extern int enzyme_const, enzyme_dup, enzyme_dupnoneed, enzyme_out;
extern int enzyme_noret, enzyme_const_return, enzyme_active_return, enzyme_primal_return;
extern double __enzyme_autodiff(void *, ...);
extern double __enzyme_fwddiff(void *, ...);
extern long double __enzyme_fwddiff_long(void *, ...);
extern float __enzyme_fwddiff_float(void *, ...);

#ifndef BEFORE_REQUEST
#define BEFORE_REQUEST
#endif

static int failures;

static inline void same(const char *what, int i, long double got, long double want, double tolerance) {
  int wrong = !(fabsl(got - want) <= tolerance * (1 + fabsl(want)));
  failures += wrong;
  printf("%s %s[%d] = %.12Lg, expected %.12Lg\n", wrong ? "WRONG" : "   ok", what, i, got, want);
}

enum { MOST = 64 };

/* The derivative of f by x[i] for numbers of type T, by Ridders' extrapolation of central differences. */
#define DEFINE_CHECK(T, NAME)                                                                                          \
  static inline T NAME##_at(T (*f)(T *), const T *x, int n, int i, T h) {                                              \
    T moved[MOST];                                                                                                     \
    memcpy(moved, x, n * sizeof *x);                                                                                   \
    moved[i] += h;                                                                                                     \
    return f(moved);                                                                                                   \
  }                                                                                                                    \
  static inline T NAME##_difference(T (*f)(T *), const T *x, int n, int i) {                                           \
    enum { ROWS = 12 };                                                                                                \
    T table[ROWS][ROWS], h = (T)0.02 * (1 + (x[i] < 0 ? -x[i] : x[i])), best = 0, error = INFINITY;                    \
    for (int row = 0; row < ROWS; row++, h /= 2) {                                                                     \
      T up = NAME##_at(f, x, n, i, h), down = NAME##_at(f, x, n, i, -h), factor = 1;                                   \
      table[row][0] = (up - down) / (2 * h);                                                                           \
      for (int k = 1; k <= row; k++) {                                                                                 \
        factor *= 4;                                                                                                   \
        table[row][k] = (factor * table[row][k - 1] - table[row - 1][k - 1]) / (factor - 1);                           \
        T e = (T)fmaxl(fabsl(table[row][k] - table[row][k - 1]), fabsl(table[row][k] - table[row - 1][k - 1]));        \
        if (e < error)                                                                                                 \
          error = e, best = table[row][k];                                                                             \
      }                                                                                                                \
    }                                                                                                                  \
    return best;                                                                                                       \
  }                                                                                                                    \
  static inline void NAME##_compare(const char *name, T (*f)(T *), const T *x, int n, const T *after, const T *got,    \
                                    double tolerance) {                                                                \
    T left[MOST];                                                                                                      \
    memcpy(left, x, n * sizeof *x);                                                                                    \
    f(left);                                                                                                           \
    for (int i = 0; i < n; i++)                                                                                        \
      same(name, i, got[i], NAME##_difference(f, x, n, i), tolerance);                                                 \
    for (int i = 0; i < n; i++)                                                                                        \
      if (!(fabsl((long double)(after[i] - left[i])) <= 1e-12L * (1 + fabsl((long double)left[i]))))                   \
        same("left by the primal", i, after[i], left[i], 0);                                                           \
  }

DEFINE_CHECK(double, check)
DEFINE_CHECK(long double, check_long)

/* Numbers between -1 and 1 that are no different from run to run. */
static inline double check_number(unsigned k) { return (double)((k + 1) * 2654435761u % 2003) / 1001.5 - 1; }

static inline void identity(const char *what, long double forward, long double reverse, long double size,
                            long double tolerance) {
  long double error = fabsl(forward - reverse) / (size + 1e-300L);
  int wrong = !(error <= tolerance) && forward != reverse;
  failures += wrong;
  printf("%s %s forward and reverse: %.17Lg, %.17Lg, error %.2Lg\n", wrong ? "WRONG" : "   ok", what, forward, reverse,
         error);
}

#define CHECK_IDENTITY(T, FORWARD, TOLERANCE, f, ...)                                                                  \
  do {                                                                                                                 \
    T u_[] = {__VA_ARGS__}, y_[] = {__VA_ARGS__}, v_[MOST] = {0}, w_[MOST] = {0}, a_[MOST], b_[MOST];                  \
    int m_ = sizeof u_ / sizeof *u_;                                                                                   \
    for (int i_ = 0; i_ < m_; i_++)                                                                                    \
      a_[i_] = v_[i_] = check_number(i_), b_[i_] = w_[i_] = check_number(i_ + 100);                                    \
    BEFORE_REQUEST;                                                                                                    \
    long double left_ = FORWARD((void *)f, u_, v_), right_ = 0, size_ = fabsl(left_);                                  \
    for (int i_ = 0; i_ < m_; i_++)                                                                                    \
      left_ += (long double)b_[i_] * v_[i_], size_ += fabsl((long double)b_[i_] * v_[i_]);                             \
    BEFORE_REQUEST;                                                                                                    \
    __enzyme_autodiff((void *)f, y_, w_);                                                                              \
    for (int i_ = 0; i_ < m_; i_++)                                                                                    \
      right_ += (long double)w_[i_] * a_[i_], size_ += fabsl((long double)w_[i_] * a_[i_]);                            \
    BEFORE_REQUEST;                                                                                                    \
    identity(#f, left_, right_, size_, TOLERANCE);                                                                     \
  } while (0)

/* The gradient at once; with -DCHECK_SPLIT in two halves, twice from one tape, the arguments spoiled in between. */
#ifdef CHECK_SPLIT
extern int enzyme_nofree;
extern void *__enzyme_augmentfwd_check(void *, ...);
extern void __enzyme_reverse_check(void *, ...);
#define CHECK_GRADIENT(T, f, x, dx)                                                                                    \
  do {                                                                                                                 \
    T left_[MOST], first_[MOST];                                                                                       \
    void *tape_ = __enzyme_augmentfwd_check((void *)f, x, dx);                                                         \
    memcpy(left_, x, sizeof x);                                                                                        \
    memset(x, 0xff, sizeof x);                                                                                         \
    __enzyme_reverse_check((void *)f, enzyme_nofree, x, dx, tape_);                                                    \
    memcpy(first_, dx, sizeof dx);                                                                                     \
    memset(dx, 0, sizeof dx);                                                                                          \
    BEFORE_REQUEST;                                                                                                    \
    __enzyme_reverse_check((void *)f, x, dx, tape_);                                                                   \
    for (unsigned i_ = 0; i_ < sizeof x / sizeof *x; i_++)                                                             \
      if (!(first_[i_] == dx[i_]))                                                                                     \
        same("reversed again", i_, dx[i_], first_[i_], 1e-13);                                                         \
    memcpy(x, left_, sizeof x);                                                                                        \
  } while (0)
#else
#define CHECK_GRADIENT(T, f, x, dx) __enzyme_autodiff((void *)f, x, dx)
#endif

#define CHECK_AS(T, NAME, TOLERANCE, f, ...)                                                                           \
  do {                                                                                                                 \
    T at_[] = {__VA_ARGS__}, x_[] = {__VA_ARGS__}, dx_[MOST] = {0};                                                    \
    CHECK_GRADIENT(T, f, x_, dx_);                                                                                     \
    NAME##_compare(#f, f, at_, sizeof at_ / sizeof *at_, x_, dx_, TOLERANCE);                                          \
  } while (0)

#define CHECK(f, ...)                                                                                                  \
  do {                                                                                                                 \
    CHECK_AS(double, check, 1e-7, f, __VA_ARGS__);                                                                     \
    CHECK_IDENTITY(double, __enzyme_fwddiff, 1e-12L, f, __VA_ARGS__);                                                  \
  } while (0)
#define CHECK_LONG(f, ...)                                                                                             \
  do {                                                                                                                 \
    CHECK_AS(long double, check_long, 1e-10, f, __VA_ARGS__);                                                          \
    CHECK_IDENTITY(long double, __enzyme_fwddiff_long, 1e-15L, f, __VA_ARGS__);                                        \
  } while (0)

/* float narrow_f(float *), which is double f(double *) of n numbers, for functions that keep numbers as floats. */
#define NARROW(f, n)                                                                                                   \
  static float narrow_##f(float *y) {                                                                                  \
    double x[n];                                                                                                       \
    for (int i = 0; i < (n); i++)                                                                                      \
      x[i] = y[i];                                                                                                     \
    return (float)f(x);                                                                                                \
  }

/* float f(float *) against twin, the same function on double. */
#define CHECK_FLOAT(f, twin, ...)                                                                                      \
  do {                                                                                                                 \
    double at_[] = {__VA_ARGS__};                                                                                      \
    float x_[] = {__VA_ARGS__}, dx_[MOST] = {0};                                                                       \
    int n_ = sizeof at_ / sizeof *at_;                                                                                 \
    CHECK_GRADIENT(float, f, x_, dx_);                                                                                     \
    for (int i_ = 0; i_ < n_; i_++)                                                                                    \
      same(#f, i_, dx_[i_], check_difference(twin, at_, n_, i_), 5e-5);                                                \
    CHECK_IDENTITY(float, __enzyme_fwddiff_float, 5e-6L, f, __VA_ARGS__);                                              \
  } while (0)

#define SAME(got, want) same(#got, __LINE__, got, want, 1e-7)

/* The derivative of f(x), a scalar function. */
static inline double difference(double (*f)(double), double x) {
  double best = 0, error = INFINITY, table[12][12], h = 0.02 * (1 + fabs(x));
  for (int row = 0; row < 12; row++, h /= 2) {
    double factor = 1;
    table[row][0] = (f(x + h) - f(x - h)) / (2 * h);
    for (int k = 1; k <= row; k++) {
      factor *= 4;
      table[row][k] = (factor * table[row][k - 1] - table[row - 1][k - 1]) / (factor - 1);
      double e = fmax(fabs(table[row][k] - table[row][k - 1]), fabs(table[row][k] - table[row - 1][k - 1]));
      if (e < error)
        error = e, best = table[row][k];
    }
  }
  return best;
}

#endif
