/* LAPACK's factorisation of symmetric or Hermitian matrices that are not definite, and what uses it, for one type T with the
 * letter P. HERMITIAN says which (lapack_indefinite.h). */

#undef KIND
#if HERMITIAN
#define KIND(NAME) he##NAME
#else
#define KIND(NAME) sy##NAME
#endif

#define INDEFINITE_F(V, R, W, I) V(char, uplo) V(int64_t, n) W(a) V(int64_t, lda) I(ipiv) I(info)
#define INDEFINITE_S(V, R, W, I)                                                                                  \
    V(char, uplo) V(int64_t, n) V(int64_t, nrhs) R(a) V(int64_t, lda) I(ipiv) W(b) V(int64_t, ldb) I(info)

extern void FORTRAN(P, KIND(trf))(const char *, const int *, T *, const int *, int *, T *, const int *, int *, size_t);
extern void FORTRAN(P, KIND(trs))(const char *, const int *, const int *, const T *, const int *, const int *, T *,
                                  const int *, int *, size_t);
extern void FORTRAN(P, KIND(tri))(const char *, const int *, T *, const int *, const int *, T *, int *, size_t);

/* -- factors */

void ROUTINE(KIND(trf)) PLAIN(INDEFINITE_F) {
    T sum = OWN(read)(a, n, n, lda);
    OWN(change)(a, n, n, lda, sum);
    for (int64_t i = 0; i < n; i++)
        ipiv[i] = sum != sum;
    *info = sum != sum;
}

void NATIVE(KIND(trf)) PLAIN(INDEFINITE_F) {
    T size;
    CALL(KIND(trf), &uplo, INT(n), a, INT(lda), ipiv, &size, INT(-1), info, 1);
    T *work = malloc(at_least_1((int64_t)size) * sizeof(T));
    CALL(KIND(trf), &uplo, INT(n), a, INT(lda), ipiv, work, INT((int64_t)size), info, 1);
    free(work);
}

static ALWAYS_INLINE KEPT SAVED(KIND(trf)) SAVING(INDEFINITE_F) {
    KEPT s = {0};
    OWN(keep)(&s, 0, !!da, UNCHANGED(3), a, n, n, lda, tape, moment == AFTER);
    OWN(keep_integers)(&s, 1, !!da, ipiv, n, tape, moment == AFTER);
    OWN(keep_integers)(&s, 2, !!da, info, 1, tape, moment == AFTER);
    return s;
}

/* With F = L^-1 A' L^-*: D' is its blocks on the diagonal, L' = L M D^-1, where M is what is below these. So the adjoint of F
 * is D' + (what is below the blocks of L^* L' D^-1), and that of A is L^-* F' L^-1. */
void REVERSE(KIND(trf)) DERIVING(INDEFINITE_F) {
    KEPT s = SAVED_OF(KIND(trf), INDEFINITE_F);
    if (!da || n <= 0 || s.m[2].at[0] != 0)
        return;
    FACTORS order = OWN(exchanges)(HERMITIAN, uplo, n, s.m[1].at);
    FACTORS f = OWN(conjugated_factors)(OWN(unpack)(order, s.m[0].at, s.m[0].ld, 1)), g = OWN(unpack)(order, da, lda, 0);
    char star = OWN(star)(f);
    T *ignored = OWN(new)(2 * n, 1);
    OWN(trmm)(library, 'L', 'L', star, 'U', n, n, 1, f.l, n, g.l, n);
    T *m = OWN(turned)(f, g.l), *x;
    OWN(times_d)(f, 1, m, n);
    x = OWN(turned)(f, m);
    OWN(split)(f, x, ignored, ignored + n);
    for (int64_t k = 0; k < n; k++) {
        x[k + k * n] = g.d[k];
        if (f.is_pair[k])
            x[k + 1 + k * n] = g.e[k];
    }
    OWN(trsm)(library, 'L', 'L', star, 'U', n, n, 1, f.l, n, x, n);
    OWN(trsm)(library, 'R', 'L', 'N', 'U', n, n, 1, f.l, n, x, n);
    OWN(put_ordered)(f, x, 1, da, lda);
    OWN(free_parts)(g);
    OWN(free_factors)(f);
    free(ignored);
    free(m);
    free(x);
}

