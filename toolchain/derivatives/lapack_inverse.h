/* LAPACK's inverses of matrices from their factors, for one type T with the letter P.
 *
 * X = A^-1 has the adjoint A' = -X^H X' X^H and the tangent X' = -X A' X. */

/* C = -op(A) B op(A) of order n */
static ALWAYS_INLINE void OWN(sandwich)(int64_t library, char trans, int64_t n, const T *a, int64_t lda, const T *b,
                                        int64_t ldb, T *c, int64_t ldc) {
    int64_t ld = at_least_1(n);
    T *w = OWN(new)(n, n);
    OWN(gemm)(library, trans, 'N', n, n, n, -1, a, lda, b, ldb, 0, w, ld);
    OWN(gemm)(library, 'N', trans, n, n, n, 1, w, ld, a, lda, 0, c, ldc);
    free(w);
}

static ALWAYS_INLINE void OWN(clear_triangle)(char uplo, int is_strict, T *a, int64_t lda, int64_t n) {
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = OWN(first)(uplo, is_strict, j); i <= OWN(last)(uplo, is_strict, j, n); i++)
            a[i + j * lda] = 0;
}

/* -- trtri */

#define TRTRI(V, R, W, I) V(char, uplo) V(char, diag) V(int64_t, n) W(a) V(int64_t, lda) I(info)

void ROUTINE(trtri) PLAIN(TRTRI) {
    T sum = OWN(read)(a, n, n, lda);
    OWN(change)(a, n, n, lda, sum);
    *info = sum != sum;
}

void NATIVE(trtri) PLAIN(TRTRI) { CALL(trtri, &uplo, &diag, INT(n), a, INT(lda), info, 1, 1); }

static ALWAYS_INLINE KEPT SAVED(trtri) SAVING(TRTRI) {
    KEPT s = {0};
    OWN(keep)(&s, 0, !!da, UNCHANGED(4), a, n, n, lda, tape, moment == AFTER);
    OWN(keep_integers)(&s, 1, !!da, info, 1, tape, moment == AFTER);
    return s;
}

static ALWAYS_INLINE void OWN(derive_trtri)(int64_t library, char trans, char uplo, char diag, int64_t n, MATRIX x, T *da,
                                            int64_t lda) {
    int64_t ld = at_least_1(n), is_strict = is_unit(diag);
    T *inverse = OWN(triangle)(uplo, is_strict, x.at, x.ld, n), *g = OWN(triangle)(uplo, is_strict, da, lda, n);
    for (int64_t i = 0; is_strict && i < n; i++)
        inverse[i + i * n] = 1;
    OWN(sandwich)(library, trans, n, inverse, ld, g, ld, g, ld);
    OWN(clear_triangle)(uplo, is_strict, da, lda, n);
    OWN(add_triangle)(uplo, is_strict, da, lda, g, ld, n, 1);
    free(inverse);
    free(g);
}

void REVERSE(trtri) DERIVING(TRTRI) {
    KEPT s = SAVED_OF(trtri, TRTRI);
    if (da && s.m[1].at[0] == 0)
        OWN(derive_trtri)(library, 'C', uplo, diag, n, s.m[0], da, lda);
}

void FORWARD(trtri) DERIVING(TRTRI) {
    KEPT s = SAVED_OF(trtri, TRTRI);
    if (da && s.m[1].at[0] == 0)
        OWN(derive_trtri)(library, 'N', uplo, diag, n, s.m[0], da, lda);
}
DERIVATIVE(trtri, TRTRI)

/* -- potri: the triangle of A^-1 takes the place of the Cholesky factor */

#define POTRI(V, R, W, I) V(char, uplo) V(int64_t, n) W(a) V(int64_t, lda) I(info)

void ROUTINE(potri) PLAIN(POTRI) {
    T sum = OWN(read)(a, n, n, lda);
    OWN(change)(a, n, n, lda, sum);
    *info = sum != sum;
}

void NATIVE(potri) PLAIN(POTRI) { CALL(potri, &uplo, INT(n), a, INT(lda), info, 1); }

