/* BLAS, level 3, for one real type T with the letter P.
 *
 * The formulas are those of M. Giles, "Collected matrix derivative results for forward and reverse mode algorithmic
 * differentiation" (2008), with the options of BLAS. In comments, A' is the adjoint of A in REVERSE and its tangent in
 * FORWARD, and A^T the transpose. REVERSE of C = f(A) + beta C has three steps: A' gets its part, then beta', then C'
 * becomes beta C'. With beta = 0, BLAS does not read C, which may hold anything: beta' gets nothing. */

/* -- gemm: C = alpha op(A) op(B) + beta C */

#define GEMM(V, R, W, I)                                                                                          \
    V(char, ta) V(char, tb) V(int64_t, m) V(int64_t, n) V(int64_t, k) R(alpha) R(a) V(int64_t, lda) R(b)          \
        V(int64_t, ldb) R(beta) W(c) V(int64_t, ldc)
#define ROWS(TRANS, ROWS, COLUMNS) is_plain(TRANS) ? ROWS : COLUMNS, is_plain(TRANS) ? COLUMNS : ROWS

void ROUTINE(gemm) PLAIN(GEMM) {
    T sum = *alpha + *beta + OWN(read)(a, ROWS(ta, m, k), lda) + OWN(read)(b, ROWS(tb, k, n), ldb);
    OWN(change)(c, m, n, ldc, sum);
}

void NATIVE(gemm) PLAIN(GEMM) {
    CALL(gemm, &ta, &tb, INT(m), INT(n), INT(k), alpha, a, INT(lda), b, INT(ldb), beta, c, INT(ldc), 1, 1);
}

static ALWAYS_INLINE KEPT SAVED(gemm) SAVING(GEMM) {
    KEPT s = {0};
    OWN(keep)(&s, 4, 1, UNCHANGED(6), alpha, 1, 1, 1, tape, moment == BEFORE);
    OWN(keep)(&s, 5, 1, UNCHANGED(11), beta, 1, 1, 1, tape, moment == BEFORE);
    OWN(keep)(&s, 0, db || dalpha, UNCHANGED(7), a, ROWS(ta, m, k), lda, tape, moment == BEFORE);
    OWN(keep)(&s, 1, da || dalpha, UNCHANGED(9), b, ROWS(tb, k, n), ldb, tape, moment == BEFORE);
    OWN(keep)(&s, 2, !!dbeta, 0, c, m, n, ldc, tape, moment == BEFORE);
    return s;
}

/* C = op(A) op(B) f + g C, with numbers by value */
static ALWAYS_INLINE void OWN(gemm)(int64_t library, char ta, char tb, int64_t m, int64_t n, int64_t k, T f, const T *a,
                                    int64_t lda, const T *b, int64_t ldb, T g, T *c, int64_t ldc) {
    ROUTINE(gemm)(library, ta, tb, m, n, k, &f, a, lda, b, ldb, &g, c, ldc);
}

/* The triangle of C gets f op(A) op(B), where C has the order n: rectangles beside the diagonal, and blocks on it. */
static ALWAYS_INLINE void OWN(gemm_triangle)(int64_t library, char uplo, int is_strict, char ta, char tb, int64_t n,
                                             int64_t k, T f, const T *a, int64_t lda, const T *b, int64_t ldb, T *c,
                                             int64_t ldc) {
    int64_t row = is_plain(ta) ? 1 : lda, column = is_plain(tb) ? ldb : 1, step = n < 64 ? at_least_1(n) : 64;
    T *block = OWN(new)(step, step);
    for (int64_t j = 0; j < n; j += step) {
        int64_t size = n - j < step ? n - j : step, first = is_upper(uplo) ? 0 : j + size;
        int64_t rows = is_upper(uplo) ? j : n - j - size;
        if (rows)
            OWN(gemm)(library, ta, tb, rows, size, k, f, a + first * row, lda, b + j * column, ldb, 1,
                      c + first + j * ldc, ldc);
        OWN(gemm)(library, ta, tb, size, size, k, f, a + j * row, lda, b + j * column, ldb, 0, block, step);
        OWN(add_triangle)(uplo, is_strict, c + j + j * ldc, ldc, block, step, size, 1);
    }
    free(block);
}

