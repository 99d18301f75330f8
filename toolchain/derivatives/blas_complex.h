/* BLAS: what only complex types have, or by other names than real ones. */

#define OF_NORM(NAME) EZ_JOIN(__ez_stand_in_, NORM_P, NAME##_) /* dznrm2_, scnrm2_ */
#define C_OF_NORM(NAME) EZ_JOIN(__ez_stand_in_cblas_, NORM_P, NAME)
#define BY_REAL(NAME) EZ_JOIN(__ez_stand_in_, SCALED_P, NAME##_) /* zdscal_, csscal_ */
#define C_BY_REAL(NAME) EZ_JOIN(__ez_stand_in_cblas_, SCALED_P, NAME)

/* -- level 1. Functions return complex numbers as C and gfortran do. */

INLINED T F_NAME(dotu)(I n, const T *x, I incx, const T *y, I incy) { return OWN(inner)(0, *n, x, *incx, y, *incy); }
INLINED T F_NAME(dotc)(I n, const T *x, I incx, const T *y, I incy) { return OWN(inner)(1, *n, x, *incx, y, *incy); }
INLINED T C_NAME(dotu)(int n, const T *x, int incx, const T *y, int incy) { return OWN(inner)(0, n, x, incx, y, incy); }
INLINED T C_NAME(dotc)(int n, const T *x, int incx, const T *y, int incy) { return OWN(inner)(1, n, x, incx, y, incy); }
C(dotu_sub)(int n, const T *x, int incx, const T *y, int incy, T *dot) { *dot = OWN(inner)(0, n, x, incx, y, incy); }
C(dotc_sub)(int n, const T *x, int incx, const T *y, int incy, T *dot) { *dot = OWN(inner)(1, n, x, incx, y, incy); }
INLINED REAL OF_NORM(nrm2)(I n, const T *x, I incx) { return OWN(nrm2)(*n, x, *incx); }
INLINED REAL C_OF_NORM(nrm2)(int n, const T *x, int incx) { return OWN(nrm2)(n, x, incx); }
INLINED REAL OF_NORM(asum)(I n, const T *x, I incx) { return OWN(asum)(*n, x, *incx); }
INLINED REAL C_OF_NORM(asum)(int n, const T *x, int incx) { return OWN(asum)(n, x, incx); }

/* apart from scal: the adjoint of a real factor is real */
static void OWN(scale_by_real)(int64_t n, REAL alpha, T *x, int64_t incx) {
    for (int64_t i = 0; incx > 0 && i < n; i++)
        x[i * incx] = alpha * x[i * incx];
}
INLINED void BY_REAL(scal)(I n, const REAL *alpha, T *x, I incx) { OWN(scale_by_real)(*n, *alpha, x, *incx); }
INLINED void C_BY_REAL(scal)(int n, REAL alpha, T *x, int incx) { OWN(scale_by_real)(n, alpha, x, incx); }
INLINED void BY_REAL(rot)(I n, T *x, I incx, T *y, I incy, const REAL *c, const REAL *s) {
    OWN(rot)(*n, x, *incx, y, *incy, *c, *s);
}
INLINED void C_BY_REAL(rot)(int n, T *x, int incx, T *y, int incy, REAL c, REAL s) {
    OWN(rot)(n, x, incx, y, incy, c, s);
}

/* the absolute value, of numbers whose squares may leave the range of the type */
static REAL OWN(absolute)(T x) { return OWN(nrm2)(1, &x, 1); }

/* c is real, and a becomes r: c a + s b = r, c b = /s a. Where a = 0, some libraries take s = 1, others a real r. */
static void OWN(rotg)(T *a, const T *b, REAL *c, T *s) {
    T x = *a, y = *b;
    __ez_refuse(x == 0 && y != 0, "libraries differ in what zrotg (crotg) computes where a = 0: treat that case apart");
    if (y == 0) {
        *c = 1, *s = 0;
        return;
    }
    REAL size = OWN(absolute)(x), norm = OWN(nrm2)(2, (T[]){x, y}, 1);
    T direction = x / size;
    *c = size / norm, *s = direction * (CONJ(y) / norm), *a = direction * norm;
}
F(rotg)(T *a, const T *b, REAL *c, T *s) { OWN(rotg)(a, b, c, s); }
C(rotg)(T *a, const T *b, REAL *c, T *s) { OWN(rotg)(a, b, c, s); }

