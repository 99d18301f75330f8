/* Numbers in vectors of integers: shuffles after a cast, copies, lanes taken out through wide integers. */
#include "../check.h"
#include <immintrin.h>

static double sum_of(__m128d v) {
  double s[2];
  _mm_storeu_pd(s, v);
  return s[0] + 3 * s[1];
}

static double shuffled(double *x) {
  __m128d a = _mm_loadu_pd(x), b = _mm_loadu_pd(x + 2);
  __m128d swapped = _mm_castsi128_pd(_mm_shuffle_epi32(_mm_castpd_si128(a), 0x4e));
  __m128d high = _mm_castsi128_pd(_mm_unpackhi_epi64(_mm_castpd_si128(a), _mm_castpd_si128(b)));
  __m128d moved = _mm_castsi128_pd(_mm_srli_si128(_mm_castpd_si128(b), 8));
  return sum_of(_mm_mul_pd(_mm_mul_pd(swapped, high), a)) + sum_of(_mm_mul_pd(moved, b));
}

static double overlapping(double *x) {
  __m128d a = _mm_loadu_pd(x), b = _mm_loadu_pd(x + 1), c = _mm_loadu_pd(x + 2);
  return sum_of(_mm_mul_pd(a, _mm_mul_pd(b, c)));
}

struct pair {
  double first, second;
};

static double copied(double *x) {
  struct pair from[2] = {{x[0], x[1] * x[2]}, {x[3], x[0] * x[1]}}, to[2];
  for (int i = 0; i < 2; i++)
    _mm_storeu_si128((__m128i *)&to[1 - i], _mm_loadu_si128((__m128i *)&from[i]));
  return to[0].first * to[1].second + to[0].second * to[1].first * x[2];
}

static double in_place(double *x) {
  for (int i = 0; i < 2; i++) {
    __m128i v = _mm_loadu_si128((__m128i *)(x + 2 - i));
    _mm_storeu_si128((__m128i *)(x + i), v);
  }
  return x[0] * x[1] + 2 * x[1] * x[2] + x[3];
}

static double cast_while_loaded(double *x) {
  __m128d a = _mm_castsi128_pd(_mm_loadu_si128((__m128i *)x));
  double s[2];
  _mm_storeu_si128((__m128i *)s, _mm_castpd_si128(_mm_mul_pd(a, _mm_loadu_pd(x + 2))));
  return s[0] * s[1];
}

static double chosen(double *x) {
  __m128d a = _mm_loadu_pd(x), b = _mm_loadu_pd(x + 2), less = _mm_cmplt_pd(a, b);
  __m128d either = _mm_or_pd(_mm_and_pd(less, a), _mm_andnot_pd(less, _mm_mul_pd(b, b)));
  __m128i lower = _mm_castpd_si128(x[0] > 1 ? a : b);
  return sum_of(_mm_mul_pd(either, _mm_castsi128_pd(lower)));
}

/* Integers made of numbers, and a number of integers: 2 to the power of what x[0] is rounded to. */
static double exponent(double *x) {
  __m128i n = _mm_cvtpd_epi32(_mm_loadu_pd(x));
  n = _mm_slli_epi64(_mm_add_epi64(_mm_unpacklo_epi32(n, _mm_setzero_si128()), _mm_set1_epi64x(1023)), 52);
  return sum_of(_mm_mul_pd(_mm_castsi128_pd(n), _mm_loadu_pd(x + 2)));
}

static double counts(double *x) {
  int k[4] = {1, 2, 3, 4}, m[4];
  _mm_storeu_si128((__m128i *)m, _mm_add_epi32(_mm_loadu_si128((__m128i *)k), _mm_set1_epi32(x[0] > 0)));
  return m[0] * x[1] * x[2] + m[3] * x[3];
}

typedef double four __attribute__((ext_vector_type(4)));

/* Copied as one integer of 256 bits, of which two parts are used. */
static double parts(double *x) {
  four v, w;
  memcpy(&v, x, sizeof v);
  memcpy(x, &v, sizeof v);
  memcpy(&w, x, sizeof w);
  x[1] = sin(w[0]);
  return v[1] * w[3] * x[1];
}

int main(void) {
  CHECK(shuffled, 1.5, -0.7, 0.4, 2.1);
  CHECK(overlapping, 1.5, -0.7, 0.4, 2.1);
  CHECK(copied, 1.5, -0.7, 0.4, 2.1);
  CHECK(in_place, 1.5, -0.7, 0.4, 2.1);
  CHECK(cast_while_loaded, 1.5, -0.7, 0.4, 2.1);
  CHECK(chosen, 1.5, -0.7, 0.4, 2.1);
  CHECK(chosen, -1.5, 0.7, 0.4, -2.1);
  CHECK(exponent, 1.4, 2.3, 0.4, 2.1);
  CHECK(parts, 1.5, -0.7, 0.4, 2.1);
  CHECK(counts, 1.5, -0.7, 0.4, 2.1);
  return failures;
}
