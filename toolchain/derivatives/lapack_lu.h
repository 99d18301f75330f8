/* LAPACK's LU factorisation and what uses it, for one type T with the letter P.
 *
 * P A = L U, where P exchanges rows. The formulas for rectangular matrices are those of F. de Hoog, R. Anderssen and
 * M. Lukas, "Differentiation of matrix functionals using triangular factorization" (2011). */

#ifndef EZ_LAPACK_LU_H
#define EZ_LAPACK_LU_H
static ALWAYS_INLINE int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }
#endif

/* Exchanges rows as the factorisation did, or back. The numbers of rows count from 1. */
static ALWAYS_INLINE void OWN(exchange)(int is_back, T *a, int64_t lda, int64_t columns, const T *pivots, int64_t count) {
    for (int64_t l = 0; l < count; l++) {
        int64_t i = is_back ? count - 1 - l : l, other_row = (int64_t)pivots[i] - 1;
        for (int64_t j = 0; other_row != i && j < columns; j++) {
            T t = a[i + j * lda];
            a[i + j * lda] = a[other_row + j * lda];
            a[other_row + j * lda] = t;
        }
    }
}

/* The numbers of rows as the library takes them. */
static ALWAYS_INLINE int *OWN(integers)(const T *pivots, int64_t count) {
    int *made = malloc(at_least_1(count) * sizeof(int));
    for (int64_t i = 0; i < count; i++)
        made[i] = (int)pivots[i];
    return made;
}

/* V becomes the product of L' with it: L' has zeros on its diagonal, which stores that of U'. */
static ALWAYS_INLINE void OWN(strict_product)(int64_t library, char trans, int64_t n, int64_t columns, const T *dl,
                                              int64_t ld, T *v, int64_t ldv) {
    T *before = OWN(copy)(v, n, columns, ldv);
    OWN(trmm)(library, 'L', 'L', trans, 'U', n, columns, 1, dl, ld, v, ldv);
    OWN(add)(v, ldv, before, n, n, columns, -1);
    free(before);
}

/* -- getrf */

#define GETRF(V, R, W, I) V(int64_t, m) V(int64_t, n) W(a) V(int64_t, lda) I(ipiv) I(info)

void ROUTINE(getrf) PLAIN(GETRF) {
    T sum = OWN(read)(a, m, n, lda);
    OWN(change)(a, m, n, lda, sum);
    for (int64_t i = 0; i < m && i < n; i++)
        ipiv[i] = sum != sum;
    *info = sum != sum;
}

void NATIVE(getrf) PLAIN(GETRF) { CALL(getrf, INT(m), INT(n), a, INT(lda), ipiv, info); }

static ALWAYS_INLINE KEPT SAVED(getrf) SAVING(GETRF) {
    KEPT s = {0};
    OWN(keep)(&s, 0, !!da, UNCHANGED(3), a, m, n, lda, tape, moment == AFTER);
    OWN(keep_integers)(&s, 1, !!da, ipiv, smaller(m, n), tape, moment == AFTER);
    return s;
}

/* A' = L^-H (strict lower triangle of L^H L' + upper triangle of U' U^H) U^-H, for the square part */
static ALWAYS_INLINE void OWN(reverse_square)(int64_t library, int64_t n, const T *a, int64_t lda, T *da, int64_t ldda) {
    int64_t ld = at_least_1(n);
    T *lower = OWN(triangle)('L', 1, da, ldda, n), *upper = OWN(triangle)('U', 0, da, ldda, n);
    OWN(trmm)(library, 'L', 'L', 'C', 'U', n, n, 1, a, lda, lower, ld);
    OWN(trmm)(library, 'R', 'U', 'C', 'N', n, n, 1, a, lda, upper, ld);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++)
            da[i + j * ldda] = i > j ? lower[i + j * n] : upper[i + j * n];
    OWN(trsm)(library, 'L', 'L', 'C', 'U', n, n, 1, a, lda, da, ldda);
    OWN(trsm)(library, 'R', 'U', 'C', 'N', n, n, 1, a, lda, da, ldda);
    free(lower);
    free(upper);
}

/* A pivot that is zero is not divided by. Then the derivative follows the factorisation column by column, without blocks. The
 * factors have a derivative if no row is below this pivot: any other one takes its place when the numbers change. */
