/* __enzyme_error_estimate: not less than the error against long double, and not much more. */
#include "../check.h"

extern double __enzyme_error_estimate(void *, ...);

/* The same function in double and in long double. Numbers are integers over powers of two, so both get the same. */
#define FUNCTIONS(T, NAME, FN)                                                                                         \
  static T NAME##_cancelling(T x) { return (1 - cos##FN(x)) / (x * x); }                                               \
  static T NAME##_harmonic(int n) {                                                                                    \
    T s = 0;                                                                                                           \
    for (int i = 1; i <= n; i++)                                                                                       \
      s += 1 / (T)i;                                                                                                   \
    return s;                                                                                                          \
  }                                                                                                                    \
  static NOINLINE T NAME##_horner(const T *a, int n, T x) {                                                            \
    return n == 1 ? a[0] : a[0] + x * NAME##_horner(a + 1, n - 1, x);                                                  \
  }                                                                                                                    \
  static T NAME##_table(T x, int n) {                                                                                  \
    T *table = malloc(n * sizeof *table), s = 0;                                                                       \
    for (int i = 0; i < n; i++)                                                                                        \
      table[i] = exp##FN(x / (i + 1)) / 3;                                                                             \
    for (int i = 0; i < n; i++)                                                                                        \
      s += sqrt##FN(table[i]) * (i % 2 ? -1 : 1);                                                                      \
    free(table);                                                                                                       \
    return s;                                                                                                          \
  }                                                                                                                    \
  static T NAME##_oscillator(T *state, int steps) {                                                                    \
    for (int t = 0; t < steps; t++) {                                                                                  \
      state[1] -= state[0] / 128;                                                                                      \
      state[0] += state[1] / 128;                                                                                      \
    }                                                                                                                  \
    return state[0];                                                                                                   \
  }
FUNCTIONS(double, d, )
FUNCTIONS(long double, l, l)

/* A point where a function is evaluated, with its error and the estimate of that. */
struct tried {
  double estimate, error;
};

#define TRY(ESTIMATE, RESULT, EXACT) (struct tried){ESTIMATE, (double)fabsl((RESULT) - (EXACT))}

/* No error is larger than its estimate, and the worst is within a factor of it. */
static void bounds(const char *what, struct tried (*at)(int), double factor) {
  double worst = 0;
  for (int k = 0; k < 60; k++) {
    struct tried t = at(k);
    worst = fmax(worst, t.error / t.estimate);
  }
  int wrong = !(worst <= 1 && worst * factor >= 1);
  failures += wrong;
  printf("%s %s: the worst error is %.3g of its estimate\n", wrong ? "WRONG" : "   ok", what, worst);
}

static struct tried cancelling(int k) {
  double x = (k + 1) / 1024.0;
  return TRY(__enzyme_error_estimate((void *)d_cancelling, x, 0.0), d_cancelling(x), l_cancelling(x));
}

static struct tried harmonic(int k) {
  int n = 10 + k;
  return TRY(__enzyme_error_estimate((void *)d_harmonic, n), d_harmonic(n), l_harmonic(n));
}

static struct tried horner(int k) {
  double x = 1 + (k + 1) * 0.37 / 64, a[] = {-1, 7, -21, 35, -35, 21, -7, 1}, da[8] = {0};
  long double la[] = {-1, 7, -21, 35, -35, 21, -7, 1};
  double estimate = __enzyme_error_estimate((void *)d_horner, a, da, 8, x, 0.0);
  for (int i = 0; i < 8; i++)
    if (!(fabs(da[i] - pow(x, i)) < 1e-12))
      same("the derivative by a coefficient", i, da[i], pow(x, i), 0);
  return TRY(estimate, d_horner(a, 8, x), l_horner(la, 8, x));
}

static struct tried table(int k) {
  double x = (k - 30) / 16.0;
  return TRY(__enzyme_error_estimate((void *)d_table, x, 0.0, 9), d_table(x, 9), l_table(x, 9));
}

static struct tried oscillator(int k) {
  double s[2] = {1, k / 7.0}, ds[2] = {0};
  long double ls[2] = {s[0], s[1]};
  double estimate = __enzyme_error_estimate((void *)d_oscillator, s, ds, 200);
  return TRY(estimate, s[0], l_oscillator(ls, 200));
}

static double inputs(const double *x, double y) { return x[0] * y * y; }
static float single(float x) { return x * x; }

int main(void) {
  bounds("cancelling", cancelling, 10);
  bounds("harmonic", harmonic, 20);
  bounds("horner", horner, 20);
  bounds("table", table, 20);
  bounds("oscillator", oscillator, 100);

  double v = 3, dv = 0;
  same("by errors of arguments", 0, __enzyme_error_estimate((void *)inputs, enzyme_const, &v, 2.0, 1e-3), 12e-3, 1e-12);
  same("none of a constant", 0, __enzyme_error_estimate((void *)inputs, &v, &dv, enzyme_const, 2.0),
       2 * 12 * 0x1p-53, 1e-30);
  same("and its derivative", 0, dv, 4, 1e-15);
  same("float", 0, __enzyme_error_estimate((void *)single, 1.5f, 0.0f), 2.25 * 0x1p-24, 1e-20);
  return failures;
}
