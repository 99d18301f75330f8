/* Reductions of whole arrays to a number: SUM, PRODUCT, DOT_PRODUCT, NORM2, MAXVAL, MINVAL. */
#include "fortran.h"

#define REDUCTION(NAME, T, START, STEP)                                                                                \
  T STAND_IN(_FortranA##NAME)(const_array a, const char *file, int line, int dim, const_array mask) {                  \
    (void)file, (void)line, (void)dim; /* an array of rank 1, or no DIM */                                             \
    T result = START;                                                                                                  \
    for (int64_t j = 0; j < columns(a); j++)                                                                           \
      for (int64_t i = 0; i < rows(a); i++)                                                                            \
        if (selects(mask, i, j)) {                                                                                     \
          T element = *(const T *)(column(a, j) + i * row_stride(a));                                                  \
          STEP;                                                                                                        \
        }                                                                                                              \
    return result;                                                                                                     \
  }

REDUCTION(SumReal4, float, 0, result += element)
REDUCTION(SumReal8, double, 0, result += element)
REDUCTION(SumReal10, long double, 0, result += element)
REDUCTION(ProductReal4, float, 1, result *= element)
REDUCTION(ProductReal8, double, 1, result *= element)
REDUCTION(ProductReal10, long double, 1, result *= element)
REDUCTION(MaxvalReal4, float, -__FLT_MAX__, result = element > result ? element : result)
REDUCTION(MaxvalReal8, double, -__DBL_MAX__, result = element > result ? element : result)
REDUCTION(MaxvalReal10, long double, -__LDBL_MAX__, result = element > result ? element : result)
REDUCTION(MinvalReal4, float, __FLT_MAX__, result = element < result ? element : result)
REDUCTION(MinvalReal8, double, __DBL_MAX__, result = element < result ? element : result)
REDUCTION(MinvalReal10, long double, __LDBL_MAX__, result = element < result ? element : result)

#define DOT_PRODUCT(NAME, T)                                                                                           \
  T STAND_IN(_FortranADotProduct##NAME)(const_array x, const_array y, const char *file, int line) {                    \
    (void)file, (void)line;                                                                                            \
    T result = 0;                                                                                                      \
    for (int64_t i = 0; i < rows(x); i++)                                                                              \
      result += *(const T *)((char *)x->base + i * row_stride(x)) * *(const T *)((char *)y->base + i * row_stride(y)); \
    return result;                                                                                                     \
  }

DOT_PRODUCT(Real4, float)
DOT_PRODUCT(Real8, double)
DOT_PRODUCT(Real10, long double)
