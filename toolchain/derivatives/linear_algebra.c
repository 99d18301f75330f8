/* BLAS and LAPACK: derivatives and bodies, and the names by which programs call them. */
#include <enzyme/derivative.h>

/* products of complex numbers by the plain formula */
#pragma STDC CX_LIMITED_RANGE ON

#ifdef EZ_WIDE /* libraries whose integers have 64 bits */
#define int int64_t
#endif

/* Ends the program with a message if the condition is not zero. */
void __ez_refuse(uint64_t condition, const char *message);

/* an integer as Fortran takes it; a library with integers of 64 bits reads all of it, another one its lower half */
#define INT(VALUE) (const int *)(int64_t[]){VALUE}
#define FORTRAN_(P, NAME) P##NAME##_
#define FORTRAN(P, NAME) FORTRAN_(P, NAME)
#define CALL(NAME, ...) FORTRAN(P, NAME)(__VA_ARGS__)

#define REAL double
#define REAL_P d
#define COMPLEX_P z
#define NORM_P dz   /* of functions with a real result */
#define SCALED_P zd /* of functions with a real factor */
#define ROOT __builtin_sqrt
#define ABSOLUTE __builtin_fabs
#define DISTANCE __builtin_hypot
#define SMALLEST 0x1p-960 /* sums of squares between these have lost nothing */
#define LARGEST 0x1p1020
#define EPSILON 0x1p-48 /* of the largest eigenvalue: eigenvalues as close count as equal */
#define ROUNDED 0x1p-40 /* what is left by rounding of something that vanishes */
#define ULP 0x1p-52     /* 1 + ULP is the next number after 1 */
#define LEAST 0x1p-1022
#define GREATEST 0x1.fffffffffffffp1023
#define DIGITS 53
#define LEAST_EXPONENT -1021
#define GREATEST_EXPONENT 1024
#include "both_types.h"
#undef REAL
#undef REAL_P
#undef COMPLEX_P
#undef NORM_P
#undef SCALED_P
#undef ROOT
#undef ABSOLUTE
#undef DISTANCE
#undef SMALLEST
#undef LARGEST
#undef EPSILON
#undef ROUNDED
#undef ULP
#undef LEAST
#undef GREATEST
#undef DIGITS
#undef LEAST_EXPONENT
#undef GREATEST_EXPONENT

#define REAL float
#define REAL_P s
#define COMPLEX_P c
#define NORM_P sc
#define SCALED_P cs
#define ROOT __builtin_sqrtf
#define ABSOLUTE __builtin_fabsf
#define DISTANCE __builtin_hypotf
#define SMALLEST 0x1p-80f
#define LARGEST 0x1p124f
#define EPSILON 0x1p-20f
#define ROUNDED 0x1p-14f
#define ULP 0x1p-23f
#define LEAST 0x1p-126f
#define GREATEST 0x1.fffffep127f
#define DIGITS 24
#define LEAST_EXPONENT -125
#define GREATEST_EXPONENT 128
#include "both_types.h"

/* -- sums in double of products of floats */

static double sum_in_double(int64_t n, const float *x, int64_t incx, const float *y, int64_t incy) {
    const float *p = x + start(n, incx), *q = y + start(n, incy);
    double sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += (double)p[i * incx] * q[i * incy];
    return sum;
}

INLINED double STAND_IN(dsdot_)(const int *n, const float *x, const int *incx, const float *y, const int *incy) {
    return sum_in_double(*n, x, *incx, y, *incy);
}
INLINED double STAND_IN(cblas_dsdot)(int n, const float *x, int incx, const float *y, int incy) {
    return sum_in_double(n, x, incx, y, incy);
}
INLINED float STAND_IN(sdsdot_)(const int *n, const float *b, const float *x, const int *incx, const float *y,
                                const int *incy) {
    return *b + sum_in_double(*n, x, *incx, y, *incy);
}
INLINED float STAND_IN(cblas_sdsdot)(int n, float b, const float *x, int incx, const float *y, int incy) {
    return b + sum_in_double(n, x, incx, y, incy);
}
