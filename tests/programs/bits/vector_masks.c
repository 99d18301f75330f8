/* Masks that differ by lane: signs that change, lanes that are kept, signs that are taken from other numbers. */
#include "../check.h"
#include <immintrin.h>
#include <stdint.h>

static double sum_of(__m128d v) {
  double s[2];
  _mm_storeu_pd(s, v);
  return s[0] + 3 * s[1] * s[0];
}

static double negated(double *x) {
  __m128d v = _mm_xor_pd(_mm_loadu_pd(x), _mm_setr_pd(0.0, -0.0));
  return sum_of(_mm_mul_pd(v, _mm_add_pd(v, _mm_set1_pd(0.5))));
}

static double absolute(double *x) {
  __m128d v = _mm_andnot_pd(_mm_setr_pd(-0.0, 0.0), _mm_loadu_pd(x));
  return sum_of(_mm_mul_pd(v, _mm_loadu_pd(x + 1)));
}

static double negative(double *x) {
  return sum_of(_mm_or_pd(_mm_loadu_pd(x), _mm_setr_pd(-0.0, 0.0))) * x[2];
}

static double kept(double *x) {
  __m128d mask = _mm_castsi128_pd(_mm_set_epi64x(-1, 0));
  __m128d low = _mm_and_pd(_mm_loadu_pd(x), mask), high = _mm_andnot_pd(mask, _mm_loadu_pd(x + 1));
  return sum_of(_mm_or_pd(low, high)) + sum_of(_mm_xor_pd(high, low)) * x[0];
}

static double with_sign(double *x) {
  __m128d sign = _mm_set1_pd(-0.0), v = _mm_loadu_pd(x), w = _mm_loadu_pd(x + 2);
  __m128d copied = _mm_or_pd(_mm_and_pd(sign, v), _mm_andnot_pd(sign, w));
  __m128d flipped = _mm_xor_pd(_mm_and_pd(_mm_setr_pd(-0.0, 0.0), v), w);
  return sum_of(copied) * 2 + sum_of(flipped);
}

static double of_floats(double *x) {
  float r[4];
  __m128 v = _mm_setr_ps(x[0], x[1], x[2], x[3]);
  v = _mm_xor_ps(v, _mm_castsi128_ps(_mm_set1_epi64x(0x8000000000000000)));
  v = _mm_and_ps(v, _mm_castsi128_ps(_mm_setr_epi32(-1, 0x7fffffff, 0, -1)));
  _mm_storeu_ps(r, v);
  return (double)r[0] * r[1] + (double)r[2] * r[3] + (double)r[3] * r[1];
}

/* The vector of integers comes from one of two branches. */
static double of_branches(double *x) {
  __m128i v = _mm_and_si128(_mm_loadu_si128((__m128i *)x), _mm_set1_epi64x(0x7fffffffffffffff));
  if (x[2] < x[3]) {
    x[3] = sin(x[3]) * x[2];
    v = _mm_castpd_si128(_mm_mul_pd(_mm_loadu_pd(x + 2), _mm_castsi128_pd(v)));
  }
  return sum_of(_mm_castsi128_pd(v));
}

/* Loaded, masked and stored as integers: only other code tells that these are numbers. */
static double stored(double *x) {
  __m128i v = _mm_loadu_si128((__m128i *)x), w = _mm_loadu_si128((__m128i *)(x + 2));
  _mm_storeu_si128((__m128i *)x, _mm_and_si128(v, _mm_set1_epi64x(0x7fffffffffffffff)));
  _mm_storeu_si128((__m128i *)(x + 2), _mm_xor_si128(w, _mm_set_epi64x(0x8000000000000000, 0)));
  return x[0] * x[1] * x[2] + x[3];
}

/* Comparisons that are kept as integers, in memory that is later read one by one. */
typedef double four_numbers __attribute__((vector_size(32), aligned(8)));
typedef int64_t four_words __attribute__((vector_size(32)));
typedef int32_t four_flags __attribute__((vector_size(16)));
static double compared(double *x) {
  four_words greater = *(four_numbers *)x > (four_numbers){0.1, 0.2, 0.3, 0.4};
  int flags[4];
  four_flags kept = -__builtin_convertvector(greater, four_flags);
  memcpy(flags, &kept, sizeof kept);
  double s = 0;
  for (int i = 0; i < 4; i++)
    s += flags[i] ? x[i] * x[(i + 1) % 4] : 0;
  return s;
}

/* Conjugated products of complex numbers, as libraries write them for SSE2. */
static double products(double *x) {
  __m128d sum = _mm_setzero_pd();
  for (int i = 0; i < 4; i += 2) {
    __m128d a = _mm_loadu_pd(x + i), b = _mm_loadu_pd(x + (i + 2) % 4);
    __m128d real = _mm_mul_pd(_mm_unpacklo_pd(a, a), b);
    __m128d imaginary = _mm_mul_pd(_mm_unpackhi_pd(a, a), _mm_shuffle_pd(b, b, 1));
    sum = _mm_add_pd(sum, _mm_sub_pd(real, _mm_xor_pd(imaginary, _mm_set_pd(-0.0, 0.0))));
  }
  return sum_of(sum);
}

int main(void) {
  CHECK(negated, 0.7, -1.2);
  CHECK(absolute, -0.7, 1.2, 0.3);
  CHECK(negative, 0.7, 1.2, 0.3);
  CHECK(kept, 0.7, 1.2, 0.3);
  CHECK(with_sign, -0.7, 1.2, 0.3, -0.8);
  CHECK_AS(double, check, 1e-5, of_floats, 0.5, -1.25, 0.375, 0.75);
  CHECK(of_branches, -0.5, 1.2, 0.7, 1.6);
  CHECK(of_branches, -0.5, 1.2, 1.7, 1.6);
  CHECK(stored, -0.7, 1.2, 0.3, -0.8);
  CHECK(compared, -0.7, 1.2, 0.4, 0.8);
  CHECK(products, -0.7, 1.2, 0.3, -0.8);
  return failures;
}
