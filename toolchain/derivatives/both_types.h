/* All of BLAS and LAPACK for a real type and the complex one of the same precision. */
#define T REAL
#define P REAL_P
#define IS_COMPLEX 0
#include "linear_algebra.h"
#undef T
#undef P
#undef IS_COMPLEX

#define T REAL _Complex
#define P COMPLEX_P
#define IS_COMPLEX 1
#include "complex_algebra.h"
#undef T
#undef P
#undef IS_COMPLEX
