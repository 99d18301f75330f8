/* Complex numbers of three precisions, and functions of complex.h. */
#include "../check.h"
#include <complex.h>
#define CMPLX __builtin_complex
#define CMPLXF __builtin_complex
#define CMPLXL __builtin_complex

static double arithmetic(double *x) {
  double complex z = x[0] + x[1] * I, w = CMPLX(x[2], x[0]);
  double complex r = z * w + z / w - conj(z) * cproj(w);
  return creal(r) * cimag(r) + cabs(z) * carg(w);
}

static double functions(double *x) {
  double complex z = CMPLX(x[0], x[1]), w = CMPLX(x[2], 0.3), s = 0;
  s += cexp(z) + clog(w) * csqrt(z) + cpow(z, w);
  s += csin(z) * ccos(w) + ctan(z) + csinh(w) - ccosh(z) * ctanh(w);
  s += casin(z / 3) + cacos(w / 3) + catan(z / 4) + casinh(w) + cacosh(z + 2) + catanh(w / 3);
  return creal(s) + 2 * cimag(s);
}

static long double extended(long double *x) {
  long double complex z = CMPLXL(x[0], x[1]), w = z * z + cexpl(z) / csinl(z);
  w += csqrtl(w) * conjl(z);
  return creall(w) * cimagl(w) + cabsl(z);
}

static float single(float *x) {
  float complex z = CMPLXF(x[0], x[1]), w = z * z / (z + 1) + cexpf(z);
  return crealf(w) * cimagf(csqrtf(w)) + cabsf(z);
}

static double twin(double *x) {
  double complex z = CMPLX(x[0], x[1]), w = z * z / (z + 1) + cexp(z);
  return creal(w) * cimag(csqrt(w)) + cabs(z);
}

int main(void) {
  CHECK(arithmetic, 0.5, 1.2, -0.7);
  CHECK(functions, 0.5, 1.2, -0.7);
  CHECK_LONG(extended, 0.5, 1.2);
  CHECK_FLOAT(single, twin, 0.5, 1.2);
  return failures;
}
