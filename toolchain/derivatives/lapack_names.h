/* The names by which programs call LAPACK: Fortran's, and those of LAPACKE, where matrices may be stored by rows. */

#define E_NAME(NAME) EZ_JOIN(__ez_stand_in_LAPACKE_, P, NAME)
#ifndef EZ_LAPACK_NAMES_H
#define EZ_LAPACK_NAMES_H
/* The triangle of a symmetric matrix that is stored by rows is the other one by columns, with the transposed factor. */
static ALWAYS_INLINE char by_columns(int layout, char uplo) {
    return layout == BY_ROWS ? is_upper(uplo) ? 'L' : 'U' : uplo;
}
#endif

/* B = A^T */
static ALWAYS_INLINE void OWN(transpose)(const T *a, int64_t lda, int64_t rows, int64_t columns, T *b, int64_t ldb) {
    for (int64_t j = 0; j < columns; j++)
        for (int64_t i = 0; i < rows; i++)
            b[j + i * ldb] = a[i + j * lda];
}

static ALWAYS_INLINE T *OWN(transposed)(const T *a, int64_t rows, int64_t columns) {
    T *made = OWN(new)(rows, columns);
    OWN(transpose)(a, rows, rows, columns, made, columns);
    return made;
}

INLINED void F_NAME(potrf)(const char *uplo, const int *n, T *a, const int *lda, int *info) {
    ROUTINE(potrf)(0, *uplo, *n, a, *lda, info);
}
INLINED int E_NAME(potrf)(int layout, char uplo, int n, T *a, int lda) {
    int info;
    ROUTINE(potrf)(0, by_columns(layout, uplo), n, a, lda, &info);
    return info;
}

INLINED void F_NAME(potrs)(const char *uplo, const int *n, const int *nrhs, const T *a, const int *lda, T *b,
                           const int *ldb, int *info) {
    ROUTINE(potrs)(0, *uplo, *n, *nrhs, a, *lda, b, *ldb, info);
}
INLINED void F_NAME(posv)(const char *uplo, const int *n, const int *nrhs, T *a, const int *lda, T *b, const int *ldb,
                          int *info) {
    ROUTINE(posv)(0, *uplo, *n, *nrhs, a, *lda, b, *ldb, info);
}
INLINED void F_NAME(getrf)(const int *m, const int *n, T *a, const int *lda, int *ipiv, int *info) {
    ROUTINE(getrf)(0, *m, *n, a, *lda, ipiv, info);
}
INLINED void F_NAME(getrs)(const char *trans, const int *n, const int *nrhs, const T *a, const int *lda, const int *ipiv,
                           T *b, const int *ldb, int *info) {
    ROUTINE(getrs)(0, *trans, *n, *nrhs, a, *lda, (int *)ipiv, b, *ldb, info);
}
INLINED void F_NAME(gesv)(const int *n, const int *nrhs, T *a, const int *lda, int *ipiv, T *b, const int *ldb,
                          int *info) {
    ROUTINE(gesv)(0, *n, *nrhs, a, *lda, ipiv, b, *ldb, info);
}

/* Solves with right-hand sides that are stored by rows, through a copy by columns. CONJUGATE changes the copy, before and
 * after: a Hermitian matrix stored by rows is the conjugate of one stored by columns. */
#define BY_COPY(B, LDB, N, NRHS, CALL_WITH_COPY) BY_CHANGED_COPY(B, LDB, N, NRHS, CALL_WITH_COPY, 0)
#define BY_CHANGED_COPY(B, LDB, N, NRHS, CALL_WITH_COPY, CONJUGATE)                                               \
    if (layout == BY_ROWS) {                                                                                      \
        T *copy = OWN(new)(N, NRHS);                                                                              \
        OWN(transpose)(B, LDB, NRHS, N, copy, at_least_1(N));                                                     \
        if (CONJUGATE)                                                                                            \
            OWN(conjugate)(copy, N, NRHS, at_least_1(N));                                                         \
        {CALL_WITH_COPY(copy, at_least_1(N))};                                                                    \
        if (CONJUGATE)                                                                                            \
            OWN(conjugate)(copy, N, NRHS, at_least_1(N));                                                         \
        OWN(transpose)(copy, at_least_1(N), N, NRHS, B, LDB);                                                     \
        free(copy);                                                                                               \
    } else {                                                                                                      \
        CALL_WITH_COPY(B, LDB)                                                                                    \
    }

