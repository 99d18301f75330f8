/* The vector intrinsics of x86 that clang does not write in LLVM's own instructions: SSE to AVX2, and FMA. */
#include "../check.h"
#include <immintrin.h>

#define AVX static __attribute__((target("avx2,fma")))

AVX double total(__m256d v) {
  double s[4];
  _mm256_storeu_pd(s, v);
  return s[0] + 2 * s[1] + 3 * s[2] + 4 * s[3];
}

AVX double total_of_pair(__m128d v) {
  double s[2];
  _mm_storeu_pd(s, v);
  return s[0] + 2 * s[1];
}

AVX double total_of_floats(__m256 v) {
  float s[8];
  double sum = 0;
  _mm256_storeu_ps(s, v);
  for (int i = 0; i < 8; i++)
    sum += (i + 1) * (double)s[i];
  return sum;
}

AVX double extremes(double *x) {
  __m256d a = _mm256_loadu_pd(x), b = _mm256_loadu_pd(x + 4);
  __m256d more = _mm256_max_pd(a, _mm256_mul_pd(b, b)), less = _mm256_min_pd(_mm256_mul_pd(a, a), b);
  __m128d low = _mm_max_sd(_mm_load_sd(x), _mm_load_sd(x + 5)), pair = _mm_min_pd(_mm_loadu_pd(x), _mm_loadu_pd(x + 2));
  return total(_mm256_mul_pd(more, less)) + total_of_pair(_mm_mul_pd(low, pair)) + total_of_pair(_mm_min_sd(pair, low));
}

AVX double neighbours(double *x) {
  __m256d a = _mm256_loadu_pd(x), b = _mm256_loadu_pd(x + 4);
  __m256d sums = _mm256_hadd_pd(a, b), differences = _mm256_hsub_pd(b, a), both = _mm256_addsub_pd(a, b);
  __m128d pair = _mm_hadd_pd(_mm_loadu_pd(x), _mm_loadu_pd(x + 3));
  pair = _mm_addsub_pd(pair, _mm_hsub_pd(_mm_loadu_pd(x + 1), pair));
  return total(_mm256_mul_pd(sums, _mm256_mul_pd(differences, both))) + total_of_pair(_mm_mul_pd(pair, pair));
}

AVX double fused(double *x) {
  __m256d a = _mm256_loadu_pd(x), b = _mm256_loadu_pd(x + 4), c = _mm256_fmaddsub_pd(a, b, a);
  __m128d pair = _mm_fmsubadd_pd(_mm_loadu_pd(x), _mm_loadu_pd(x + 2), _mm_loadu_pd(x + 4));
  pair = _mm_fnmadd_sd(pair, _mm_load_sd(x + 7), pair);
  return total(_mm256_fmsubadd_pd(c, b, _mm256_fmadd_pd(a, c, b))) + total_of_pair(pair);
}

AVX double products(double *x) {
  __m128d pair = _mm_dp_pd(_mm_loadu_pd(x), _mm_loadu_pd(x + 2), 0x31);
  __m128d half = _mm_dp_pd(_mm_loadu_pd(x), _mm_loadu_pd(x + 4), 0x23);
  return total_of_pair(_mm_mul_pd(pair, half)) + total_of_pair(half);
}

AVX double chosen(double *x) {
  __m256d a = _mm256_loadu_pd(x), b = _mm256_loadu_pd(x + 4), less = _mm256_cmp_pd(a, b, _CMP_LT_OQ);
  __m256d c = _mm256_blendv_pd(a, _mm256_mul_pd(b, b), less), d = _mm256_blend_pd(a, c, 5);
  __m256d size = _mm256_andnot_pd(_mm256_set1_pd(-0.0), a), opposite = _mm256_xor_pd(_mm256_set1_pd(-0.0), b);
  __m128d low = _mm_cmplt_sd(_mm_load_sd(x), _mm_load_sd(x + 6));
  low = _mm_blendv_pd(_mm_loadu_pd(x), _mm_loadu_pd(x + 3), low);
  int any = _mm256_movemask_pd(less), none = _mm256_testz_pd(less, less);
  double s = total(_mm256_mul_pd(c, _mm256_and_pd(less, a))) + total(_mm256_mul_pd(d, size));
  s += total(_mm256_sub_pd(opposite, size)) * (any & 3) + none;
  return s + total_of_pair(_mm_mul_pd(low, low)) * (1 + _mm_comilt_sd(low, _mm_load_sd(x + 7)));
}

