/* The names by which programs call levels 1 and 2 of BLAS, as far as all types have them. */

#define F(NAME) INLINED void F_NAME(NAME)
#define C(NAME) INLINED void C_NAME(NAME)
#define I const int *

F(axpy)(I n, const T *alpha, const T *x, I incx, T *y, I incy) { OWN(axpy)(*n, *alpha, x, *incx, y, *incy); }
C(axpy)(int n, C_SCALAR alpha, const T *x, int incx, T *y, int incy) { OWN(axpy)(n, VALUE(alpha), x, incx, y, incy); }
F(scal)(I n, const T *alpha, T *x, I incx) { OWN(scal)(*n, *alpha, x, *incx); }
C(scal)(int n, C_SCALAR alpha, T *x, int incx) { OWN(scal)(n, VALUE(alpha), x, incx); }
F(copy)(I n, const T *x, I incx, T *y, I incy) { OWN(copy_vector)(*n, x, *incx, y, *incy); }
C(copy)(int n, const T *x, int incx, T *y, int incy) { OWN(copy_vector)(n, x, incx, y, incy); }
F(swap)(I n, T *x, I incx, T *y, I incy) { OWN(swap)(*n, x, *incx, y, *incy); }
C(swap)(int n, T *x, int incx, T *y, int incy) { OWN(swap)(n, x, incx, y, incy); }

F(gemv)(const char *trans, I m, I n, const T *alpha, const T *a, I lda, const T *x, I incx, const T *beta, T *y, I incy) {
    OWN(gemv)(*trans, *m, *n, *alpha, a, *lda, x, *incx, *beta, y, *incy);
}
F(gbmv)(const char *trans, I m, I n, I kl, I ku, const T *alpha, const T *a, I lda, const T *x, I incx, const T *beta, T *y,
        I incy) {
    OWN(gbmv)(*trans, *m, *n, *kl, *ku, *alpha, a, *lda, x, *incx, *beta, y, *incy);
}
/* A matrix stored by rows is the transpose of one stored by columns. */
C(gemv)(int layout, int trans, int m, int n, C_SCALAR alpha, const T *a, int lda, const T *x, int incx, C_SCALAR beta,
        T *y, int incy) {
    if (layout == BY_ROWS)
        OWN(gemv)(transposed(trans_of(trans)), n, m, VALUE(alpha), a, lda, x, incx, VALUE(beta), y, incy);
    else
        OWN(gemv)(trans_of(trans), m, n, VALUE(alpha), a, lda, x, incx, VALUE(beta), y, incy);
}
C(gbmv)(int layout, int trans, int m, int n, int kl, int ku, C_SCALAR alpha, const T *a, int lda, const T *x, int incx,
        C_SCALAR beta, T *y, int incy) {
    if (layout == BY_ROWS)
        OWN(gbmv)(transposed(trans_of(trans)), n, m, ku, kl, VALUE(alpha), a, lda, x, incx, VALUE(beta), y, incy);
    else
        OWN(gbmv)(trans_of(trans), m, n, kl, ku, VALUE(alpha), a, lda, x, incx, VALUE(beta), y, incy);
}
#define OUTER(NAME, OF_Y)                                                                                         \
    F(NAME)(I m, I n, const T *alpha, const T *x, I incx, const T *y, I incy, T *a, I lda) {                       \
        OWN(ger)(0, OF_Y, *m, *n, *alpha, x, *incx, y, *incy, a, *lda);                                           \
    }                                                                                                             \
    C(NAME)(int layout, int m, int n, C_SCALAR alpha, const T *x, int incx, const T *y, int incy, T *a, int lda) { \
        if (layout == BY_ROWS)                                                                                    \
            OWN(ger)(OF_Y, 0, n, m, VALUE(alpha), y, incy, x, incx, a, lda);                                      \
        else                                                                                                      \
            OWN(ger)(0, OF_Y, m, n, VALUE(alpha), x, incx, y, incy, a, lda);                                      \
    }

/* The functions on triangles, for one storage. FORTRAN_SHAPE and C_SHAPE are the parameters that say how A is stored;
 * F_OF and C_OF make of them what `struct triangle` is. FORTRAN_LD and C_LD come behind A. */
#define ON_TRIANGLES(NAME, MIRROR, FORTRAN_SHAPE, C_SHAPE, FORTRAN_LD, C_LD, F_OF, C_OF)                          \
    F(NAME)(const char *uplo, I n FORTRAN_SHAPE, const T *alpha, const T *a FORTRAN_LD, const T *x, I incx,       \
            const T *beta, T *y, I incy) {                                                                        \
        OWN(symv)(MIRROR, 0, F_OF, *alpha, a, x, *incx, *beta, y, *incy);                                         \
    }                                                                                                             \
    C(NAME)(int layout, int uplo, int n C_SHAPE, C_SCALAR alpha, const T *a C_LD, const T *x, int incx,           \
            C_SCALAR beta, T *y, int incy) {                                                                      \
        OWN(symv)(MIRROR, MIRROR && layout == BY_ROWS, C_OF, VALUE(alpha), a, x, incx, VALUE(beta), y, incy);     \
    }
