/* Functions of the mathematical library on float. */
#include "../check.h"

static float many(float *x) {
  float a = x[0], b = x[1], c = x[2];
  return sinf(a) * cosf(b) + tanf(c) + atan2f(a, b) + sinhf(c) - coshf(c) * tanhf(a) + expf(c) + logf(a) + log1pf(c) +
         sqrtf(a) * cbrtf(b) + hypotf(a, b) + powf(a, b) + erff(c);
}
static double twin(double *x) {
  double a = x[0], b = x[1], c = x[2];
  return sin(a) * cos(b) + tan(c) + atan2(a, b) + sinh(c) - cosh(c) * tanh(a) + exp(c) + log(a) + log1p(c) +
         sqrt(a) * cbrt(b) + hypot(a, b) + pow(a, b) + erf(c);
}

int main(void) {
  CHECK_FLOAT(many, twin, 1.3, 2.1, 0.4);
  return failures;
}
