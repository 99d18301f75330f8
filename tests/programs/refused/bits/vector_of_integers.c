/* EZ0304: numbers go to another function, and come back, in vectors of integers.
   expect: in function: passed
   expect: in function: squares
   expect: in function: masked
   expect: in function: turned */
#include <immintrin.h>

extern double __enzyme_autodiff(void *, ...);

__attribute__((noinline)) static double product(__m128i v) {
  __m128d d = _mm_castsi128_pd(v);
  return d[0] * d[1];
}

double passed(double *x) { return product(_mm_castpd_si128(_mm_loadu_pd(x) * 3)); }

__attribute__((noinline)) __m128i squares(const double *x) {
  __m128d d = _mm_loadu_pd(x);
  return _mm_castpd_si128(d * d);
}

double returned(double *x) { return _mm_castsi128_pd(squares(x))[1]; }

double masked(double *x, const long *masks) {
  __m128i bits = _mm_and_si128(_mm_castpd_si128(_mm_loadu_pd(x)), _mm_loadu_si128((__m128i *)masks));
  return _mm_castsi128_pd(bits)[1];
}

__attribute__((target("ssse3"))) double turned(double *x, const long *order) {
  __m128i bits = _mm_shuffle_epi8(_mm_castpd_si128(_mm_loadu_pd(x)), _mm_loadu_si128((__m128i *)order));
  return _mm_castsi128_pd(bits)[1];
}

extern int enzyme_const;
int main(void) {
  double x[2] = {1, 2}, dx[2] = {0};
  long masks[2] = {-1, -1};
  __enzyme_autodiff((void *)passed, x, dx);
  __enzyme_autodiff((void *)returned, x, dx);
  __enzyme_autodiff((void *)masked, x, dx, enzyme_const, masks);
  __enzyme_autodiff((void *)turned, x, dx, enzyme_const, masks);
}