/* -- level 2 */

OUTER(geru, 0)
OUTER(gerc, 1)
ON_TRIANGLES(hemv, HERMITIAN_MATRIX, , , COMMA I lda, COMMA int lda, FULL_F, FULL_C)
ON_TRIANGLES(hbmv, HERMITIAN_MATRIX, COMMA I k, COMMA int k, COMMA I lda, COMMA int lda, BAND_F, BAND_C)
ON_TRIANGLES(hpmv, HERMITIAN_MATRIX, , , , , PACKED_F, PACKED_C)
RANK_1(her, HERMITIAN_MATRIX, REAL, REAL, ITSELF, COMMA I lda, COMMA int lda, FULL_F, FULL_C)
RANK_1(hpr, HERMITIAN_MATRIX, REAL, REAL, ITSELF, , , PACKED_F, PACKED_C)
RANK_2(her2, HERMITIAN_MATRIX, COMMA I lda, COMMA int lda, FULL_F, FULL_C)
RANK_2(hpr2, HERMITIAN_MATRIX, , , PACKED_F, PACKED_C)

/* -- level 3. A factor that is real is passed as a complex number. */

F(hemm)(const char *side, const char *uplo, I m, I n, const T *alpha, const T *a, I lda, const T *b, I ldb, const T *beta,
        T *c, I ldc) {
    ROUTINE(hemm)(0, *side, *uplo, *m, *n, alpha, a, *lda, b, *ldb, beta, c, *ldc);
}
C(hemm)(int layout, int side, int uplo, int m, int n, const T *alpha, const T *a, int lda, const T *b, int ldb,
        const T *beta, T *c, int ldc) {
    int rows = layout == BY_ROWS ? n : m, columns = layout == BY_ROWS ? m : n;
    ROUTINE(hemm)
    (0, side_of(layout, side), uplo_of(layout, uplo), rows, columns, alpha, a, lda, b, ldb, beta, c, ldc);
}

static ALWAYS_INLINE void OWN(herk)(char uplo, char trans, int64_t n, int64_t k, REAL alpha, const T *a, int64_t lda,
                                    REAL beta, T *c, int64_t ldc) {
    T f = alpha, g = beta;
    ROUTINE(herk)(0, uplo, trans, n, k, &f, a, lda, &g, c, ldc);
}
F(herk)(const char *uplo, const char *trans, I n, I k, const REAL *alpha, const T *a, I lda, const REAL *beta, T *c, I ldc) {
    OWN(herk)(*uplo, *trans, *n, *k, *alpha, a, *lda, *beta, c, *ldc);
}
/* A matrix stored by rows is the conjugate of a Hermitian one stored by columns. */
C(herk)(int layout, int uplo, int trans, int n, int k, REAL alpha, const T *a, int lda, REAL beta, T *c, int ldc) {
    char t = layout == BY_ROWS ? adjoint(trans_of(trans)) : trans_of(trans);
    OWN(herk)(uplo_of(layout, uplo), t, n, k, alpha, a, lda, beta, c, ldc);
}

static ALWAYS_INLINE void OWN(her2k)(char uplo, char trans, int64_t n, int64_t k, T alpha, const T *a, int64_t lda,
                                     const T *b, int64_t ldb, REAL beta, T *c, int64_t ldc) {
    T g = beta;
    ROUTINE(her2k)(0, uplo, trans, n, k, &alpha, a, lda, b, ldb, &g, c, ldc);
}
F(her2k)(const char *uplo, const char *trans, I n, I k, const T *alpha, const T *a, I lda, const T *b, I ldb,
         const REAL *beta, T *c, I ldc) {
    OWN(her2k)(*uplo, *trans, *n, *k, *alpha, a, *lda, b, *ldb, *beta, c, *ldc);
}
C(her2k)(int layout, int uplo, int trans, int n, int k, const T *alpha, const T *a, int lda, const T *b, int ldb, REAL beta,
         T *c, int ldc) {
    char t = layout == BY_ROWS ? adjoint(trans_of(trans)) : trans_of(trans);
    T f = layout == BY_ROWS ? CONJ(*alpha) : *alpha;
    OWN(her2k)(uplo_of(layout, uplo), t, n, k, f, a, lda, b, ldb, beta, c, ldc);
}
#undef F
#undef C
#undef I
