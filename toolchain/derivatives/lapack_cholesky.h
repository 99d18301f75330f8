/* LAPACK's Cholesky factorisation and what uses it, for one type T with the letter P.
 *
 * The adjoint by blocks is that of I. Murray, "Differentiation of the Cholesky decomposition" (2016). It takes twice the
 * arithmetic of the factorisation. Where the routine fails (info > 0), adjoints and tangents stay as they are. */

/* -- potrf: A = L L^H, or U^H U; the factor takes the place of the triangle */

#define POTRF(V, R, W, I) V(char, uplo) V(int64_t, n) W(a) V(int64_t, lda) I(info)

void ROUTINE(potrf) PLAIN(POTRF) {
    T sum = OWN(read)(a, n, n, lda);
    OWN(change)(a, n, n, lda, sum);
    *info = sum != sum;
}

void NATIVE(potrf) PLAIN(POTRF) { CALL(potrf, &uplo, INT(n), a, INT(lda), info, 1); }

static ALWAYS_INLINE KEPT SAVED(potrf) SAVING(POTRF) {
    KEPT s = {0};
    OWN(keep)(&s, 0, !!da, UNCHANGED(3), a, n, n, lda, tape, moment == AFTER);
    OWN(keep_integers)(&s, 1, !!da, info, 1, tape, moment == AFTER);
    return s;
}

/* The adjoint of one block: A' = P + P^H of P = L^-H phi(L^H L') L^-1, where phi is the lower triangle with half of the
 * diagonal. The triangle of A stands for both: off the diagonal, its adjoint is the sum of both. */
static ALWAYS_INLINE void OWN(reverse_block)(int64_t library, char uplo, int64_t n, const T *a, int64_t lda, T *da,
                                             int64_t ldda) {
    char near = is_upper(uplo) ? 'R' : 'L', first = is_upper(uplo) ? 'N' : 'C', second = adjoint(first);
    T *w = OWN(triangle)(uplo, 0, da, ldda, n);
    OWN(trmm)(library, near, uplo, 'C', 'N', n, n, 1, a, lda, w, n);
    T *sum = OWN(whole)(uplo, w, n, n, 1);
    OWN(trsm)(library, 'L', uplo, first, 'N', n, n, 1, a, lda, sum, n);
    OWN(trsm)(library, 'R', uplo, second, 'N', n, n, 1, a, lda, sum, n);
    OWN(put_triangle)(uplo, da, ldda, sum, n, n, 0.5f);
    free(w);
    free(sum);
}

enum { OWN(block) = 48 };

static ALWAYS_INLINE void OWN(reverse_cholesky)(int64_t library, char uplo, int64_t n, const T *a, int64_t lda, T *da,
                                                int64_t ldda) {
    for (int64_t end = n, begin; end > 0; end = begin) {
        begin = end > OWN(block) ? end - OWN(block) : 0;
        int64_t size = end - begin, rest = n - end;
        /* D is the block on the diagonal; R is left of D, C below D, B below R. In the upper triangle: transposed. */
        int64_t row = is_upper(uplo) ? lda : 1, column = is_upper(uplo) ? 1 : lda;
        int64_t drow = is_upper(uplo) ? ldda : 1, dcolumn = is_upper(uplo) ? 1 : ldda;
        const T *D = a + begin * row + begin * column, *R = a + begin * row, *C = a + end * row + begin * column;
        const T *B = a + end * row;
        T *dD = da + begin * drow + begin * dcolumn, *dR = da + begin * drow, *dC = da + end * drow + begin * dcolumn;
        T *dB = da + end * drow;
        if (is_upper(uplo)) {
            OWN(trsm)(library, 'L', 'U', 'N', 'N', size, rest, 1, D, lda, dC, ldda);
            OWN(gemm)(library, 'N', 'N', begin, rest, size, -1, R, lda, dC, ldda, 1, dB, ldda);
            OWN(gemm_triangle)(library, 'U', 0, 'N', 'C', size, rest, -1, C, lda, dC, ldda, dD, ldda);
        } else {
            OWN(trsm)(library, 'R', 'L', 'N', 'N', rest, size, 1, D, lda, dC, ldda);
            OWN(gemm)(library, 'N', 'N', rest, begin, size, -1, dC, ldda, R, lda, 1, dB, ldda);
            OWN(gemm_triangle)(library, 'L', 0, 'C', 'N', size, rest, -1, dC, ldda, C, lda, dD, ldda);
        }
        OWN(reverse_block)(library, uplo, size, D, lda, dD, ldda);
        T *sum = OWN(whole)(uplo, dD, ldda, size, 2);
        if (is_upper(uplo)) {
            OWN(gemm)(library, 'N', 'C', begin, size, rest, -1, B, lda, dC, ldda, 1, dR, ldda);
            OWN(gemm)(library, 'N', 'N', begin, size, size, -1, R, lda, sum, size, 1, dR, ldda);
        } else {
            OWN(gemm)(library, 'C', 'N', size, begin, rest, -1, dC, ldda, B, lda, 1, dR, ldda);
            OWN(gemm)(library, 'N', 'N', size, begin, size, -1, sum, size, R, lda, 1, dR, ldda);
        }
        free(sum);
    }
}