#define TRIANGLES_SOLVED(NAME, BODY, FORTRAN_SHAPE, C_SHAPE, FORTRAN_LD, C_LD, F_OF, C_OF)                        \
    F(NAME)(const char *uplo, const char *trans, const char *diag, I n FORTRAN_SHAPE, const T *a FORTRAN_LD, T *x, \
            I incx) {                                                                                             \
        OWN(BODY)(F_OF, *trans, *diag, a, x, *incx);                                                              \
    }                                                                                                             \
    C(NAME)(int layout, int uplo, int trans, int diag, int n C_SHAPE, const T *a C_LD, T *x, int incx) {          \
        char t = trans_of(trans);                                                                                 \
        OWN(BODY)(C_OF, layout == BY_ROWS ? transposed(t) : t, diag_of(diag), a, x, incx);                        \
    }
/* A += alpha x x^T: alpha is of type S in Fortran and of type C_S in C */
#define RANK_1(NAME, MIRROR, S, C_S, C_VALUE, FORTRAN_LD, C_LD, F_OF, C_OF)                                       \
    F(NAME)(const char *uplo, I n, const S *alpha, const T *x, I incx, T *a FORTRAN_LD) {                         \
        OWN(syr)(MIRROR, 0, F_OF, *alpha, x, *incx, a);                                                           \
    }                                                                                                             \
    C(NAME)(int layout, int uplo, int n, C_S alpha, const T *x, int incx, T *a C_LD) {                            \
        OWN(syr)(MIRROR, MIRROR && layout == BY_ROWS, C_OF, C_VALUE(alpha), x, incx, a);                          \
    }
#define RANK_2(NAME, MIRROR, FORTRAN_LD, C_LD, F_OF, C_OF)                                                        \
    F(NAME)(const char *uplo, I n, const T *alpha, const T *x, I incx, const T *y, I incy, T *a FORTRAN_LD) {     \
        OWN(syr2)(MIRROR, 0, F_OF, *alpha, x, *incx, y, *incy, a);                                                \
    }                                                                                                             \
    C(NAME)(int layout, int uplo, int n, C_SCALAR alpha, const T *x, int incx, const T *y, int incy, T *a C_LD) { \
        OWN(syr2)(MIRROR, MIRROR && layout == BY_ROWS, C_OF, VALUE(alpha), x, incx, y, incy, a);                  \
    }
#define COMMA ,
#define ITSELF(X) X
#define FULL_F full(*uplo, *n, *lda)
#define FULL_C full(uplo_of(layout, uplo), n, lda)
#define BAND_F band(*uplo, *n, *k, *lda)
#define BAND_C band(uplo_of(layout, uplo), n, k, lda)
#define PACKED_F packed(*uplo, *n)
#define PACKED_C packed(uplo_of(layout, uplo), n)
ON_TRIANGLES(symv, SYMMETRIC, , , COMMA I lda, COMMA int lda, FULL_F, FULL_C)
ON_TRIANGLES(spmv, SYMMETRIC, , , , , PACKED_F, PACKED_C)
RANK_1(syr, SYMMETRIC, T, C_SCALAR, VALUE, COMMA I lda, COMMA int lda, FULL_F, FULL_C)
RANK_1(spr, SYMMETRIC, T, C_SCALAR, VALUE, , , PACKED_F, PACKED_C)
TRIANGLES_SOLVED(trmv, trmv, , , COMMA I lda, COMMA int lda, FULL_F, FULL_C)
TRIANGLES_SOLVED(tbmv, trmv, COMMA I k, COMMA int k, COMMA I lda, COMMA int lda, BAND_F, BAND_C)
TRIANGLES_SOLVED(tpmv, trmv, , , , , PACKED_F, PACKED_C)
TRIANGLES_SOLVED(trsv, trsv, , , COMMA I lda, COMMA int lda, FULL_F, FULL_C)
TRIANGLES_SOLVED(tbsv, trsv, COMMA I k, COMMA int k, COMMA I lda, COMMA int lda, BAND_F, BAND_C)
TRIANGLES_SOLVED(tpsv, trsv, , , , , PACKED_F, PACKED_C)

INLINED int EZ_JOIN(__ez_stand_in_i, P, amax_)(I n, const T *x, I incx) { return OWN(largest)(*n, x, *incx); }
INLINED size_t EZ_JOIN(__ez_stand_in_cblas_i, P, amax)(int n, const T *x, int incx) {
    int64_t found = OWN(largest)(n, x, incx);
    return found ? found - 1 : 0;
}