INLINED int E_NAME(potrs)(int layout, char uplo, int n, int nrhs, const T *a, int lda, T *b, int ldb) {
    int info;
#define SOLVE(B, LDB) ROUTINE(potrs)(0, by_columns(layout, uplo), n, nrhs, a, lda, B, LDB, &info);
    BY_CHANGED_COPY(b, ldb, n, nrhs, SOLVE, 1)
#undef SOLVE
    return info;
}
INLINED int E_NAME(posv)(int layout, char uplo, int n, int nrhs, T *a, int lda, T *b, int ldb) {
    int info;
#define SOLVE(B, LDB) ROUTINE(posv)(0, by_columns(layout, uplo), n, nrhs, a, lda, B, LDB, &info);
    BY_CHANGED_COPY(b, ldb, n, nrhs, SOLVE, 1)
#undef SOLVE
    return info;
}
INLINED int E_NAME(getrf)(int layout, int m, int n, T *a, int lda, int *ipiv) {
    int info;
#define SOLVE(A, LDA) ROUTINE(getrf)(0, m, n, A, LDA, ipiv, &info);
    BY_COPY(a, lda, m, n, SOLVE)
#undef SOLVE
    return info;
}
/* The factors by rows are those of the transpose with their roles exchanged; so A is copied, too. */
INLINED int E_NAME(getrs)(int layout, char trans, int n, int nrhs, const T *a, int lda, const int *ipiv, T *b, int ldb) {
    int info;
    if (layout != BY_ROWS) {
        ROUTINE(getrs)(0, trans, n, nrhs, a, lda, (int *)ipiv, b, ldb, &info);
        return info;
    }
    T *factors = OWN(new)(n, n);
    OWN(transpose)(a, lda, n, n, factors, at_least_1(n));
#define SOLVE(B, LDB) ROUTINE(getrs)(0, trans, n, nrhs, factors, at_least_1(n), (int *)ipiv, B, LDB, &info);
    BY_COPY(b, ldb, n, nrhs, SOLVE)
#undef SOLVE
    free(factors);
    return info;
}
INLINED int E_NAME(gesv)(int layout, int n, int nrhs, T *a, int lda, int *ipiv, T *b, int ldb) {
    int info;
    if (layout != BY_ROWS) {
        ROUTINE(gesv)(0, n, nrhs, a, lda, ipiv, b, ldb, &info);
        return info;
    }
    T *factors = OWN(new)(n, n);
    OWN(transpose)(a, lda, n, n, factors, at_least_1(n));
#define SOLVE(B, LDB) ROUTINE(gesv)(0, n, nrhs, factors, at_least_1(n), ipiv, B, LDB, &info);
    BY_COPY(b, ldb, n, nrhs, SOLVE)
#undef SOLVE
    OWN(transpose)(factors, at_least_1(n), n, n, a, lda);
    free(factors);
    return info;
}

/* trtrs: as trsm, unless a number on the diagonal is zero */
static ALWAYS_INLINE int OWN(trtrs)(char uplo, char trans, char diag, int64_t n, int64_t nrhs, const T *a, int64_t lda,
                                    T *b, int64_t ldb) {
    for (int64_t i = 0; !is_unit(diag) && i < n; i++)
        if (a[i + i * lda] == 0)
            return i + 1;
    OWN(trsm)(0, 'L', uplo, trans, diag, n, nrhs, 1, a, lda, b, ldb);
    return 0;
}
INLINED void F_NAME(trtrs)(const char *uplo, const char *trans, const char *diag, const int *n, const int *nrhs, const T *a,
                           const int *lda, T *b, const int *ldb, int *info) {
    *info = OWN(trtrs)(*uplo, *trans, *diag, *n, *nrhs, a, *lda, b, *ldb);
}
INLINED int E_NAME(trtrs)(int layout, char uplo, char trans, char diag, int n, int nrhs, const T *a, int lda, T *b,
                          int ldb) {
    int info;
    char t = layout == BY_ROWS ? transposed(trans) : trans;
#define SOLVE(B, LDB) info = OWN(trtrs)(by_columns(layout, uplo), t, diag, n, nrhs, a, lda, B, LDB);
    BY_COPY(b, ldb, n, nrhs, SOLVE)
#undef SOLVE
    return info;
}