static ALWAYS_INLINE int OWN(is_singular)(int64_t k, const T *a, int64_t lda) {
    for (int64_t j = 0; j < k; j++)
        if (a[j + j * lda] == 0)
            return 1;
    return 0;
}

static void OWN(reverse_singular)(int64_t m, int64_t n, const T *a, int64_t lda, T *da, int64_t ldda) {
    for (int64_t j = smaller(m, n) - 1; j >= 0; j--) {
        T pivot = a[j + j * lda];
        for (int64_t c = j + 1; c < n; c++)
            for (int64_t i = j + 1; i < m; i++) {
                da[i + j * ldda] -= da[i + c * ldda] * CONJ(a[j + c * lda]);
                da[j + c * ldda] -= da[i + c * ldda] * CONJ(a[i + j * lda]);
            }
        __ez_refuse(pivot == 0 && j + 1 < m && !OWN(is_zero)(da + j + j * ldda, m - j, 1, ldda),
                    "LU factors have no derivative where a pivot other than the last one is zero (getrf, gesv)");
        for (int64_t i = j + 1; pivot != 0 && i < m; i++) {
            da[i + j * ldda] /= CONJ(pivot);
            da[j + j * ldda] -= da[i + j * ldda] * CONJ(a[i + j * lda]);
        }
    }
}

static void OWN(forward_singular)(int64_t m, int64_t n, const T *a, int64_t lda, T *da, int64_t ldda) {
    for (int64_t j = 0; j < smaller(m, n); j++) {
        T pivot = a[j + j * lda];
        for (int64_t i = j + 1; pivot != 0 && i < m; i++)
            da[i + j * ldda] = (da[i + j * ldda] - a[i + j * lda] * da[j + j * ldda]) / pivot;
        for (int64_t c = j + 1; c < n; c++)
            for (int64_t i = j + 1; i < m; i++)
                da[i + c * ldda] -= da[i + j * ldda] * a[j + c * lda] + a[i + j * lda] * da[j + c * ldda];
    }
}

/* By blocks, from the last to the first: A22 - L21 U12 comes after U12 = L11^-1 A12 and L21 = A21 U11^-1, and these after
 * the block on the diagonal. */
static ALWAYS_INLINE void OWN(reverse_blocks)(int64_t library, int64_t m, int64_t n, const T *a, int64_t lda, T *da,
                                              int64_t ldda) {
    for (int64_t end = smaller(m, n), begin; end > 0; end = begin) {
        begin = end > OWN(block) ? end - OWN(block) : 0;
        int64_t size = end - begin, below = m - end, beside = n - end;
        const T *D = a + begin + begin * lda, *L = a + end + begin * lda, *U = a + begin + end * lda;
        T *dD = da + begin + begin * ldda, *dL = da + end + begin * ldda, *dU = da + begin + end * ldda;
        const T *rest = da + end + end * ldda;
        if (below > 0 && beside > 0) {
            OWN(gemm)(library, 'N', 'C', below, size, beside, -1, rest, ldda, U, lda, 1, dL, ldda);
            OWN(gemm)(library, 'C', 'N', size, beside, below, -1, L, lda, rest, ldda, 1, dU, ldda);
        }
        if (beside > 0) {
            OWN(trsm)(library, 'L', 'L', 'C', 'U', size, beside, 1, D, lda, dU, ldda);
            OWN(gemm_triangle)(library, 'L', 1, 'N', 'C', size, beside, -1, dU, ldda, U, lda, dD, ldda);
        }
        if (below > 0) {
            OWN(trsm)(library, 'R', 'U', 'C', 'N', below, size, 1, D, lda, dL, ldda);
            OWN(gemm_triangle)(library, 'U', 0, 'C', 'N', size, below, -1, L, lda, dL, ldda, dD, ldda);
        }
        OWN(reverse_square)(library, size, D, lda, dD, ldda);
    }
}

static ALWAYS_INLINE void OWN(reverse_lu)(int64_t library, int64_t m, int64_t n, const T *a, int64_t lda, const T *pivots,
                                          T *da, int64_t ldda) {
    int64_t k = smaller(m, n);
    if (OWN(is_singular)(k, a, lda))
        OWN(reverse_singular)(m, n, a, lda, da, ldda);
    else
        OWN(reverse_blocks)(library, m, n, a, lda, da, ldda);
    OWN(exchange)(1, da, ldda, n, pivots, k);
}