void FORWARD(KIND(trf)) DERIVING(INDEFINITE_F) {
    KEPT s = SAVED_OF(KIND(trf), INDEFINITE_F);
    if (!da || n <= 0 || s.m[2].at[0] != 0)
        return;
    FACTORS f = OWN(unpack)(OWN(exchanges)(HERMITIAN, uplo, n, s.m[1].at), s.m[0].at, s.m[0].ld, 1), g = f;
    T *x = OWN(ordered_whole)(f, da, lda, 1);
    g.d = OWN(new)(n, 1), g.e = OWN(new)(n, 1);
    OWN(trsm)(library, 'L', 'L', 'N', 'U', n, n, 1, f.l, n, x, n);
    OWN(trsm)(library, 'R', 'L', OWN(star)(f), 'U', n, n, 1, f.l, n, x, n);
    OWN(split)(f, x, g.d, g.e);
    T *m = OWN(turned)(f, x);
    OWN(times_d)(f, 1, m, n);
    g.l = OWN(turned)(f, m);
    OWN(trmm)(library, 'L', 'L', 'N', 'U', n, n, 1, f.l, n, g.l, n);
    OWN(pack)(g, 0, da, lda);
    OWN(free_parts)(g);
    OWN(free_factors)(f);
    free(x);
    free(m);
}
DERIVATIVE(KIND(trf), INDEFINITE_F)

/* -- solutions: A X = B with the factors of A; X takes the place of B */

void ROUTINE(KIND(trs)) PLAIN(INDEFINITE_S) {
    T sum = OWN(read)(a, n, n, lda);
    for (int64_t i = 0; i < n; i++)
        sum += ipiv[i];
    OWN(change)(b, n, nrhs, ldb, sum);
    *info = 0;
}

void NATIVE(KIND(trs)) PLAIN(INDEFINITE_S) { CALL(KIND(trs), &uplo, INT(n), INT(nrhs), a, INT(lda), ipiv, b, INT(ldb), info, 1); }

/* The same memory is needed as of factors of LU. */
static ALWAYS_INLINE KEPT SAVED(KIND(trs)) SAVING(INDEFINITE_S) {
    return SAVED(getrs)(EZ_GIVEN_PAIRS(INDEFINITE_S), tape, moment);
}

void REVERSE(KIND(trs)) DERIVING(INDEFINITE_S) {
    KEPT s = SAVED_OF(KIND(trs), INDEFINITE_S);
    MATRIX A = s.m[0], X = s.m[2];
    int64_t ignored;
    if (!db || n <= 0 || nrhs <= 0)
        return;
    int *pivots = OWN(integers)(s.m[1].at, n);
    OWN(conjugate_unless)(HERMITIAN, db, n, nrhs, ldb); /* the adjoint of A^-1 is the conjugate of A^-1 if A is symmetric */
    ROUTINE(KIND(trs))(library, uplo, n, nrhs, A.at, A.ld, pivots, db, ldb, (int *)&ignored);
    OWN(conjugate_unless)(HERMITIAN, db, n, nrhs, ldb);
    free(pivots);
    if (!da)
        return;
    FACTORS f = OWN(conjugated_factors)(OWN(unpack)(OWN(exchanges)(HERMITIAN, uplo, n, s.m[1].at), A.at, A.ld, 1));
    T *y = OWN(ordered)(f, 0, db, ldb, nrhs), *x = OWN(ordered)(f, 0, X.at, X.ld, nrhs);
    OWN(conjugate_unless)(HERMITIAN, x, n, nrhs, n);
    FACTORS g = OWN(factors_of_product)(library, f, y, x, nrhs);
    OWN(pack)(g, 1, da, lda);
    OWN(free_parts)(g);
    OWN(free_factors)(f);
    free(x);
    free(y);
}

