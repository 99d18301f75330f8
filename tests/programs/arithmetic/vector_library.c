/* Functions of glibc's libmvec, which compilers call in vectorised loops (-fveclib=libmvec).
 * flags: -lmvec */
#include "../check.h"

typedef double pair __attribute__((vector_size(16)));
typedef float four __attribute__((vector_size(16)));
extern pair _ZGVbN2v_sin(pair), _ZGVbN2v_exp(pair), _ZGVbN2v_log(pair), _ZGVbN2vv_pow(pair, pair), _ZGVbN2v_erf(pair),
    _ZGVbN2v_cbrt(pair), _ZGVbN2vv_atan2(pair, pair), _ZGVbN2vv_hypot(pair, pair);
extern four _ZGVbN4v_cosf(four);

static double of_pairs(double *x) {
  pair a = {x[0], x[1]}, b = {x[2], x[0]};
  pair r = _ZGVbN2v_sin(a) * _ZGVbN2v_exp(b) + _ZGVbN2vv_pow(a, _ZGVbN2v_log(b)) * _ZGVbN2v_erf(b);
  r += _ZGVbN2v_cbrt(a) * _ZGVbN2vv_atan2(a, b) / _ZGVbN2vv_hypot(b, r);
  return r[0] + 2 * r[1];
}

static float of_fours(float *x) {
  four cosines = _ZGVbN4v_cosf((four){x[0], x[0] + 1, x[0] * x[0], 2});
  return cosines[0] * cosines[1] + cosines[2] * cosines[3];
}

static double wanted(double x) {
  return -sin(x) * cos(x + 1) - cos(x) * sin(x + 1) - 2 * x * sin(x * x) * cos(2);
}

int main(void) {
  CHECK(of_pairs, 0.6, 1.2, 1.7);
  float x = 0.4f, dx = 0, one = 1;
  __enzyme_autodiff((void *)of_fours, &x, &dx);
  same("cosf, reverse", 0, dx, wanted(0.4), 1e-5);
  same("cosf, forward", 0, __enzyme_fwddiff_float((void *)of_fours, &x, &one), wanted(0.4), 1e-5);
  return failures;
}