void REVERSE(getrf) DERIVING(GETRF) {
    if (!da || m <= 0 || n <= 0)
        return;
    KEPT s = SAVED_OF(getrf, GETRF);
    OWN(reverse_lu)(library, m, n, s.m[0].at, s.m[0].ld, s.m[1].at, da, lda);
}

/* F = L^-1 P A' U^-1; L' = L (strict lower triangle of F), U' = (upper triangle of F) U */
static ALWAYS_INLINE void OWN(forward_lu)(int64_t library, int64_t m, int64_t n, const T *a, int64_t lda, const T *pivots,
                                          T *da, int64_t ldda) {
    int64_t k = smaller(m, n), ld = at_least_1(k);
    OWN(exchange)(0, da, ldda, n, pivots, k);
    if (OWN(is_singular)(k, a, lda)) {
        OWN(forward_singular)(m, n, a, lda, da, ldda);
        return;
    }
    OWN(trsm)(library, 'L', 'L', 'N', 'U', k, k, 1, a, lda, da, ldda);
    OWN(trsm)(library, 'R', 'U', 'N', 'N', k, k, 1, a, lda, da, ldda);
    T *lower = OWN(triangle)('L', 1, da, ldda, k), *upper = OWN(triangle)('U', 0, da, ldda, k);
    OWN(trmm)(library, 'L', 'L', 'N', 'U', k, k, 1, a, lda, lower, ld);
    OWN(trmm)(library, 'R', 'U', 'N', 'N', k, k, 1, a, lda, upper, ld);
    if (m > n) { /* L2' = (A2' - L2 U') U^-1 */
        OWN(gemm)(library, 'N', 'N', m - n, n, n, -1, a + n, lda, upper, ld, 1, da + n, ldda);
        OWN(trsm)(library, 'R', 'U', 'N', 'N', m - n, n, 1, a, lda, da + n, ldda);
    } else if (n > m) { /* U2' = L^-1 (A2' - L' U2) */
        OWN(gemm)(library, 'N', 'N', m, n - m, m, -1, lower, ld, a + m * lda, lda, 1, da + m * ldda, ldda);
        OWN(trsm)(library, 'L', 'L', 'N', 'U', m, n - m, 1, a, lda, da + m * ldda, ldda);
    }
    for (int64_t j = 0; j < k; j++)
        for (int64_t i = 0; i < k; i++)
            da[i + j * ldda] = i > j ? lower[i + j * k] : upper[i + j * k];
    free(lower);
    free(upper);
}

void FORWARD(getrf) DERIVING(GETRF) {
    if (!da || m <= 0 || n <= 0)
        return;
    KEPT s = SAVED_OF(getrf, GETRF);
    OWN(forward_lu)(library, m, n, s.m[0].at, s.m[0].ld, s.m[1].at, da, lda);
}
DERIVATIVE(getrf, GETRF)

/* -- getrs: op(A) X = B with the factors of A; X takes the place of B */

#define GETRS(V, R, W, I)                                                                                         \
    V(char, trans) V(int64_t, n) V(int64_t, nrhs) R(a) V(int64_t, lda) I(ipiv) W(b) V(int64_t, ldb) I(info)

void ROUTINE(getrs) PLAIN(GETRS) {
    T sum = OWN(read)(a, n, n, lda);
    for (int64_t i = 0; i < n; i++)
        sum += ipiv[i];
    OWN(change)(b, n, nrhs, ldb, sum);
    *info = 0;
}

void NATIVE(getrs) PLAIN(GETRS) {
    CALL(getrs, &trans, INT(n), INT(nrhs), a, INT(lda), ipiv, b, INT(ldb), info, 1);
}

static ALWAYS_INLINE KEPT SAVED(getrs) SAVING(GETRS) {
    KEPT s = {0};
    OWN(keep)(&s, 0, !!db, UNCHANGED(4), a, n, n, lda, tape, moment == BEFORE);
    OWN(keep_integers)(&s, 1, !!db, ipiv, n, tape, moment == BEFORE);
    OWN(keep)(&s, 2, !!da, UNCHANGED(7), b, n, nrhs, ldb, tape, moment == AFTER);
    return s;
}

/* Y = op(A)^-H X' is in db. The adjoints of L and U are parts of -(P Y)(U X)^H and -(L^H P Y) X^H; for the system with A^H,
 * X and Y change places. */