void REVERSE(potrf) DERIVING(POTRF) {
    if (!da)
        return;
    KEPT s = SAVED_OF(potrf, POTRF);
    if (s.m[1].at[0] == 0)
        OWN(reverse_cholesky)(library, uplo, n, s.m[0].at, s.m[0].ld, da, lda);
}

/* L' = L phi(L^-1 A' L^-H), or U' = phi(U^-H A' U^-1) U */
static ALWAYS_INLINE void OWN(forward_cholesky)(int64_t library, char uplo, int64_t n, const T *a, int64_t lda, T *da,
                                                int64_t ldda) {
    char first = is_upper(uplo) ? 'C' : 'N', near = is_upper(uplo) ? 'R' : 'L';
    T *sum = OWN(whole)(uplo, da, ldda, n, 1);
    OWN(trsm)(library, 'L', uplo, first, 'N', n, n, 1, a, lda, sum, at_least_1(n));
    OWN(trsm)(library, 'R', uplo, adjoint(first), 'N', n, n, 1, a, lda, sum, at_least_1(n));
    T *w = OWN(triangle)(uplo, 0, sum, at_least_1(n), n);
    for (int64_t i = 0; i < n; i++)
        w[i + i * n] *= 0.5f;
    OWN(trmm)(library, near, uplo, 'N', 'N', n, n, 1, a, lda, w, at_least_1(n));
    OWN(put_triangle)(uplo, da, ldda, w, at_least_1(n), n, 1);
    free(w);
    free(sum);
}

void FORWARD(potrf) DERIVING(POTRF) {
    if (!da)
        return;
    KEPT s = SAVED_OF(potrf, POTRF);
    if (s.m[1].at[0] == 0)
        OWN(forward_cholesky)(library, uplo, n, s.m[0].at, s.m[0].ld, da, lda);
}
DERIVATIVE(potrf, POTRF)

/* -- potrs: A X = B with the factor of A; X takes the place of B */

#define POTRS(V, R, W, I)                                                                                         \
    V(char, uplo) V(int64_t, n) V(int64_t, nrhs) R(a) V(int64_t, lda) W(b) V(int64_t, ldb) I(info)

void ROUTINE(potrs) PLAIN(POTRS) {
    OWN(change)(b, n, nrhs, ldb, OWN(read)(a, n, n, lda));
    *info = 0;
}

void NATIVE(potrs) PLAIN(POTRS) { CALL(potrs, &uplo, INT(n), INT(nrhs), a, INT(lda), b, INT(ldb), info, 1); }

static ALWAYS_INLINE KEPT SAVED(potrs) SAVING(POTRS) {
    KEPT s = {0};
    OWN(keep)(&s, 0, !!db, UNCHANGED(4), a, n, n, lda, tape, moment == BEFORE);
    OWN(keep)(&s, 1, !!da, UNCHANGED(6), b, n, nrhs, ldb, tape, moment == AFTER);
    return s;
}

void REVERSE(potrs) DERIVING(POTRS) {
    if (!db)
        return;
    KEPT s = SAVED_OF(potrs, POTRS);
    MATRIX A = s.m[0], X = s.m[1];
    int64_t ignored;
    ROUTINE(potrs)(library, uplo, n, nrhs, A.at, A.ld, db, ldb, (int *)&ignored);
    if (!da)
        return;
    /* Y = B'. The adjoint of A is -Y X^H; that of L is the triangle of -(Y X^H + X Y^H) L, that of U of -U (…). */
    char trans = is_upper(uplo) ? 'N' : 'C';
    int64_t ld = at_least_1(n);
    T *fx = OWN(copy)(X.at, n, nrhs, X.ld), *fy = OWN(copy)(db, n, nrhs, ldb);
    OWN(trmm)(library, 'L', uplo, trans, 'N', n, nrhs, 1, A.at, A.ld, fx, ld);
    OWN(trmm)(library, 'L', uplo, trans, 'N', n, nrhs, 1, A.at, A.ld, fy, ld);
    if (is_upper(uplo)) {
        OWN(gemm_triangle)(library, 'U', 0, 'N', 'C', n, nrhs, -1, fy, ld, X.at, X.ld, da, lda);
        OWN(gemm_triangle)(library, 'U', 0, 'N', 'C', n, nrhs, -1, fx, ld, db, ldb, da, lda);
    } else {
        OWN(gemm_triangle)(library, 'L', 0, 'N', 'C', n, nrhs, -1, db, ldb, fx, ld, da, lda);
        OWN(gemm_triangle)(library, 'L', 0, 'N', 'C', n, nrhs, -1, X.at, X.ld, fy, ld, da, lda);
    }
    free(fx);
    free(fy);
}

