/* A function of double truncated to float computes what the same function of float computes, bit by bit. */
#include "../check.h"

typedef double function(const double *, double *, int, double);
extern function *__enzyme_truncate_op_func(function *, int, int);
extern function *__enzyme_truncate_op_func_widths(function *, int, int, int);
extern function *__enzyme_truncate_mem_func(function *, int, int);
extern double __enzyme_truncate_mem_value(double, int, int);
extern double __enzyme_expand_mem_value(double, int, int);

#define FUNCTIONS(T, NAME, FN)                                                                                         \
  struct NAME##_pair {                                                                                                 \
    T a, b;                                                                                                            \
  };                                                                                                                   \
  static NOINLINE struct NAME##_pair NAME##_split(T x, int depth) {                                                    \
    struct NAME##_pair p = {x / 3, x * x};                                                                             \
    if (depth > 0 && p.b > (T)0.1) {                                                                                   \
      struct NAME##_pair q = NAME##_split(p.a, depth - 1);                                                             \
      p.a += q.b, p.b -= q.a;                                                                                          \
    }                                                                                                                  \
    return p;                                                                                                          \
  }                                                                                                                    \
  static T NAME##_all(const T *x, T *y, int n, T c) {                                                                  \
    T s = (T)0.1, table[8];                                                                                            \
    for (int i = 0; i < n; i++) {                                                                                      \
      struct NAME##_pair p = NAME##_split(x[i] + c, 4);                                                                \
      table[i % 8] = p.a - p.b * (T)0.3 + (T)i / 7;                                                                    \
      y[i] = exp##FN(-table[i % 8]) + sqrt##FN(fabs##FN(p.b)) + pow##FN(fabs##FN(p.a), (T)1.3);                        \
      y[i] += fma##FN(p.a, p.b, c) + floor##FN(10 * sin##FN(c)) + (T)(int)(100 * c) + fmod##FN(p.a, (T)0.01);          \
      s += y[i] > c ? -y[i] : log##FN(2 + y[i] * y[i]);                                                                \
    }                                                                                                                  \
    return s;                                                                                                          \
  }
FUNCTIONS(double, d, )
FUNCTIONS(float, f, f)

enum { N = 20 };

static void identical(const char *what, int i, double got, float want) {
  if (got != want)
    same(what, i, got, want, 0), failures++;
}

static void compare(const char *what, function *truncated, int widened) {
  double x[N], y[N];
  float xf[N], yf[N];
  for (int i = 0; i < N; i++) {
    x[i] = sin(i + 0.5) * 3;
    xf[i] = (float)x[i];
  }
  double s = truncated(x, y, N, 0.7);
  float sf = f_all(xf, yf, N, 0.7f);
  identical(what, -1, s, sf);
  for (int i = 0; i < N; i++)
    identical(what, i, y[i], yf[i]);
  printf("%s: %.9g %.9g\n", what, s, sf);
}

/* what no operation touches stays as it is in op mode, and is rounded in mem mode */
static double moved(const double *x, double *y, int n, double c) {
  y[0] = x[0];
  y[1] = c;
  y[2] = 0.1;
  return x[1];
}

static double gradient_of(double x) {
  double point[1] = {x}, y[1];
  return __enzyme_truncate_op_func(d_all, 64, 32)(point, y, 1, 0.25);
}

int main(void) {
  compare("op mode", __enzyme_truncate_op_func(d_all, 64, 32), 0);
  compare("mem mode", __enzyme_truncate_mem_func(d_all, 64, 32), 0);
  double x[2] = {1 / 3.0, 2 / 3.0}, y[3];
  double last = __enzyme_truncate_op_func(moved, 64, 32)(x, y, 0, 0.7);
  same("op mode: moved", 0, y[0] + y[1] + y[2] + last, x[0] + 0.7 + 0.1 + x[1], 0);
  last = __enzyme_truncate_mem_func(moved, 64, 32)(x, y, 0, 0.7);
  same("mem mode: moved", 0, y[0], (float)x[0], 0);
  same("mem mode: moved", 1, y[1], 0.7f, 0);
  same("mem mode: moved", 2, y[2], 0.1f, 0);
  same("mem mode: moved", 3, last, (float)x[1], 0);
  double value = __enzyme_truncate_mem_value(0.1, 64, 32);
  same("a value", 0, value, 0.1f, 0);
  same("comes back", 0, __enzyme_expand_mem_value(value, 64, 32), 0.1f, 0);

  double difference = (d_all((double[]){0.8 + 1e-6}, y, 1, 0.25) - d_all((double[]){0.8 - 1e-6}, y, 1, 0.25)) / 2e-6;
  same("the derivative", 0, __enzyme_autodiff((void *)gradient_of, 0.8), difference, 1e-5);
  return failures;
}