void FORWARD(KIND(trs)) DERIVING(INDEFINITE_S) {
    KEPT s = SAVED_OF(KIND(trs), INDEFINITE_S);
    MATRIX A = s.m[0], X = s.m[2];
    int64_t ignored;
    if (!db || n <= 0 || nrhs <= 0)
        return;
    int *pivots = OWN(integers)(s.m[1].at, n);
    if (da) {
        FACTORS order = OWN(exchanges)(HERMITIAN, uplo, n, s.m[1].at);
        FACTORS f = OWN(unpack)(order, A.at, A.ld, 1), g = OWN(unpack)(order, da, lda, 0);
        T *x = OWN(ordered)(f, 0, X.at, X.ld, nrhs), *w = OWN(tangent_times)(library, f, g, x, nrhs);
        T *outer = OWN(ordered)(f, 1, w, n, nrhs);
        OWN(add)(db, ldb, outer, n, n, nrhs, -1);
        OWN(free_parts)(g);
        OWN(free_factors)(f);
        free(x);
        free(w);
        free(outer);
    }
    ROUTINE(KIND(trs))(library, uplo, n, nrhs, A.at, A.ld, pivots, db, ldb, (int *)&ignored);
    free(pivots);
}
DERIVATIVE(KIND(trs), INDEFINITE_S)

/* -- inverses: the triangle of A^-1 takes the place of the factors */

void ROUTINE(KIND(tri)) PLAIN(INDEFINITE_F) {
    T sum = OWN(read)(a, n, n, lda);
    for (int64_t i = 0; i < n; i++)
        sum += ipiv[i];
    OWN(change)(a, n, n, lda, sum);
    *info = sum != sum;
}

void NATIVE(KIND(tri)) PLAIN(INDEFINITE_F) {
    T *work = malloc(at_least_1(n) * sizeof(T));
    CALL(KIND(tri), &uplo, INT(n), a, INT(lda), ipiv, work, info, 1);
    free(work);
}

/* The same memory is needed as of the inverse by LU, whose parameters begin after `uplo`. */
static ALWAYS_INLINE KEPT SAVED(KIND(tri)) SAVING(INDEFINITE_F) {
    return SAVED(getri)(library, n, a, da, lda, ipiv, dipiv, info, dinfo, unchanged >> 1, tape, moment);
}

/* X = A^-1: A' = -X^H X' X^H = -Y X^H with Y = X^H X', where X^H is X or its conjugate */
void REVERSE(KIND(tri)) DERIVING(INDEFINITE_F) {
    KEPT s = SAVED_OF(KIND(tri), INDEFINITE_F);
    if (!da || n <= 0 || s.m[3].at[0] != 0)
        return;
    FACTORS f = OWN(conjugated_factors)(OWN(unpack)(OWN(exchanges)(HERMITIAN, uplo, n, s.m[2].at), s.m[1].at, s.m[1].ld, 1));
    T *x = OWN(ordered_whole)(f, s.m[0].at, s.m[0].ld, 1), *dx = OWN(ordered_whole)(f, da, lda, 0.5f), *y = OWN(new)(n, n);
    OWN(conjugate_unless)(HERMITIAN, x, n, n, n);
    OWN(gemm)(library, 'N', 'N', n, n, n, 1, x, n, dx, n, 0, y, n);
    FACTORS g = OWN(factors_of_product)(library, f, y, x, n);
    OWN(pack)(g, 0, da, lda);
    OWN(free_parts)(g);
    OWN(free_factors)(f);
    free(x);
    free(dx);
    free(y);
}

/* X' = -X A' X */
void FORWARD(KIND(tri)) DERIVING(INDEFINITE_F) {
    KEPT s = SAVED_OF(KIND(tri), INDEFINITE_F);
    if (!da || n <= 0 || s.m[3].at[0] != 0)
        return;
    FACTORS order = OWN(exchanges)(HERMITIAN, uplo, n, s.m[2].at);
    FACTORS f = OWN(unpack)(order, s.m[1].at, s.m[1].ld, 1), g = OWN(unpack)(order, da, lda, 0);
    T *x = OWN(ordered_whole)(f, s.m[0].at, s.m[0].ld, 1), *w = OWN(tangent_times)(library, f, g, x, n), *y = OWN(new)(n, n);
    OWN(gemm)(library, 'N', 'N', n, n, n, -1, x, n, w, n, 0, y, n);
    OWN(put_ordered)(f, y, 0.5f, da, lda);
    OWN(free_parts)(g);
    OWN(free_factors)(f);
    free(x);
    free(w);
    free(y);
}
DERIVATIVE(KIND(tri), INDEFINITE_F)