/* C += C^T */
static ALWAYS_INLINE void OWN(add_transpose)(T *c, int64_t n, int64_t ldc) {
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i <= j; i++)
            c[i + j * ldc] = c[j + i * ldc] = c[i + j * ldc] + c[j + i * ldc];
}

/* C = f A A^T, or f A^T A, of real numbers: A' gets one product with C' + C'^T in the place of two. C' is 0 afterwards,
 * so the sum may take its place. */
static ALWAYS_INLINE void OWN(reverse_own_product)(int64_t library, char ta, int64_t n, int64_t k, T f, MATRIX A, T *dc,
                                                   int64_t ldc, T *da, int64_t lda) {
    OWN(add_transpose)(dc, n, ldc);
    if (is_plain(ta))
        OWN(gemm)(library, 'N', 'N', n, k, n, f, dc, ldc, A.at, A.ld, 1, da, lda);
    else
        OWN(gemm)(library, 'N', 'N', k, n, n, f, A.at, A.ld, dc, ldc, 1, da, lda);
}

void REVERSE(gemm) DERIVING(GEMM) {
    if (!dc)
        return;
    KEPT s = SAVED_OF(gemm, GEMM);
    alpha = s.m[4].at, beta = s.m[5].at;
    MATRIX A = s.m[0], B = s.m[1], C = s.m[2];
    int is_square = A.at == B.at && A.ld == B.ld && da == db && lda == ldb && m == n && is_plain(ta) != is_plain(tb);
    if (da && is_square && IS_REAL && *beta == 0 && !dalpha) {
        OWN(reverse_own_product)(library, ta, n, k, *alpha, A, dc, ldc, da, lda);
        da = db = NULL;
    }
    if (da && is_plain(ta))
        OWN(gemm)(library, 'N', other(tb), m, k, n, *alpha, dc, ldc, B.at, B.ld, 1, da, lda);
    else if (da)
        OWN(gemm)(library, tb, 'T', k, m, n, *alpha, B.at, B.ld, dc, ldc, 1, da, lda);
    if (db && is_plain(tb))
        OWN(gemm)(library, other(ta), 'N', k, n, m, *alpha, A.at, A.ld, dc, ldc, 1, db, ldb);
    else if (db)
        OWN(gemm)(library, 'T', ta, n, k, m, *alpha, dc, ldc, A.at, A.ld, 1, db, ldb);
    if (dalpha) {
        T *product = OWN(new)(m, n);
        OWN(gemm)(library, ta, tb, m, n, k, 1, A.at, A.ld, B.at, B.ld, 0, product, at_least_1(m));
        *dalpha += OWN(dot)(dc, ldc, product, m, m, n);
        free(product);
    }
    if (dbeta && *beta != 0)
        *dbeta += OWN(dot)(dc, ldc, C.at, C.ld, m, n);
    OWN(scale)(dc, m, n, ldc, *beta);
}

void FORWARD(gemm) DERIVING(GEMM) {
    if (!dc)
        return;
    KEPT s = SAVED_OF(gemm, GEMM);
    alpha = s.m[4].at, beta = s.m[5].at;
    MATRIX A = s.m[0], B = s.m[1], C = s.m[2];
    OWN(scale)(dc, m, n, ldc, *beta);
    if (dbeta && *beta != 0)
        OWN(add)(dc, ldc, C.at, C.ld, m, n, *dbeta);
    if (dalpha)
        OWN(gemm)(library, ta, tb, m, n, k, *dalpha, A.at, A.ld, B.at, B.ld, 1, dc, ldc);
    if (da)
        OWN(gemm)(library, ta, tb, m, n, k, *alpha, da, lda, B.at, B.ld, 1, dc, ldc);
    if (db)
        OWN(gemm)(library, ta, tb, m, n, k, *alpha, A.at, A.ld, db, ldb, 1, dc, ldc);
}
DERIVATIVE(gemm, GEMM)

/* -- symm: C = alpha A B + beta C, or alpha B A + beta C (side R), with A symmetric */

#define SYMM(V, R, W, I)                                                                                          \
    V(char, side) V(char, uplo) V(int64_t, m) V(int64_t, n) R(alpha) R(a) V(int64_t, lda) R(b) V(int64_t, ldb)    \
        R(beta) W(c) V(int64_t, ldc)
#define ORDER (is_left(side) ? m : n) /* of A */