AVX double moved(double *x) {
  __m256d a = _mm256_loadu_pd(x), b = _mm256_loadu_pd(x + 4);
  __m256i number = _mm256_set_epi64x(7, 0, 2, 2 + (x[0] > 0)), some = _mm256_set_epi64x(-1, 0, x[1] > 0 ? -1 : 0, -1);
  __m256d gathered = _mm256_i64gather_pd(x, number, 8), masked = _mm256_maskload_pd(x + 3, some);
  __m256d kept = _mm256_mask_i32gather_pd(b, x, _mm_set_epi32(3, 2, 6, 5), _mm256_castsi256_pd(some), 8);
  __m256d turned = _mm256_permutevar_pd(a, _mm256_set_epi64x(0, 2, x[2] > 0 ? 2 : 0, 2));
  __m256d crossed = _mm256_permute2f128_pd(a, _mm256_permute4x64_pd(b, 0x1b), 0x21);
  double left[4] = {x[3], 2 * x[2], x[1], 1};
  _mm256_maskstore_pd(left, some, _mm256_mul_pd(gathered, masked));
  __m256d whole = _mm256_round_pd(_mm256_mul_pd(a, _mm256_set1_pd(8)), _MM_FROUND_FLOOR);
  __m256d counts = _mm256_cvtepi32_pd(_mm256_cvtpd_epi32(_mm256_mul_pd(b, _mm256_set1_pd(4))));
  double s = total(_mm256_mul_pd(_mm256_loadu_pd(left), kept)) + total(_mm256_mul_pd(turned, crossed));
  return s + total(_mm256_mul_pd(_mm256_mul_pd(whole, counts), _mm256_sqrt_pd(_mm256_mul_pd(a, a))));
}

/* In float, each beside what it computes, in double. */
AVX double floats(double *x) {
  __m256 a = _mm256_set_m128(_mm256_cvtpd_ps(_mm256_loadu_pd(x)), _mm256_cvtpd_ps(_mm256_loadu_pd(x + 4)));
  __m256 b = _mm256_permutevar8x32_ps(a, _mm256_set_epi32(0, 2, 1, 3, 7, 5, 4, 6));
  __m256 c = _mm256_hadd_ps(a, b), d = _mm256_addsub_ps(_mm256_max_ps(a, b), c), e = _mm256_dp_ps(a, b, 0xd7);
  __m256 inverse = _mm256_rcp_ps(_mm256_fmadd_ps(d, d, _mm256_set1_ps(1)));
  __m256 root = _mm256_rsqrt_ps(_mm256_fmadd_ps(e, e, _mm256_set1_ps(2)));
  __m128 low = _mm_rsqrt_ss(_mm_rcp_ss(_mm_cvtsd_ss(_mm_set1_ps(3), _mm_set_sd(2 + x[2]))));
  low = _mm_hadd_ps(_mm_max_ss(low, _mm256_castps256_ps128(c)), _mm_min_ss(low, _mm256_castps256_ps128(d)));
  return total_of_floats(inverse) + total_of_floats(root) + total_of_floats(_mm256_zextps128_ps256(low));
}

static double doubles(double *x) {
  double a[8], b[8], c[8], d[8], e[8], s = 0;
  int from[8] = {6, 4, 5, 7, 3, 1, 2, 0};
  for (int i = 0; i < 8; i++)
    a[i] = x[(i + 4) % 8];
  for (int i = 0; i < 8; i++)
    b[i] = a[from[i]];
  for (int i = 0; i < 8; i += 4)
    for (int k = 0; k < 2; k++)
      c[i + k] = a[i + 2 * k] + a[i + 2 * k + 1], c[i + 2 + k] = b[i + 2 * k] + b[i + 2 * k + 1];
  for (int i = 0; i < 8; i++) {
    double larger = a[i] > b[i] ? a[i] : b[i];
    d[i] = i % 2 ? larger + c[i] : larger - c[i];
    int k = i - i % 4;
    e[i] = i % 4 < 3 ? a[k] * b[k] + a[k + 2] * b[k + 2] + a[k + 3] * b[k + 3] : 0;
    s += (i + 1) * (1 / (d[i] * d[i] + 1) + 1 / sqrt(e[i] * e[i] + 2));
  }
  double low = sqrt(2 + x[2]), most = low > c[0] ? low : c[0], least = low < d[0] ? low : d[0];
  return s + (most + 3) + 2 * (3 + 3) + 3 * (least + 3) + 4 * (3 + 3);
}

int main(void) {
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) {
    puts("this processor has no AVX2");
    return 0;
  }
  CHECK(extremes, 1.5, -0.7, 0.4, 2.1, -1.1, 0.9, 1.3, 0.2);
  CHECK(neighbours, 1.5, -0.7, 0.4, 2.1, -1.1, 0.9, 1.3, 0.2);
  CHECK(fused, 1.5, -0.7, 0.4, 2.1, -1.1, 0.9, 1.3, 0.2);
  CHECK(products, 1.5, -0.7, 0.4, 2.1, -1.1, 0.9, 1.3, 0.2);
  CHECK(chosen, 1.5, -0.7, 0.4, 2.1, -1.1, 0.9, 1.3, 0.2);
  CHECK(chosen, -1.5, 0.7, 1.4, 0.1, 1.1, 1.9, -1.3, -3);
  CHECK(moved, 1.53, -0.71, 0.42, 2.17, -1.1, 0.9, 1.3, 0.2);
  CHECK(moved, -1.53, 0.71, -0.42, 2.17, -1.1, 0.9, 1.3, 0.2);
  double x[] = {1.5, -0.7, 0.4, 2.1, -1.1, 0.9, 1.3, 0.2}, dx[8] = {0};
  same("floats", 0, floats(x), doubles(x), 2e-3);
  __enzyme_autodiff((void *)floats, x, dx);
  for (int i = 0; i < 8; i++)
    same("by floats", i, dx[i], check_difference(doubles, x, 8, i), 2e-3);
  return failures;
}