/* -- names */

static int OWN(KIND(sv))(char uplo, int64_t n, int64_t nrhs, T *a, int64_t lda, int *ipiv, T *b, int64_t ldb) {
    int info, ignored;
    ROUTINE(KIND(trf))(0, uplo, n, a, lda, ipiv, &info);
    if (info == 0)
        ROUTINE(KIND(trs))(0, uplo, n, nrhs, a, lda, ipiv, b, ldb, &ignored);
    return info;
}

INLINED void F_NAME(KIND(trf))(const char *uplo, const int *n, T *a, const int *lda, int *ipiv, T *work, const int *lwork,
                           int *info) {
    IF_ASKED(*n, ROUTINE(KIND(trf))(0, *uplo, *n, a, *lda, ipiv, info))
}
INLINED void F_NAME(KIND(trs))(const char *uplo, const int *n, const int *nrhs, const T *a, const int *lda, const int *ipiv,
                           T *b, const int *ldb, int *info) {
    ROUTINE(KIND(trs))(0, *uplo, *n, *nrhs, a, *lda, (int *)ipiv, b, *ldb, info);
}
INLINED void F_NAME(KIND(sv))(const char *uplo, const int *n, const int *nrhs, T *a, const int *lda, int *ipiv, T *b,
                          const int *ldb, T *work, const int *lwork, int *info) {
    IF_ASKED(*n, *info = OWN(KIND(sv))(*uplo, *n, *nrhs, a, *lda, ipiv, b, *ldb))
}
INLINED void F_NAME(KIND(tri))(const char *uplo, const int *n, T *a, const int *lda, const int *ipiv, T *work, int *info) {
    ROUTINE(KIND(tri))(0, *uplo, *n, a, *lda, (int *)ipiv, info);
}

/* By rows, LAPACKE transposes the stored triangle. It stays the upper or the lower one: its factors are others. */
INLINED int E_NAME(KIND(trf))(int layout, char uplo, int n, T *a, int lda, int *ipiv) {
    int info;
#define SOLVE(A, LDA) ROUTINE(KIND(trf))(0, uplo, n, A, LDA, ipiv, &info);
    BY_COPY(a, lda, n, n, SOLVE)
#undef SOLVE
    return info;
}
INLINED int E_NAME(KIND(tri))(int layout, char uplo, int n, T *a, int lda, const int *ipiv) {
    int info;
#define SOLVE(A, LDA) ROUTINE(KIND(tri))(0, uplo, n, A, LDA, (int *)ipiv, &info);
    BY_COPY(a, lda, n, n, SOLVE)
#undef SOLVE
    return info;
}
INLINED int E_NAME(KIND(trs))(int layout, char uplo, int n, int nrhs, const T *a, int lda, const int *ipiv, T *b, int ldb) {
    int info;
    T *factors = OWN(copy)(a, n, n, lda);
    if (layout == BY_ROWS)
        OWN(transpose)(a, lda, n, n, factors, at_least_1(n));
#define SOLVE(B, LDB) ROUTINE(KIND(trs))(0, uplo, n, nrhs, factors, at_least_1(n), (int *)ipiv, B, LDB, &info);
    BY_COPY(b, ldb, n, nrhs, SOLVE)
#undef SOLVE
    free(factors);
    return info;
}
INLINED int E_NAME(KIND(sv))(int layout, char uplo, int n, int nrhs, T *a, int lda, int *ipiv, T *b, int ldb) {
    if (layout != BY_ROWS)
        return OWN(KIND(sv))(uplo, n, nrhs, a, lda, ipiv, b, ldb);
    T *factors = OWN(new)(n, n), *solved = OWN(new)(n, nrhs);
    OWN(transpose)(a, lda, n, n, factors, at_least_1(n));
    OWN(transpose)(b, ldb, nrhs, n, solved, at_least_1(n));
    int info = OWN(KIND(sv))(uplo, n, nrhs, factors, at_least_1(n), ipiv, solved, at_least_1(n));
    OWN(transpose)(factors, at_least_1(n), n, n, a, lda);
    OWN(transpose)(solved, at_least_1(n), n, nrhs, b, ldb);
    free(factors);
    free(solved);
    return info;
}