void ROUTINE(symm) PLAIN(SYMM) {
    T sum = *alpha + *beta + OWN(read)(a, ORDER, ORDER, lda) + OWN(read)(b, m, n, ldb);
    OWN(change)(c, m, n, ldc, sum);
}

void NATIVE(symm) PLAIN(SYMM) {
    CALL(symm, &side, &uplo, INT(m), INT(n), alpha, a, INT(lda), b, INT(ldb), beta, c, INT(ldc), 1, 1);
}

static ALWAYS_INLINE KEPT SAVED(symm) SAVING(SYMM) {
    KEPT s = {0};
    OWN(keep)(&s, 4, 1, UNCHANGED(5), alpha, 1, 1, 1, tape, moment == BEFORE);
    OWN(keep)(&s, 5, 1, UNCHANGED(10), beta, 1, 1, 1, tape, moment == BEFORE);
    OWN(keep)(&s, 0, db || dalpha, UNCHANGED(6), a, ORDER, ORDER, lda, tape, moment == BEFORE);
    OWN(keep)(&s, 1, da || dalpha, UNCHANGED(8), b, m, n, ldb, tape, moment == BEFORE);
    OWN(keep)(&s, 2, !!dbeta, 0, c, m, n, ldc, tape, moment == BEFORE);
    return s;
}

static ALWAYS_INLINE void OWN(symm)(int64_t library, char side, char uplo, int64_t m, int64_t n, T f, const T *a,
                                    int64_t lda, const T *b, int64_t ldb, T g, T *c, int64_t ldc) {
    ROUTINE(symm)(library, side, uplo, m, n, &f, a, lda, b, ldb, &g, c, ldc);
}

#define SYR2K(V, R, W, I)                                                                                         \
    V(char, uplo) V(char, trans) V(int64_t, n) V(int64_t, k) R(alpha) R(a) V(int64_t, lda) R(b) V(int64_t, ldb)   \
        R(beta) W(c) V(int64_t, ldc)
void ROUTINE(syr2k) PLAIN(SYR2K);

/* The triangle of G + G^T, with the diagonal of G, is added to A', where G = f X Y^T. op N: X and Y have n rows and k
 * columns; T: n columns and k rows, and G = f X^T Y. */
static ALWAYS_INLINE void OWN(add_symmetric)(int64_t library, char uplo, char trans, int64_t n, int64_t k, T f, const T *x,
                                             int64_t ldx, const T *y, int64_t ldy, T *da, int64_t lda) {
    T one = 1;
    ROUTINE(syr2k)(library, uplo, trans, n, k, &f, x, ldx, y, ldy, &one, da, lda);
    int64_t across = is_plain(trans) ? 1 : ldx, along = is_plain(trans) ? ldx : 1;
    int64_t across_y = is_plain(trans) ? 1 : ldy, along_y = is_plain(trans) ? ldy : 1;
    for (int64_t i = 0; i < n; i++) {
        T sum = 0;
        for (int64_t l = 0; l < k; l++)
            sum += x[i * across + l * along] * y[i * across_y + l * along_y];
        da[i + i * lda] -= f * sum;
    }
}

void REVERSE(symm) DERIVING(SYMM) {
    if (!dc)
        return;
    KEPT s = SAVED_OF(symm, SYMM);
    alpha = s.m[4].at, beta = s.m[5].at;
    MATRIX A = s.m[0], B = s.m[1], C = s.m[2];
    if (da && is_left(side))
        OWN(add_symmetric)(library, uplo, 'N', m, n, *alpha, dc, ldc, B.at, B.ld, da, lda);
    else if (da)
        OWN(add_symmetric)(library, uplo, 'T', n, m, *alpha, B.at, B.ld, dc, ldc, da, lda);
    if (db)
        OWN(symm)(library, side, uplo, m, n, *alpha, A.at, A.ld, dc, ldc, 1, db, ldb);
    if (dalpha) {
        T *product = OWN(new)(m, n);
        OWN(symm)(library, side, uplo, m, n, 1, A.at, A.ld, B.at, B.ld, 0, product, at_least_1(m));
        *dalpha += OWN(dot)(dc, ldc, product, m, m, n);
        free(product);
    }
    if (dbeta && *beta != 0)
        *dbeta += OWN(dot)(dc, ldc, C.at, C.ld, m, n);
    OWN(scale)(dc, m, n, ldc, *beta);
}

