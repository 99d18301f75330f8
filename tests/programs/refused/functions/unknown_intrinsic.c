/* EZ0304: an instruction of the processor that is not known
   expect: error: the intrinsic llvm.x86.vcvtps2ph.256 cannot be differentiated
   expect: in function: rounded */
#include <immintrin.h>

extern double __enzyme_autodiff(void *, ...);

__attribute__((target("avx,f16c"))) float rounded(const float *x) {
  __m128i half = _mm256_cvtps_ph(_mm256_loadu_ps(x), 3);
  return _mm256_cvtph_ps(half)[1];
}

int main(void) {
  float x[8] = {1}, dx[8] = {0};
  __enzyme_autodiff((void *)rounded, x, dx);
}
