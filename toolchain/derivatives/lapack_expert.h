/* LAPACK's expert drivers for linear systems, for one type T with the letter P.
 *
 * They have bodies: the factorisation, the solution, and the estimate of the condition number, which has the derivative 0.
 * The matrix is neither equilibrated nor the solution refined: that only changes what is lost by rounding. The bounds of
 * errors are 0. */

#ifndef EZ_LAPACK_EXPERT_H
#define EZ_LAPACK_EXPERT_H
static ALWAYS_INLINE int is_factored(char fact, char equed) {
    int found = fact == 'F' || fact == 'f';
    __ez_refuse(found && equed != 'N' && equed != 'n', "factors of an equilibrated matrix are not differentiated (…svx)");
    return found;
}
#endif

/* What all have in common behind the factorisation. CONDITION sets *rcond. */
#define SOLVED(N, NRHS, SOLUTION, CONDITION_NUMBER)                                                               \
    OWN(lacpy)('A', N, NRHS, b, ldb, x, ldx);                                                                     \
    SOLUTION;                                                                                                     \
    CONDITION_NUMBER;                                                                                             \
    for (int64_t j = 0; j < (NRHS); j++)                                                                          \
        ferr[j] = berr[j] = 0;                                                                                    \
    *info = *rcond < ULP / 2 ? (N) + 1 : 0;

static void OWN(gesvx)(char fact, char trans, int64_t n, int64_t nrhs, const T *a, int64_t lda, T *af, int64_t ldaf,
                       int *ipiv, char *equed, const T *b, int64_t ldb, T *x, int64_t ldx, REAL *rcond, REAL *ferr, REAL *berr,
                       int *info) {
    int ignored;
    char kind = is_plain(trans) ? '1' : 'I';
    REAL size = OWN(norm)(kind, general(n, n, lda), a);
    *info = 0;
    if (!is_factored(fact, *equed)) {
        OWN(lacpy)('A', n, n, a, lda, af, ldaf);
        ROUTINE(getrf)(0, n, n, af, ldaf, ipiv, info);
        *equed = 'N', *rcond = 0;
    }
    if (*info != 0)
        return;
    SOLVED(n, nrhs, ROUTINE(getrs)(0, trans, n, nrhs, af, ldaf, ipiv, x, ldx, &ignored),
           OWN(gecon)(kind, n, af, ldaf, size, rcond, &ignored))
}

static void OWN(posvx)(char fact, char uplo, int64_t n, int64_t nrhs, const T *a, int64_t lda, T *af, int64_t ldaf,
                       char *equed, const T *b, int64_t ldb, T *x, int64_t ldx, REAL *rcond, REAL *ferr, REAL *berr, int *info) {
    int ignored;
    REAL size = OWN(norm)('1', hermitian(uplo, n, lda), a);
    *info = 0;
    if (!is_factored(fact, *equed)) {
        OWN(lacpy)(uplo, n, n, a, lda, af, ldaf);
        ROUTINE(potrf)(0, uplo, n, af, ldaf, info);
        *equed = 'N', *rcond = 0;
    }
    if (*info != 0)
        return;
    SOLVED(n, nrhs, ROUTINE(potrs)(0, uplo, n, nrhs, af, ldaf, x, ldx, &ignored),
           OWN(pocon)(uplo, n, af, ldaf, size, rcond, &ignored))
}

static void OWN(gbsvx)(char fact, char trans, int64_t n, int64_t kl, int64_t ku, int64_t nrhs, const T *ab, int64_t ldab,
                       T *afb, int64_t ldafb, int *ipiv, char *equed, const T *b, int64_t ldb, T *x, int64_t ldx, REAL *rcond,
                       REAL *ferr, REAL *berr, int *info) {
    int ignored;
    char kind = is_plain(trans) ? '1' : 'I';
    REAL size = OWN(norm)(kind, banded(n, kl, ku, ldab), ab);
    *info = 0;
    if (!is_factored(fact, *equed)) {
        OWN(lacpy)('A', kl + ku + 1, n, ab, ldab, afb + kl, ldafb);
        *info = OWN(gbtrf)(n, n, kl, ku, afb, ldafb, ipiv);
        *equed = 'N', *rcond = 0;
    }
    if (*info != 0)
        return;
    SOLVED(n, nrhs, OWN(gbtrs)(trans, n, kl, ku, nrhs, afb, ldafb, ipiv, x, ldx),
           OWN(gbcon)(kind, n, kl, ku, afb, ldafb, ipiv, size, rcond, &ignored))
}

INLINED void F_NAME(gesvx)(const char *fact, const char *trans, const int *n, const int *nrhs, T *a, const int *lda, T *af,
                           const int *ldaf, int *ipiv, char *equed, REAL *r, REAL *c, T *b, const int *ldb, T *x, const int *ldx,
                           REAL *rcond, REAL *ferr, REAL *berr, CONDITION_WORK, int *info) {
    OWN(gesvx)(*fact, *trans, *n, *nrhs, a, *lda, af, *ldaf, ipiv, equed, b, *ldb, x, *ldx, rcond, ferr, berr, info);
}
INLINED void F_NAME(posvx)(const char *fact, const char *uplo, const int *n, const int *nrhs, T *a, const int *lda, T *af,
                           const int *ldaf, char *equed, REAL *s, T *b, const int *ldb, T *x, const int *ldx, REAL *rcond,
                           REAL *ferr, REAL *berr, CONDITION_WORK, int *info) {
    OWN(posvx)(*fact, *uplo, *n, *nrhs, a, *lda, af, *ldaf, equed, b, *ldb, x, *ldx, rcond, ferr, berr, info);
}
INLINED void F_NAME(gbsvx)(const char *fact, const char *trans, const int *n, const int *kl, const int *ku, const int *nrhs,
                           T *ab, const int *ldab, T *afb, const int *ldafb, int *ipiv, char *equed, REAL *r, REAL *c, T *b,
                           const int *ldb, T *x, const int *ldx, REAL *rcond, REAL *ferr, REAL *berr, CONDITION_WORK, int *info) {
    OWN(gbsvx)(*fact, *trans, *n, *kl, *ku, *nrhs, ab, *ldab, afb, *ldafb, ipiv, equed, b, *ldb, x, *ldx, rcond, ferr, berr,
               info);
}