void FORWARD(symm) DERIVING(SYMM) {
    if (!dc)
        return;
    KEPT s = SAVED_OF(symm, SYMM);
    alpha = s.m[4].at, beta = s.m[5].at;
    MATRIX A = s.m[0], B = s.m[1], C = s.m[2];
    OWN(scale)(dc, m, n, ldc, *beta);
    if (dbeta && *beta != 0)
        OWN(add)(dc, ldc, C.at, C.ld, m, n, *dbeta);
    if (dalpha)
        OWN(symm)(library, side, uplo, m, n, *dalpha, A.at, A.ld, B.at, B.ld, 1, dc, ldc);
    if (da)
        OWN(symm)(library, side, uplo, m, n, *alpha, da, lda, B.at, B.ld, 1, dc, ldc);
    if (db)
        OWN(symm)(library, side, uplo, m, n, *alpha, A.at, A.ld, db, ldb, 1, dc, ldc);
}
DERIVATIVE(symm, SYMM)

/* -- syrk: the triangle of C = alpha A A^T + beta C, or alpha A^T A + beta C (trans T) */

#define SYRK(V, R, W, I)                                                                                          \
    V(char, uplo) V(char, trans) V(int64_t, n) V(int64_t, k) R(alpha) R(a) V(int64_t, lda) R(beta) W(c)           \
        V(int64_t, ldc)

void ROUTINE(syrk) PLAIN(SYRK) {
    T sum = *alpha + *beta + OWN(read)(a, ROWS(trans, n, k), lda);
    OWN(change)(c, n, n, ldc, sum);
}

void NATIVE(syrk) PLAIN(SYRK) {
    CALL(syrk, &uplo, &trans, INT(n), INT(k), alpha, a, INT(lda), beta, c, INT(ldc), 1, 1);
}

static ALWAYS_INLINE KEPT SAVED(syrk) SAVING(SYRK) {
    KEPT s = {0};
    OWN(keep)(&s, 4, 1, UNCHANGED(5), alpha, 1, 1, 1, tape, moment == BEFORE);
    OWN(keep)(&s, 5, 1, UNCHANGED(8), beta, 1, 1, 1, tape, moment == BEFORE);
    OWN(keep)(&s, 0, da || dalpha, UNCHANGED(6), a, ROWS(trans, n, k), lda, tape, moment == BEFORE);
    OWN(keep)(&s, 1, !!dbeta, 0, c, n, n, ldc, tape, moment == BEFORE);
    return s;
}

/* A' += f (S + S^T) B, or f B (S + S^T) (trans T), where S is the triangle of C' */
static ALWAYS_INLINE void OWN(add_both_sides)(int64_t library, char uplo, char trans, int64_t n, int64_t k, T f,
                                              const T *dc, int64_t ldc, const T *b, int64_t ldb, T *da, int64_t lda) {
    T *sum = OWN(whole)(uplo, dc, ldc, n, 2);
    if (is_plain(trans))
        OWN(symm)(library, 'L', uplo, n, k, f, sum, at_least_1(n), b, ldb, 1, da, lda);
    else
        OWN(symm)(library, 'R', uplo, k, n, f, sum, at_least_1(n), b, ldb, 1, da, lda);
    free(sum);
}

void REVERSE(syrk) DERIVING(SYRK) {
    if (!dc)
        return;
    KEPT s = SAVED_OF(syrk, SYRK);
    alpha = s.m[4].at, beta = s.m[5].at;
    MATRIX A = s.m[0], C = s.m[1];
    if (da)
        OWN(add_both_sides)(library, uplo, trans, n, k, *alpha, dc, ldc, A.at, A.ld, da, lda);
    if (dalpha) {
        T *product = OWN(new)(n, n), one = 1, none = 0;
        ROUTINE(syrk)(library, uplo, trans, n, k, &one, A.at, A.ld, &none, product, at_least_1(n));
        *dalpha += OWN(dot_triangle)(uplo, dc, ldc, product, n, n);
        free(product);
    }
    if (dbeta && *beta != 0)
        *dbeta += OWN(dot_triangle)(uplo, dc, ldc, C.at, C.ld, n);
    OWN(scale_triangle)(uplo, dc, ldc, n, *beta);
}