static ALWAYS_INLINE KEPT SAVED(potri) SAVING(POTRI) {
    KEPT s = {0};
    OWN(keep)(&s, 0, !!da, UNCHANGED(3), a, n, n, lda, tape, moment == AFTER);
    OWN(keep)(&s, 1, !!da, 0, a, n, n, lda, tape, moment == BEFORE);
    OWN(keep_integers)(&s, 2, !!da, info, 1, tape, moment == AFTER);
    return s;
}

/* The library reads the diagonal of the factor in part only: it must be real, as potrf leaves it. */
static ALWAYS_INLINE void OWN(check_factor)(int64_t n, MATRIX L) {
    for (int64_t i = 0; IS_COMPLEX && i < n; i++)
        __ez_refuse(__imag__ L.at[i + i * L.ld] != 0, "the inverse of a factor whose diagonal is not real (potri)");
}

/* L' = tril(2 A' L), U' = triu(2 U A'), where A' is -A^-1 X' A^-1, and X' is Hermitian with halves off the diagonal */
void REVERSE(potri) DERIVING(POTRI) {
    KEPT s = SAVED_OF(potri, POTRI);
    int64_t ld = at_least_1(n);
    if (!da || n <= 0 || s.m[2].at[0] != 0)
        return;
    OWN(check_factor)(n, s.m[1]);
    T *x = OWN(whole)(uplo, s.m[0].at, s.m[0].ld, n, 1), *g = OWN(whole)(uplo, da, lda, n, 2);
    OWN(sandwich)(library, 'N', n, x, ld, g, ld, g, ld);
    OWN(trmm)(library, is_upper(uplo) ? 'L' : 'R', uplo, 'N', 'N', n, n, 1, s.m[1].at, s.m[1].ld, g, ld);
    OWN(put_triangle)(uplo, da, lda, g, ld, n, 1);
    free(x);
    free(g);
}

void FORWARD(potri) DERIVING(POTRI) {
    KEPT s = SAVED_OF(potri, POTRI);
    int64_t ld = at_least_1(n);
    if (!da || n <= 0 || s.m[2].at[0] != 0)
        return;
    OWN(check_factor)(n, s.m[1]);
    T *x = OWN(whole)(uplo, s.m[0].at, s.m[0].ld, n, 1), *w = OWN(triangle)(uplo, 0, da, lda, n), *sum = OWN(new)(n, n);
    if (is_upper(uplo)) /* U'^H U */
        OWN(trmm)(library, 'L', uplo, 'C', 'N', n, n, 1, s.m[1].at, s.m[1].ld, w, ld);
    else /* L' L^H */
        OWN(trmm)(library, 'R', uplo, 'C', 'N', n, n, 1, s.m[1].at, s.m[1].ld, w, ld);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++)
            sum[i + j * n] = w[i + j * n] + CONJ(w[j + i * n]);
    OWN(sandwich)(library, 'N', n, x, ld, sum, ld, w, ld);
    OWN(put_triangle)(uplo, da, lda, w, ld, n, 1);
    free(x);
    free(w);
    free(sum);
}
DERIVATIVE(potri, POTRI)

/* -- getri: A^-1 takes the place of the factors of LU */

#define GETRI(V, R, W, I) V(int64_t, n) W(a) V(int64_t, lda) I(ipiv) I(info)

void ROUTINE(getri) PLAIN(GETRI) {
    T sum = OWN(read)(a, n, n, lda);
    for (int64_t i = 0; i < n; i++)
        sum += ipiv[i];
    OWN(change)(a, n, n, lda, sum);
    *info = sum != sum;
}

void NATIVE(getri) PLAIN(GETRI) {
    T size;
    CALL(getri, INT(n), a, INT(lda), ipiv, &size, INT(-1), info);
    T *work = malloc((size_t)size * sizeof(T));
    CALL(getri, INT(n), a, INT(lda), ipiv, work, INT((int64_t)size), info);
    free(work);
}

