/* Inline assembly that computes with numbers in vector registers, as Eigen has it for minima and maxima. */
#include "../check.h"
#include <emmintrin.h>

#define OPERATION(NAME)                                                                                                \
  static __m128d NAME(__m128d a, __m128d b) {                                                                          \
    __asm__(#NAME " %[b], %[a]" : [a] "+x"(a) : [b] "x"(b));                                                           \
    return a;                                                                                                          \
  }                                                                                                                    \
  static double by_##NAME(double *x) {                                                                                 \
    double r[2];                                                                                                       \
    _mm_storeu_pd(r, NAME(_mm_loadu_pd(x), _mm_loadu_pd(x + 2)));                                                      \
    return 2 * r[0] + r[1] * r[0] * r[1];                                                                              \
  }

OPERATION(maxpd)
OPERATION(minpd)
OPERATION(maxsd)
OPERATION(minsd)
OPERATION(addpd)
OPERATION(subpd)
OPERATION(mulsd)
OPERATION(divpd)

static double of_scalars(double *x) {
  double larger = x[0], smaller = x[0];
  __asm__("maxsd %1, %0" : "+x"(larger) : "x"(x[1]));
  __asm__("minsd %1, %0" : "+x"(smaller) : "x"(x[1]));
  return larger * larger * smaller;
}

int main(void) {
  CHECK(by_maxpd, 0.7, -1.2, 0.4, 0.5);
  CHECK(by_minpd, 0.7, -1.2, 0.4, 0.5);
  CHECK(by_maxsd, 0.7, -1.2, 0.4, 0.5);
  CHECK(by_minsd, 0.7, -1.2, 0.4, 0.5);
  CHECK(by_addpd, 0.7, -1.2, 0.4, 0.5);
  CHECK(by_subpd, 0.7, -1.2, 0.4, 0.5);
  CHECK(by_mulsd, 0.7, -1.2, 0.4, 0.5);
  CHECK(by_divpd, 0.7, -1.2, 0.4, 0.5);
  CHECK(of_scalars, 0.7, -1.2);
  CHECK(of_scalars, -0.7, 1.2);
  return failures;
}