void FORWARD(potrs) DERIVING(POTRS) {
    if (!db)
        return;
    KEPT s = SAVED_OF(potrs, POTRS);
    MATRIX A = s.m[0], X = s.m[1];
    int64_t ignored;
    int64_t ld = at_least_1(n);
    if (da) { /* B' - A' X, where A' = L' L^H + L L'^H, or U'^H U + U^H U' */
        char first = is_upper(uplo) ? 'N' : 'C';
        T *w = OWN(copy)(X.at, n, nrhs, X.ld);
        OWN(trmm)(library, 'L', uplo, first, 'N', n, nrhs, 1, A.at, A.ld, w, ld);
        OWN(trmm)(library, 'L', uplo, adjoint(first), 'N', n, nrhs, 1, da, lda, w, ld);
        OWN(add)(db, ldb, w, ld, n, nrhs, -1);
        for (int64_t j = 0; j < nrhs; j++)
            memcpy(w + j * n, X.at + j * X.ld, n * sizeof(T));
        OWN(trmm)(library, 'L', uplo, first, 'N', n, nrhs, 1, da, lda, w, ld);
        OWN(trmm)(library, 'L', uplo, adjoint(first), 'N', n, nrhs, 1, A.at, A.ld, w, ld);
        OWN(add)(db, ldb, w, ld, n, nrhs, -1);
        free(w);
    }
    ROUTINE(potrs)(library, uplo, n, nrhs, A.at, A.ld, db, ldb, (int *)&ignored);
}
DERIVATIVE(potrs, POTRS)

/* -- posv: potrf, then potrs. The adjoint of A comes from the solution, not through the factor. */

#define POSV(V, R, W, I)                                                                                          \
    V(char, uplo) V(int64_t, n) V(int64_t, nrhs) W(a) V(int64_t, lda) W(b) V(int64_t, ldb) I(info)

void ROUTINE(posv) PLAIN(POSV) {
    T sum = OWN(read)(a, n, n, lda);
    OWN(change)(b, n, nrhs, ldb, sum);
    OWN(change)(a, n, n, lda, sum);
    *info = sum != sum;
}

void NATIVE(posv) PLAIN(POSV) { CALL(posv, &uplo, INT(n), INT(nrhs), a, INT(lda), b, INT(ldb), info, 1); }

static ALWAYS_INLINE KEPT SAVED(posv) SAVING(POSV) {
    KEPT s = {0};
    OWN(keep)(&s, 0, 1, UNCHANGED(4), a, n, n, lda, tape, moment == AFTER);
    OWN(keep)(&s, 1, !!da, UNCHANGED(6), b, n, nrhs, ldb, tape, moment == AFTER);
    OWN(keep_integers)(&s, 2, 1, info, 1, tape, moment == AFTER);
    return s;
}

void REVERSE(posv) DERIVING(POSV) {
    KEPT s = SAVED_OF(posv, POSV);
    MATRIX A = s.m[0], X = s.m[1];
    int64_t ignored;
    if (s.m[2].at[0] != 0)
        return;
    if (da && !OWN(is_zero)(da, n, n, lda))
        OWN(reverse_cholesky)(library, uplo, n, A.at, A.ld, da, lda);
    if (!db)
        return;
    ROUTINE(potrs)(library, uplo, n, nrhs, A.at, A.ld, db, ldb, (int *)&ignored);
    if (da)
        OWN(SELF_ADJOINT(add))(library, uplo, 'N', n, nrhs, -1, (MATRIX){db, ldb}, X, da, lda);
}

void FORWARD(posv) DERIVING(POSV) {
    KEPT s = SAVED_OF(posv, POSV);
    MATRIX A = s.m[0], X = s.m[1];
    int64_t ignored;
    if (s.m[2].at[0] != 0)
        return;
    if (db && da)
        OWN(SELF_ADJOINT(mm))(library, 'L', uplo, n, nrhs, -1, da, lda, X.at, X.ld, 1, db, ldb);
    if (db)
        ROUTINE(potrs)(library, uplo, n, nrhs, A.at, A.ld, db, ldb, (int *)&ignored);
    if (da)
        OWN(forward_cholesky)(library, uplo, n, A.at, A.ld, da, lda);
}
DERIVATIVE(posv, POSV)