static ALWAYS_INLINE KEPT SAVED(getri) SAVING(GETRI) {
    KEPT s = {0};
    OWN(keep)(&s, 0, !!da, UNCHANGED(2), a, n, n, lda, tape, moment == AFTER);
    OWN(keep)(&s, 1, !!da, 0, a, n, n, lda, tape, moment == BEFORE);
    OWN(keep_integers)(&s, 2, !!da, ipiv, n, tape, moment == BEFORE);
    OWN(keep_integers)(&s, 3, !!da, info, 1, tape, moment == AFTER);
    return s;
}

/* With N = P A': L' = strict lower triangle of N U^H, U' = upper triangle of L^H N */
void REVERSE(getri) DERIVING(GETRI) {
    KEPT s = SAVED_OF(getri, GETRI);
    int64_t ld = at_least_1(n);
    if (!da || n <= 0 || s.m[3].at[0] != 0)
        return;
    T *lower = OWN(new)(n, n), *upper;
    OWN(sandwich)(library, 'C', n, s.m[0].at, s.m[0].ld, da, lda, lower, ld);
    OWN(exchange)(0, lower, ld, n, s.m[2].at, n);
    upper = OWN(copy)(lower, n, n, ld);
    OWN(trmm)(library, 'R', 'U', 'C', 'N', n, n, 1, s.m[1].at, s.m[1].ld, lower, ld);
    OWN(trmm)(library, 'L', 'L', 'C', 'U', n, n, 1, s.m[1].at, s.m[1].ld, upper, ld);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++)
            da[i + j * lda] = i > j ? lower[i + j * n] : upper[i + j * n];
    free(lower);
    free(upper);
}

void FORWARD(getri) DERIVING(GETRI) {
    KEPT s = SAVED_OF(getri, GETRI);
    MATRIX F = s.m[1];
    int64_t ld = at_least_1(n);
    if (!da || n <= 0 || s.m[3].at[0] != 0)
        return;
    T *lower = OWN(triangle)('L', 1, da, lda, n), *upper = OWN(triangle)('U', 0, da, lda, n); /* L' U + L U' */
    OWN(trmm)(library, 'R', 'U', 'N', 'N', n, n, 1, F.at, F.ld, lower, ld);
    OWN(trmm)(library, 'L', 'L', 'N', 'U', n, n, 1, F.at, F.ld, upper, ld);
    OWN(add)(lower, ld, upper, ld, n, n, 1);
    OWN(exchange)(1, lower, ld, n, s.m[2].at, n);
    OWN(sandwich)(library, 'N', n, s.m[0].at, s.m[0].ld, lower, ld, da, lda);
    free(lower);
    free(upper);
}
DERIVATIVE(getri, GETRI)

/* -- names */

INLINED void F_NAME(trtri)(const char *uplo, const char *diag, const int *n, T *a, const int *lda, int *info) {
    ROUTINE(trtri)(0, *uplo, *diag, *n, a, *lda, info);
}
INLINED int E_NAME(trtri)(int layout, char uplo, char diag, int n, T *a, int lda) {
    int info;
    ROUTINE(trtri)(0, by_columns(layout, uplo), diag, n, a, lda, &info);
    return info;
}
INLINED void F_NAME(potri)(const char *uplo, const int *n, T *a, const int *lda, int *info) {
    ROUTINE(potri)(0, *uplo, *n, a, *lda, info);
}
INLINED int E_NAME(potri)(int layout, char uplo, int n, T *a, int lda) {
    int info;
    ROUTINE(potri)(0, by_columns(layout, uplo), n, a, lda, &info);
    return info;
}
INLINED void F_NAME(getri)(const int *n, T *a, const int *lda, const int *ipiv, T *work, const int *lwork, int *info) {
    *info = 0;
    if (*lwork == -1)
        work[0] = at_least_1(*n);
    else
        ROUTINE(getri)(0, *n, a, *lda, (int *)ipiv, info);
}
INLINED int E_NAME(getri)(int layout, int n, T *a, int lda, const int *ipiv) {
    int info;
#define SOLVE(A, LDA) ROUTINE(getri)(0, n, A, LDA, (int *)ipiv, &info);
    BY_COPY(a, lda, n, n, SOLVE)
#undef SOLVE
    return info;
}
