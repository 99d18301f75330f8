/* BLAS, level 3, for one type T with the letter P: general and triangular matrices.
 *
 * The formulas are those of M. Giles, "Collected matrix derivative results for forward and reverse mode algorithmic
 * differentiation" (2008), with the options of BLAS. In comments, A' is the adjoint of A in REVERSE and its tangent in
 * FORWARD, A^T the transpose, A^H its conjugate, and /f the conjugate of f. REVERSE of C = f(A) + beta C has three steps:
 * A' gets its part, then beta', then C' becomes /beta C'. */

/* -- gemm: C = alpha op(A) op(B) + beta C */

#define GEMM(V, R, W, I)                                                                                          \
    V(char, ta) V(char, tb) V(int64_t, m) V(int64_t, n) V(int64_t, k) R(alpha) R(a) V(int64_t, lda) R(b)          \
        V(int64_t, ldb) R(beta) W(c) V(int64_t, ldc)
#define ORDER (is_left(side) ? m : n) /* of A, which is square */
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

/* what op(A) is without the letter R, and A itself otherwise: rows and columns are those of op(A) */
static ALWAYS_INLINE MATRIX OWN(operand)(char op, int64_t rows, int64_t columns, const T *a, int64_t lda) {
    MATRIX given = {a, lda};
    return is_plain(op) && is_conjugated(op) ? OWN(conjugate_of)(given, rows, columns) : given;
}

/* C = op(A) op(B) f + g C, with numbers by value */
static ALWAYS_INLINE void OWN(gemm)(int64_t library, char ta, char tb, int64_t m, int64_t n, int64_t k, T f, const T *a,
                                    int64_t lda, const T *b, int64_t ldb, T g, T *c, int64_t ldc) {
    MATRIX A = OWN(operand)(ta, m, k, a, lda), B = OWN(operand)(tb, k, n, b, ldb);
    ROUTINE(gemm)(library, without_conjugate(ta), without_conjugate(tb), m, n, k, &f, A.at, A.ld, B.at, B.ld, &g, c, ldc);
    OWN(release)(A, (MATRIX){a, lda});
    OWN(release)(B, (MATRIX){b, ldb});
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

/* what REVERSE and FORWARD of C = f(A, B) + beta C start with */
#define OPERANDS(NAME, LIST)                                                                                      \
    if (!dc)                                                                                                      \
        return;                                                                                                   \
    KEPT s = SAVED_OF(NAME, LIST);                                                                                \
    __attribute__((unused)) MATRIX A = s.m[0], B = s.m[1], C = s.m[2];                                            \
    alpha = s.m[4].at, beta = s.m[5].at;

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

/* op(A)' = /alpha C' op(B)^H, op(B)' = /alpha op(A)^H C' */
void REVERSE(gemm) DERIVING(GEMM) {
    OPERANDS(gemm, GEMM)
    char b_of_a = is_conjugated(ta) ? tb : conjugated(tb), a_of_b = is_conjugated(tb) ? ta : conjugated(ta);
    T f_of_a = is_conjugated(ta) ? *alpha : CONJ(*alpha), f_of_b = is_conjugated(tb) ? *alpha : CONJ(*alpha);
    int is_square = A.at == B.at && A.ld == B.ld && da == db && lda == ldb && m == n && is_plain(ta) != is_plain(tb);
    if (da && is_square && !IS_COMPLEX && *beta == 0 && !dalpha) {
        OWN(reverse_own_product)(library, ta, n, k, *alpha, A, dc, ldc, da, lda);
        da = db = NULL;
    }
    if (da && is_plain(ta))
        OWN(gemm)(library, ta, transposed(b_of_a), m, k, n, f_of_a, dc, ldc, B.at, B.ld, 1, da, lda);
    else if (da)
        OWN(gemm)(library, b_of_a, ta, k, m, n, f_of_a, B.at, B.ld, dc, ldc, 1, da, lda);
    if (db && is_plain(tb))
        OWN(gemm)(library, transposed(a_of_b), tb, k, n, m, f_of_b, A.at, A.ld, dc, ldc, 1, db, ldb);
    else if (db)
        OWN(gemm)(library, tb, a_of_b, n, k, m, f_of_b, dc, ldc, A.at, A.ld, 1, db, ldb);
    if (dalpha) {
        T *product = OWN(new)(m, n);
        OWN(gemm)(library, ta, tb, m, n, k, 1, A.at, A.ld, B.at, B.ld, 0, product, at_least_1(m));
        *dalpha += OWN(dot)(dc, ldc, product, m, m, n);
        free(product);
    }
    OWN(reverse_beta)(m, n, C, beta, dbeta, dc, ldc);
}

void FORWARD(gemm) DERIVING(GEMM) {
    OPERANDS(gemm, GEMM)
    OWN(forward_beta)(m, n, C, beta, dbeta, dc, ldc);
    if (dalpha)
        OWN(gemm)(library, ta, tb, m, n, k, *dalpha, A.at, A.ld, B.at, B.ld, 1, dc, ldc);
    if (da)
        OWN(gemm)(library, ta, tb, m, n, k, *alpha, da, lda, B.at, B.ld, 1, dc, ldc);
    if (db)
        OWN(gemm)(library, ta, tb, m, n, k, *alpha, A.at, A.ld, db, ldb, 1, dc, ldc);
}
DERIVATIVE(gemm, GEMM)

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
    int is_of_conjugate = is_plain(trans) && is_conjugated(trans);
    T factor = is_of_conjugate ? CONJ(f) : f;
    if (is_of_conjugate)
        OWN(conjugate)(b, m, n, ldb);
    ROUTINE(trmm)(library, side, uplo, without_conjugate(trans), diag, m, n, &factor, a, lda, b, ldb);
    if (is_of_conjugate)
        OWN(conjugate)(b, m, n, ldb);
}