static ALWAYS_INLINE void OWN(add_to_factors)(int64_t library, int64_t n, int64_t nrhs, const T *a, int64_t lda,
                                              const T *pivots, const T *y, int64_t ldy, const T *x, int64_t ldx, T *da,
                                              int64_t ldda) {
    int64_t ld = at_least_1(n);
    T *py = OWN(copy)(y, n, nrhs, ldy), *ux = OWN(copy)(x, n, nrhs, ldx);
    OWN(exchange)(0, py, ld, nrhs, pivots, n);
    OWN(trmm)(library, 'L', 'U', 'N', 'N', n, nrhs, 1, a, lda, ux, ld);
    OWN(gemm_triangle)(library, 'L', 1, 'N', 'C', n, nrhs, -1, py, ld, ux, ld, da, ldda);
    OWN(trmm)(library, 'L', 'L', 'C', 'U', n, nrhs, 1, a, lda, py, ld);
    OWN(gemm_triangle)(library, 'U', 0, 'N', 'C', n, nrhs, -1, py, ld, x, ldx, da, ldda);
    free(py);
    free(ux);
}

static ALWAYS_INLINE void OWN(getrs)(int64_t library, char trans, int64_t n, int64_t nrhs, MATRIX factors, int *pivots, T *b,
                                     int64_t ldb) {
    int64_t ignored;
    int is_of_conjugate = is_plain(trans) && is_conjugated(trans);
    if (is_of_conjugate)
        OWN(conjugate)(b, n, nrhs, ldb);
    ROUTINE(getrs)
    (library, without_conjugate(trans), n, nrhs, factors.at, factors.ld, pivots, b, ldb, (int *)&ignored);
    if (is_of_conjugate)
        OWN(conjugate)(b, n, nrhs, ldb);
}

void REVERSE(getrs) DERIVING(GETRS) {
    if (!db)
        return;
    KEPT s = SAVED_OF(getrs, GETRS);
    MATRIX A = s.m[0], X = s.m[2];
    int *pivots = OWN(integers)(s.m[1].at, n);
    OWN(getrs)(library, adjoint(trans), n, nrhs, A, pivots, db, ldb);
    if (da) { /* for the transposed system, of the conjugates */
        MATRIX Y = {db, ldb}, y = Y, x = X;
        if (!is_plain(trans) && !is_conjugated(trans))
            y = OWN(conjugate_of)(Y, n, nrhs), x = OWN(conjugate_of)(X, n, nrhs);
        MATRIX first = is_plain(trans) ? y : x, second = is_plain(trans) ? x : y;
        OWN(add_to_factors)(library, n, nrhs, A.at, A.ld, s.m[1].at, first.at, first.ld, second.at, second.ld, da, lda);
        OWN(release)(y, Y);
        OWN(release)(x, X);
    }
    free(pivots);
}

/* B' -= op(A') X, where A' = P^T (L' U + L U') */
static ALWAYS_INLINE void OWN(subtract_product)(int64_t library, char trans, int64_t n, int64_t nrhs, const T *a,
                                                int64_t lda, const T *pivots, const T *da, int64_t ldda, const T *x,
                                                int64_t ldx, T *db, int64_t ldb) {
    int64_t ld = at_least_1(n);
    T *v = OWN(copy)(x, n, nrhs, ldx), *w = OWN(copy)(x, n, nrhs, ldx);
    if (is_plain(trans)) {
        OWN(trmm)(library, 'L', 'U', 'N', 'N', n, nrhs, 1, a, lda, v, ld);
        OWN(strict_product)(library, 'N', n, nrhs, da, ldda, v, ld);
        OWN(trmm)(library, 'L', 'U', 'N', 'N', n, nrhs, 1, da, ldda, w, ld);
        OWN(trmm)(library, 'L', 'L', 'N', 'U', n, nrhs, 1, a, lda, w, ld);
        OWN(add)(v, ld, w, ld, n, nrhs, 1);
        OWN(exchange)(1, v, ld, nrhs, pivots, n);
    } else {
        OWN(exchange)(0, v, ld, nrhs, pivots, n);
        OWN(exchange)(0, w, ld, nrhs, pivots, n);
        OWN(strict_product)(library, trans, n, nrhs, da, ldda, v, ld);
        OWN(trmm)(library, 'L', 'U', trans, 'N', n, nrhs, 1, a, lda, v, ld);
        OWN(trmm)(library, 'L', 'L', trans, 'U', n, nrhs, 1, a, lda, w, ld);
        OWN(trmm)(library, 'L', 'U', trans, 'N', n, nrhs, 1, da, ldda, w, ld);
        OWN(add)(v, ld, w, ld, n, nrhs, 1);
    }
    OWN(add)(db, ldb, v, ld, n, nrhs, -1);
    free(v);
    free(w);
}