void FORWARD(syrk) DERIVING(SYRK) {
    if (!dc)
        return;
    KEPT s = SAVED_OF(syrk, SYRK);
    alpha = s.m[4].at, beta = s.m[5].at;
    MATRIX A = s.m[0], C = s.m[1];
    T one = 1;
    OWN(scale_triangle)(uplo, dc, ldc, n, *beta);
    if (dbeta && *beta != 0)
        OWN(add_triangle)(uplo, 0, dc, ldc, C.at, C.ld, n, *dbeta);
    if (dalpha)
        ROUTINE(syrk)(library, uplo, trans, n, k, dalpha, A.at, A.ld, &one, dc, ldc);
    if (da)
        ROUTINE(syr2k)(library, uplo, trans, n, k, alpha, da, lda, A.at, A.ld, &one, dc, ldc);
}
DERIVATIVE(syrk, SYRK)

/* -- syr2k: the triangle of C = alpha (A B^T + B A^T) + beta C, or alpha (A^T B + B^T A) + beta C (trans T) */

void ROUTINE(syr2k) PLAIN(SYR2K) {
    T sum = *alpha + *beta + OWN(read)(a, ROWS(trans, n, k), lda) + OWN(read)(b, ROWS(trans, n, k), ldb);
    OWN(change)(c, n, n, ldc, sum);
}

void NATIVE(syr2k) PLAIN(SYR2K) {
    CALL(syr2k, &uplo, &trans, INT(n), INT(k), alpha, a, INT(lda), b, INT(ldb), beta, c, INT(ldc), 1, 1);
}

static ALWAYS_INLINE KEPT SAVED(syr2k) SAVING(SYR2K) {
    KEPT s = {0};
    OWN(keep)(&s, 4, 1, UNCHANGED(5), alpha, 1, 1, 1, tape, moment == BEFORE);
    OWN(keep)(&s, 5, 1, UNCHANGED(10), beta, 1, 1, 1, tape, moment == BEFORE);
    OWN(keep)(&s, 0, db || dalpha, UNCHANGED(6), a, ROWS(trans, n, k), lda, tape, moment == BEFORE);
    OWN(keep)(&s, 1, da || dalpha, UNCHANGED(8), b, ROWS(trans, n, k), ldb, tape, moment == BEFORE);
    OWN(keep)(&s, 2, !!dbeta, 0, c, n, n, ldc, tape, moment == BEFORE);
    return s;
}

void REVERSE(syr2k) DERIVING(SYR2K) {
    if (!dc)
        return;
    KEPT s = SAVED_OF(syr2k, SYR2K);
    alpha = s.m[4].at, beta = s.m[5].at;
    MATRIX A = s.m[0], B = s.m[1], C = s.m[2];
    if (da)
        OWN(add_both_sides)(library, uplo, trans, n, k, *alpha, dc, ldc, B.at, B.ld, da, lda);
    if (db)
        OWN(add_both_sides)(library, uplo, trans, n, k, *alpha, dc, ldc, A.at, A.ld, db, ldb);
    if (dalpha) {
        T *product = OWN(new)(n, n), one = 1, none = 0;
        ROUTINE(syr2k)(library, uplo, trans, n, k, &one, A.at, A.ld, B.at, B.ld, &none, product, at_least_1(n));
        *dalpha += OWN(dot_triangle)(uplo, dc, ldc, product, n, n);
        free(product);
    }
    if (dbeta && *beta != 0)
        *dbeta += OWN(dot_triangle)(uplo, dc, ldc, C.at, C.ld, n);
    OWN(scale_triangle)(uplo, dc, ldc, n, *beta);
}

void FORWARD(syr2k) DERIVING(SYR2K) {
    if (!dc)
        return;
    KEPT s = SAVED_OF(syr2k, SYR2K);
    alpha = s.m[4].at, beta = s.m[5].at;
    MATRIX A = s.m[0], B = s.m[1], C = s.m[2];
    T one = 1;
    OWN(scale_triangle)(uplo, dc, ldc, n, *beta);
    if (dbeta && *beta != 0)
        OWN(add_triangle)(uplo, 0, dc, ldc, C.at, C.ld, n, *dbeta);
    if (dalpha)
        ROUTINE(syr2k)(library, uplo, trans, n, k, dalpha, A.at, A.ld, B.at, B.ld, &one, dc, ldc);
    if (da)
        ROUTINE(syr2k)(library, uplo, trans, n, k, alpha, da, lda, B.at, B.ld, &one, dc, ldc);
    if (db)
        ROUTINE(syr2k)(library, uplo, trans, n, k, alpha, A.at, A.ld, db, ldb, &one, dc, ldc);
}
DERIVATIVE(syr2k, SYR2K)