/* The triangle of A' gets its part of op(A)' = f D B^H, or f B^H D (side R). A unit diagonal gets nothing. */
static ALWAYS_INLINE void OWN(add_outer)(int64_t library, char side, char uplo, char trans, char diag, int64_t m, int64_t n,
                                         T f, MATRIX D, MATRIX B, T *da, int64_t lda) {
    int is_of_conjugates = is_plain(trans) == is_conjugated(trans);
    MATRIX d = is_of_conjugates && is_plain(trans) ? OWN(conjugate_of)(D, m, n) : D;
    MATRIX b = is_of_conjugates && !is_plain(trans) ? OWN(conjugate_of)(B, m, n) : B;
    int is_d_first = is_left(side) == is_plain(trans);
    MATRIX first = is_d_first ? d : b, second = is_d_first ? b : d;
    char turned = is_of_conjugates ? 'T' : 'C', ta = is_left(side) ? 'N' : turned, tb = is_left(side) ? turned : 'N';
    OWN(gemm_triangle)
    (library, uplo, is_unit(diag), ta, tb, ORDER, is_left(side) ? n : m, is_conjugated(trans) ? CONJ(f) : f, first.at,
     first.ld, second.at, second.ld, da, lda);
    OWN(release)(d, D);
    OWN(release)(b, B);
}

void REVERSE(trmm) DERIVING(TRMM) {
    if (!db)
        return;
    KEPT s = SAVED_OF(trmm, TRMM);
    alpha = s.m[4].at;
    MATRIX A = s.m[0], B = s.m[1];
    if (da)
        OWN(add_outer)(library, side, uplo, trans, diag, m, n, CONJ(*alpha), (MATRIX){db, ldb}, B, da, lda);
    OWN(trmm)(library, side, uplo, adjoint(trans), diag, m, n, 1, A.at, A.ld, db, ldb);
    if (dalpha)
        *dalpha += OWN(dot)(db, ldb, B.at, B.ld, m, n);
    OWN(scale)(db, m, n, ldb, CONJ(*alpha));
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
    int is_of_conjugate = is_plain(trans) && is_conjugated(trans);
    T factor = is_of_conjugate ? CONJ(f) : f;
    if (is_of_conjugate)
        OWN(conjugate)(b, m, n, ldb);
    ROUTINE(trsm)(library, side, uplo, without_conjugate(trans), diag, m, n, &factor, a, lda, b, ldb);
    if (is_of_conjugate)
        OWN(conjugate)(b, m, n, ldb);
}

void REVERSE(trsm) DERIVING(TRMM) {
    if (!db)
        return;
    KEPT s = SAVED_OF(trsm, TRMM);
    alpha = s.m[4].at;
    MATRIX A = s.m[0], X = s.m[1], B = s.m[2];
    OWN(trsm)(library, side, uplo, adjoint(trans), diag, m, n, 1, A.at, A.ld, db, ldb);
    if (da)
        OWN(add_outer)(library, side, uplo, trans, diag, m, n, -1, (MATRIX){db, ldb}, X, da, lda);
    if (dalpha)
        *dalpha += OWN(dot)(db, ldb, B.at, B.ld, m, n);
    OWN(scale)(db, m, n, ldb, CONJ(*alpha));
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
