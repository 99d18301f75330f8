/* POSIX and GNU: Bessel functions, lgamma_r, sincos, exp10, drem, scalb and friends. */
#define _GNU_SOURCE
#include "../check.h"

static double bessel(double *x) {
  return j0(x[0]) * y0(x[1]) + j1(x[0]) * y1(x[1]) + jn(3, x[0]) * yn(2, x[1]);
}

static double gammas(double *x) {
  int sign;
  double r = lgamma_r(x[0] - 3, &sign);
  return r * sign + lgamma(x[1]) * tgamma(x[0]) + erf(x[0]) * erfc(x[1]);
}

static double pairs(double *x) {
  double s, c, whole, part = modf(x[1] * 3, &whole);
  int e, q;
  sincos(x[0], &s, &c);
  double m = frexp(x[1], &e);
  return s * c * exp10(x[0]) + part * whole + ldexp(m, e + 1) * x[0] + remquo(x[1] * 5, x[0], &q) + drem(x[1], 0.3) +
         scalbn(x[0], 3) + hypot(x[0], x[1]) + fma(x[0], x[1], x[0]) + cbrt(x[0]) + exp2(x[1]) * log2(x[0] + 1);
}

static float pairs_float(float *x) {
  float s, c;
  sincosf(x[0], &s, &c);
  return s * c * exp10f(x[0]) + j0f(x[0]) * y1f(x[1]);
}

static double twin(double *x) { return sin(x[0]) * cos(x[0]) * pow(10, x[0]) + j0(x[0]) * y1(x[1]); }

int main(void) {
  CHECK(bessel, 1.5, 2.2);
  CHECK(gammas, 1.5, 2.2);
  CHECK(pairs, 0.5, 1.23);
  CHECK_FLOAT(pairs_float, twin, 0.5, 1.2);
  return failures;
}
