/* The names by which programs call BLAS: Fortran's, and those of CBLAS, where matrices may be stored by rows. */

#define F_NAME(NAME) EZ_JOIN(__ez_stand_in_, P, EZ_JOIN(NAME, _, ))
#define C_NAME(NAME) EZ_JOIN(__ez_stand_in_cblas_, P, NAME)
/* CBLAS takes a real factor by value, and a complex one by its address. */
#undef C_SCALAR
#undef ADDRESS
#undef VALUE
#if IS_COMPLEX
#define C_SCALAR const T *
#define ADDRESS(SCALAR) SCALAR
#define VALUE(SCALAR) (*(SCALAR))
#else
#define C_SCALAR T
#define ADDRESS(SCALAR) (&(SCALAR))
#define VALUE(SCALAR) SCALAR
#endif
#ifndef EZ_BLAS_NAMES_H
#define EZ_BLAS_NAMES_H
enum { BY_ROWS = 101, NO_TRANS = 111, CONJ_TRANS = 113, CONJ_NO_TRANS = 114, UPPER = 121, UNIT = 132, LEFT = 141 };
static ALWAYS_INLINE char trans_of(int c) {
    return letter(c == NO_TRANS || c == CONJ_NO_TRANS, c == CONJ_TRANS || c == CONJ_NO_TRANS);
}
static ALWAYS_INLINE char uplo_of(int layout, int c) { return (c == UPPER) == (layout == BY_ROWS) ? 'L' : 'U'; }
static ALWAYS_INLINE char side_of(int layout, int c) { return (c == LEFT) == (layout == BY_ROWS) ? 'R' : 'L'; }
static ALWAYS_INLINE char turned_by(int layout, char trans) {
    return layout == BY_ROWS ? without_conjugate(transposed(trans)) : trans;
}
static ALWAYS_INLINE char diag_of(int c) { return c == UNIT ? 'U' : 'N'; }
#endif

INLINED void F_NAME(gemm)(const char *ta, const char *tb, const int *m, const int *n, const int *k, const T *alpha,
                          const T *a, const int *lda, const T *b, const int *ldb, const T *beta, T *c, const int *ldc) {
    ROUTINE(gemm)(0, *ta, *tb, *m, *n, *k, alpha, a, *lda, b, *ldb, beta, c, *ldc);
}

/* A matrix that is stored by rows is the transpose of one stored by columns: C^T = op(B)^T op(A)^T. */
INLINED void C_NAME(gemm)(int layout, int ta, int tb, int m, int n, int k, C_SCALAR alpha, const T *a, int lda, const T *b,
                          int ldb, C_SCALAR beta, T *c, int ldc) {
    if (layout == BY_ROWS)
        ROUTINE(gemm)(0, trans_of(tb), trans_of(ta), n, m, k, ADDRESS(alpha), b, ldb, a, lda, ADDRESS(beta), c, ldc);
    else
        ROUTINE(gemm)(0, trans_of(ta), trans_of(tb), m, n, k, ADDRESS(alpha), a, lda, b, ldb, ADDRESS(beta), c, ldc);
}

INLINED void F_NAME(symm)(const char *side, const char *uplo, const int *m, const int *n, const T *alpha, const T *a,
                          const int *lda, const T *b, const int *ldb, const T *beta, T *c, const int *ldc) {
    ROUTINE(symm)(0, *side, *uplo, *m, *n, alpha, a, *lda, b, *ldb, beta, c, *ldc);
}

INLINED void C_NAME(symm)(int layout, int side, int uplo, int m, int n, C_SCALAR alpha, const T *a, int lda, const T *b,
                          int ldb, C_SCALAR beta, T *c, int ldc) {
    int rows = layout == BY_ROWS ? n : m, columns = layout == BY_ROWS ? m : n;
    ROUTINE(symm)
    (0, side_of(layout, side), uplo_of(layout, uplo), rows, columns, ADDRESS(alpha), a, lda, b, ldb, ADDRESS(beta), c, ldc);
}

INLINED void F_NAME(syrk)(const char *uplo, const char *trans, const int *n, const int *k, const T *alpha, const T *a,
                          const int *lda, const T *beta, T *c, const int *ldc) {
    ROUTINE(syrk)(0, *uplo, *trans, *n, *k, alpha, a, *lda, beta, c, *ldc);
}

INLINED void C_NAME(syrk)(int layout, int uplo, int trans, int n, int k, C_SCALAR alpha, const T *a, int lda,
                          C_SCALAR beta, T *c, int ldc) {
    char t = turned_by(layout, trans_of(trans));
    ROUTINE(syrk)(0, uplo_of(layout, uplo), t, n, k, ADDRESS(alpha), a, lda, ADDRESS(beta), c, ldc);
}

INLINED void F_NAME(syr2k)(const char *uplo, const char *trans, const int *n, const int *k, const T *alpha, const T *a,
                           const int *lda, const T *b, const int *ldb, const T *beta, T *c, const int *ldc) {
    ROUTINE(syr2k)(0, *uplo, *trans, *n, *k, alpha, a, *lda, b, *ldb, beta, c, *ldc);
}

INLINED void C_NAME(syr2k)(int layout, int uplo, int trans, int n, int k, C_SCALAR alpha, const T *a, int lda, const T *b,
                           int ldb, C_SCALAR beta, T *c, int ldc) {
    char t = turned_by(layout, trans_of(trans));
    ROUTINE(syr2k)(0, uplo_of(layout, uplo), t, n, k, ADDRESS(alpha), a, lda, b, ldb, ADDRESS(beta), c, ldc);
}

#define TRIANGULAR(NAME)                                                                                          \
    INLINED void F_NAME(NAME)(const char *side, const char *uplo, const char *trans, const char *diag, const int *m, \
                              const int *n, const T *alpha, const T *a, const int *lda, T *b, const int *ldb) {   \
        ROUTINE(NAME)(0, *side, *uplo, *trans, *diag, *m, *n, alpha, a, *lda, b, *ldb);                           \
    }                                                                                                             \
    INLINED void C_NAME(NAME)(int layout, int side, int uplo, int trans, int diag, int m, int n, C_SCALAR alpha,  \
                              const T *a, int lda, T *b, int ldb) {                                               \
        int rows = layout == BY_ROWS ? n : m, columns = layout == BY_ROWS ? m : n;                                \
        ROUTINE(NAME)(0, side_of(layout, side), uplo_of(layout, uplo), trans_of(trans), diag_of(diag), rows,      \
                      columns, ADDRESS(alpha), a, lda, b, ldb);                                                        \
    }
TRIANGULAR(trmm)
TRIANGULAR(trsm)