void FORWARD(getrs) DERIVING(GETRS) {
    if (!db)
        return;
    KEPT s = SAVED_OF(getrs, GETRS);
    MATRIX A = s.m[0], X = s.m[2];
    int64_t ignored;
    int *pivots = OWN(integers)(s.m[1].at, n);
    if (da)
        OWN(subtract_product)(library, trans, n, nrhs, A.at, A.ld, s.m[1].at, da, lda, X.at, X.ld, db, ldb);
    ROUTINE(getrs)(library, trans, n, nrhs, A.at, A.ld, pivots, db, ldb, (int *)&ignored);
    free(pivots);
}
DERIVATIVE(getrs, GETRS)

/* -- gesv: getrf, then getrs. The adjoint of A comes from the solution, not through the factors. */

#define GESV(V, R, W, I)                                                                                          \
    V(int64_t, n) V(int64_t, nrhs) W(a) V(int64_t, lda) I(ipiv) W(b) V(int64_t, ldb) I(info)

void ROUTINE(gesv) PLAIN(GESV) {
    T sum = OWN(read)(a, n, n, lda);
    OWN(change)(b, n, nrhs, ldb, sum);
    OWN(change)(a, n, n, lda, sum);
    for (int64_t i = 0; i < n; i++)
        ipiv[i] = sum != sum;
    *info = sum != sum;
}

void NATIVE(gesv) PLAIN(GESV) { CALL(gesv, INT(n), INT(nrhs), a, INT(lda), ipiv, b, INT(ldb), info); }

static ALWAYS_INLINE KEPT SAVED(gesv) SAVING(GESV) {
    KEPT s = {0};
    OWN(keep)(&s, 0, 1, UNCHANGED(3), a, n, n, lda, tape, moment == AFTER);
    OWN(keep_integers)(&s, 1, 1, ipiv, n, tape, moment == AFTER);
    OWN(keep)(&s, 2, !!da, UNCHANGED(6), b, n, nrhs, ldb, tape, moment == AFTER);
    OWN(keep_integers)(&s, 3, 1, info, 1, tape, moment == AFTER);
    return s;
}

void REVERSE(gesv) DERIVING(GESV) {
    KEPT s = SAVED_OF(gesv, GESV);
    MATRIX A = s.m[0], X = s.m[2];
    if (n <= 0)
        return;
    if (da && !OWN(is_zero)(da, n, n, lda))
        OWN(reverse_lu)(library, n, n, A.at, A.ld, s.m[1].at, da, lda);
    if (s.m[3].at[0] != 0) /* B is left as it was */
        return;
    int64_t ignored;
    int *pivots = OWN(integers)(s.m[1].at, n);
    if (db)
        ROUTINE(getrs)(library, 'C', n, nrhs, A.at, A.ld, pivots, db, ldb, (int *)&ignored);
    if (da && db)
        OWN(gemm)(library, 'N', 'C', n, n, nrhs, -1, db, ldb, X.at, X.ld, 1, da, lda);
    free(pivots);
}

void FORWARD(gesv) DERIVING(GESV) {
    KEPT s = SAVED_OF(gesv, GESV);
    MATRIX A = s.m[0], X = s.m[2];
    if (n <= 0)
        return;
    int64_t ignored, is_solved = s.m[3].at[0] == 0;
    int *pivots = OWN(integers)(s.m[1].at, n);
    if (da && db && is_solved)
        OWN(gemm)(library, 'N', 'N', n, nrhs, n, -1, da, lda, X.at, X.ld, 1, db, ldb);
    if (db && is_solved)
        ROUTINE(getrs)(library, 'N', n, nrhs, A.at, A.ld, pivots, db, ldb, (int *)&ignored);
    if (da)
        OWN(forward_lu)(library, n, n, A.at, A.ld, s.m[1].at, da, lda);
    free(pivots);
}
DERIVATIVE(gesv, GESV)