/* -- trmm: B = alpha op(A) B, or alpha B op(A) (side R), with A triangular */

#define TRMM(V, R, W, I)                                                                                          \
    V(char, side) V(char, uplo) V(char, trans) V(char, diag) V(int64_t, m) V(int64_t, n) R(alpha) R(a)            \
        V(int64_t, lda) W(b) V(int64_t, ldb)

void ROUTINE(trmm) PLAIN(TRMM) {
    OWN(change)(b, m, n, ldb, *alpha + OWN(read)(a, ORDER, ORDER, lda));
}

void NATIVE(trmm) PLAIN(TRMM) {
    CALL(trmm, &side, &uplo, &trans, &diag, INT(m), INT(n), alpha, a, INT(lda), b, INT(ldb), 1, 1, 1, 1);
}

static ALWAYS_INLINE KEPT SAVED(trmm) SAVING(TRMM) {
    KEPT s = {0};
    OWN(keep)(&s, 4, 1, UNCHANGED(7), alpha, 1, 1, 1, tape, moment == BEFORE);
    OWN(keep)(&s, 0, db || dalpha, UNCHANGED(8), a, ORDER, ORDER, lda, tape, moment == BEFORE);
    OWN(keep)(&s, 1, da || dalpha, 0, b, m, n, ldb, tape, moment == BEFORE);
    return s;
}

static ALWAYS_INLINE void OWN(trmm)(int64_t library, char side, char uplo, char trans, char diag, int64_t m, int64_t n,
                                    T f, const T *a, int64_t lda, T *b, int64_t ldb) {
    ROUTINE(trmm)(library, side, uplo, trans, diag, m, n, &f, a, lda, b, ldb);
}

/* The triangle of A' gets f X Y^T (side L) or f X^T Y (side R), transposed with op T. A unit diagonal gets nothing. */
static ALWAYS_INLINE void OWN(add_outer)(int64_t library, char side, char uplo, char trans, char diag, int64_t m, int64_t n,
                                         T f, const T *x, int64_t ldx, const T *y, int64_t ldy, T *da, int64_t lda) {
    const T *first = is_plain(trans) ? x : y, *second = is_plain(trans) ? y : x;
    int64_t ld1 = is_plain(trans) ? ldx : ldy, ld2 = is_plain(trans) ? ldy : ldx;
    char ta = is_left(side) ? 'N' : 'T';
    OWN(gemm_triangle)
    (library, uplo, is_unit(diag), ta, other(ta), ORDER, is_left(side) ? n : m, f, first, ld1, second, ld2, da, lda);
}

void REVERSE(trmm) DERIVING(TRMM) {
    if (!db)
        return;
    KEPT s = SAVED_OF(trmm, TRMM);
    alpha = s.m[4].at;
    MATRIX A = s.m[0], B = s.m[1];
    if (da && is_left(side))
        OWN(add_outer)(library, side, uplo, trans, diag, m, n, *alpha, db, ldb, B.at, B.ld, da, lda);
    else if (da)
        OWN(add_outer)(library, side, uplo, trans, diag, m, n, *alpha, B.at, B.ld, db, ldb, da, lda);
    OWN(trmm)(library, side, uplo, other(trans), diag, m, n, 1, A.at, A.ld, db, ldb);
    if (dalpha)
        *dalpha += OWN(dot)(db, ldb, B.at, B.ld, m, n);
    OWN(scale)(db, m, n, ldb, *alpha);
}

/* B' += f op(A') X or f X op(A'); a unit diagonal has no tangent */
static ALWAYS_INLINE void OWN(add_product)(int64_t library, char side, char uplo, char trans, char diag, int64_t m,
                                           int64_t n, T f, const T *da, int64_t lda, const T *x, int64_t ldx, T *db,
                                           int64_t ldb) {
    T *product = OWN(copy)(x, m, n, ldx);
    OWN(trmm)(library, side, uplo, trans, diag, m, n, 1, da, lda, product, at_least_1(m));
    OWN(add)(db, ldb, product, m, m, n, f);
    if (is_unit(diag))
        OWN(add)(db, ldb, x, ldx, m, n, -f);
    free(product);
}

void FORWARD(trmm) DERIVING(TRMM) {
    if (!db)
        return;
    KEPT s = SAVED_OF(trmm, TRMM);
    alpha = s.m[4].at;
    MATRIX A = s.m[0], B = s.m[1];
    OWN(scale)(db, m, n, ldb, *alpha);
    if (dalpha)
        OWN(add)(db, ldb, B.at, B.ld, m, n, *dalpha);
    OWN(trmm)(library, side, uplo, trans, diag, m, n, 1, A.at, A.ld, db, ldb);
    if (da)
        OWN(add_product)(library, side, uplo, trans, diag, m, n, *alpha, da, lda, B.at, B.ld, db, ldb);
}
DERIVATIVE(trmm, TRMM)

/* -- trsm: op(A) X = alpha B, or X op(A) = alpha B (side R), with A triangular; X takes the place of B */

void ROUTINE(trsm) PLAIN(TRMM) {
    OWN(change)(b, m, n, ldb, *alpha + OWN(read)(a, ORDER, ORDER, lda));
}

void NATIVE(trsm) PLAIN(TRMM) {
    CALL(trsm, &side, &uplo, &trans, &diag, INT(m), INT(n), alpha, a, INT(lda), b, INT(ldb), 1, 1, 1, 1);
}

static ALWAYS_INLINE KEPT SAVED(trsm) SAVING(TRMM) {
    KEPT s = {0};
    OWN(keep)(&s, 4, 1, UNCHANGED(7), alpha, 1, 1, 1, tape, moment == BEFORE);
    OWN(keep)(&s, 0, !!db, UNCHANGED(8), a, ORDER, ORDER, lda, tape, moment == BEFORE);
    OWN(keep)(&s, 1, !!da, UNCHANGED(10), b, m, n, ldb, tape, moment == AFTER);
    OWN(keep)(&s, 2, !!dalpha, 0, b, m, n, ldb, tape, moment == BEFORE);
    return s;
}

static ALWAYS_INLINE void OWN(trsm)(int64_t library, char side, char uplo, char trans, char diag, int64_t m, int64_t n,
                                    T f, const T *a, int64_t lda, T *b, int64_t ldb) {
    ROUTINE(trsm)(library, side, uplo, trans, diag, m, n, &f, a, lda, b, ldb);
}

void REVERSE(trsm) DERIVING(TRMM) {
    if (!db)
        return;
    KEPT s = SAVED_OF(trsm, TRMM);
    alpha = s.m[4].at;
    MATRIX A = s.m[0], X = s.m[1], B = s.m[2];
    OWN(trsm)(library, side, uplo, other(trans), diag, m, n, 1, A.at, A.ld, db, ldb);
    if (da && is_left(side))
        OWN(add_outer)(library, side, uplo, trans, diag, m, n, -1, db, ldb, X.at, X.ld, da, lda);
    else if (da)
        OWN(add_outer)(library, side, uplo, trans, diag, m, n, -1, X.at, X.ld, db, ldb, da, lda);
    if (dalpha)
        *dalpha += OWN(dot)(db, ldb, B.at, B.ld, m, n);
    OWN(scale)(db, m, n, ldb, *alpha);
}

void FORWARD(trsm) DERIVING(TRMM) {
    if (!db)
        return;
    KEPT s = SAVED_OF(trsm, TRMM);
    alpha = s.m[4].at;
    MATRIX A = s.m[0], X = s.m[1], B = s.m[2];
    OWN(scale)(db, m, n, ldb, *alpha);
    if (dalpha)
        OWN(add)(db, ldb, B.at, B.ld, m, n, *dalpha);
    if (da)
        OWN(add_product)(library, side, uplo, trans, diag, m, n, -1, da, lda, X.at, X.ld, db, ldb);
    OWN(trsm)(library, side, uplo, trans, diag, m, n, 1, A.at, A.ld, db, ldb);
}
DERIVATIVE(trsm, TRMM)
