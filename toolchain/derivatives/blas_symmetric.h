/* BLAS, level 3, for one type T with the letter P: matrices that are equal to their transpose (HERMITIAN 0), or to their
 * adjoint (HERMITIAN 1). Complex types include this file twice. The diagonal of the latter is real: the library reads its
 * real part, and writes zero to the other. */

#if HERMITIAN
#define MM hemm
#define RK herk
#define R2K her2k
#define ADD_MIRRORED headd
#define ADD_BOTH_SIDES add_both_sides_hermitian
#define ADD_BY_ALPHA add_by_alpha_hermitian
#define TURNED 'C'
#define PART(SCALAR) ((const REAL *)(SCALAR)) /* of a number that is real */
#else
#define MM symm
#define RK syrk
#define R2K syr2k
#define ADD_MIRRORED syadd
#define ADD_BOTH_SIDES add_both_sides_symmetric
#define ADD_BY_ALPHA add_by_alpha_symmetric
#define TURNED 'T'
#define PART(SCALAR) SCALAR
#endif

#ifndef SYMM
#define SYMM(V, R, W, I)                                                                                          \
    V(char, side) V(char, uplo) V(int64_t, m) V(int64_t, n) R(alpha) R(a) V(int64_t, lda) R(b) V(int64_t, ldb)    \
        R(beta) W(c) V(int64_t, ldc)
#define SYRK(V, R, W, I)                                                                                          \
    V(char, uplo) V(char, trans) V(int64_t, n) V(int64_t, k) R(alpha) R(a) V(int64_t, lda) R(beta) W(c)           \
        V(int64_t, ldc)
#define SYR2K(V, R, W, I)                                                                                         \
    V(char, uplo) V(char, trans) V(int64_t, n) V(int64_t, k) R(alpha) R(a) V(int64_t, lda) R(b) V(int64_t, ldb)   \
        R(beta) W(c) V(int64_t, ldc)
#endif

/* -- symm: C = alpha A B + beta C, or alpha B A + beta C (side R) */

void ROUTINE(MM) PLAIN(SYMM) {
    T sum = *alpha + *beta + OWN(read)(a, ORDER, ORDER, lda) + OWN(read)(b, m, n, ldb);
    OWN(change)(c, m, n, ldc, sum);
}

void NATIVE(MM) PLAIN(SYMM) {
    CALL(MM, &side, &uplo, INT(m), INT(n), alpha, a, INT(lda), b, INT(ldb), beta, c, INT(ldc), 1, 1);
}

static ALWAYS_INLINE KEPT SAVED(MM) SAVING(SYMM) {
    KEPT s = {0};
    OWN(keep)(&s, 4, 1, UNCHANGED(5), alpha, 1, 1, 1, tape, moment == BEFORE);
    OWN(keep)(&s, 5, 1, UNCHANGED(10), beta, 1, 1, 1, tape, moment == BEFORE);
    OWN(keep)(&s, 0, db || dalpha, UNCHANGED(6), a, ORDER, ORDER, lda, tape, moment == BEFORE);
    OWN(keep)(&s, 1, da || dalpha, UNCHANGED(8), b, m, n, ldb, tape, moment == BEFORE);
    OWN(keep)(&s, 2, !!dbeta, 0, c, m, n, ldc, tape, moment == BEFORE);
    return s;
}

static ALWAYS_INLINE void OWN(MM)(int64_t library, char side, char uplo, int64_t m, int64_t n, T f, const T *a, int64_t lda,
                                  const T *b, int64_t ldb, T g, T *c, int64_t ldc) {
    ROUTINE(MM)(library, side, uplo, m, n, &f, a, lda, b, ldb, &g, c, ldc);
}

void ROUTINE(R2K) PLAIN(SYR2K);

/* The triangle of G + G^T (G + G^H), with the diagonal of G (its real part), is added to A', where G = f X Y^H for X and Y
 * of n rows and k columns; or G = f X^H Y for n columns and k rows (op T). */
static ALWAYS_INLINE void OWN(ADD_MIRRORED)(int64_t library, char uplo, char trans, int64_t n, int64_t k, T f, MATRIX X,
                                            MATRIX Y, T *da, int64_t lda) {
    MATRIX turned = is_plain(trans) ? Y : X, second = turned;
    int64_t rows = is_plain(trans) ? n : k, columns = is_plain(trans) ? k : n;
    if (!HERMITIAN)
        second = OWN(conjugate_of)(turned, rows, columns);
    MATRIX A = is_plain(trans) ? X : second, B = is_plain(trans) ? second : Y;
    T one = 1, *diagonal = OWN(copy)(da, 1, n, lda + 1);
    ROUTINE(R2K)(library, uplo, is_plain(trans) ? 'N' : TURNED, n, k, &f, A.at, A.ld, B.at, B.ld, &one, da, lda);
    for (int64_t i = 0; i < n; i++) {
        T sum = is_plain(trans) ? OWN(dot)(X.at + i, X.ld, Y.at + i, Y.ld, 1, k)
                                : OWN(dot)(Y.at + i * Y.ld, Y.ld, X.at + i * X.ld, X.ld, k, 1);
        da[i + i * lda] = diagonal[i] + (HERMITIAN ? __real__(f * sum) : f * sum);
    }
    free(diagonal);
    OWN(release)(second, turned);
}

/* A' gets the triangle of G = /alpha C' B^H, or /alpha B^H C' (side R), and of its mirror image; B' gets /alpha A^H C' */
void REVERSE(MM) DERIVING(SYMM) {
    OPERANDS(MM, SYMM)
    MATRIX D = {dc, ldc};
    if (da && is_left(side))
        OWN(ADD_MIRRORED)(library, uplo, 'N', m, n, CONJ(*alpha), D, B, da, lda);
    else if (da)
        OWN(ADD_MIRRORED)(library, uplo, 'T', n, m, CONJ(*alpha), B, D, da, lda);
    if (db) {
        MATRIX own = HERMITIAN ? A : OWN(conjugate_of)(A, ORDER, ORDER);
        OWN(MM)(library, side, uplo, m, n, CONJ(*alpha), own.at, own.ld, dc, ldc, 1, db, ldb);
        OWN(release)(own, A);
    }
    if (dalpha) {
        T *product = OWN(new)(m, n);
        OWN(MM)(library, side, uplo, m, n, 1, A.at, A.ld, B.at, B.ld, 0, product, at_least_1(m));
        *dalpha += OWN(dot)(dc, ldc, product, m, m, n);
        free(product);
    }
    OWN(reverse_beta)(m, n, C, beta, dbeta, dc, ldc);
}

void FORWARD(MM) DERIVING(SYMM) {
    OPERANDS(MM, SYMM)
    OWN(forward_beta)(m, n, C, beta, dbeta, dc, ldc);
    if (dalpha)
        OWN(MM)(library, side, uplo, m, n, *dalpha, A.at, A.ld, B.at, B.ld, 1, dc, ldc);
    if (da)
        OWN(MM)(library, side, uplo, m, n, *alpha, da, lda, B.at, B.ld, 1, dc, ldc);
    if (db)
        OWN(MM)(library, side, uplo, m, n, *alpha, A.at, A.ld, db, ldb, 1, dc, ldc);
}
DERIVATIVE(MM, SYMM)

/* -- syrk: the triangle of C = alpha A A^T + beta C, or alpha A^T A + beta C (trans T); herk: with A^H and real factors */

#if HERMITIAN
/* The routine writes zero to the imaginary parts of the diagonal, unless it leaves C as it is: they get no derivative. */
static ALWAYS_INLINE void OWN(real_diagonal)(int64_t n, int64_t k, const T *alpha, const T *beta, T *dc, int64_t ldc) {
    for (int64_t i = 0; !((k == 0 || *alpha == 0) && *beta == 1) && i < n; i++)
        dc[i + i * ldc] = __real__ dc[i + i * ldc];
}
#define REAL_DIAGONAL OWN(real_diagonal)(n, k, alpha, beta, dc, ldc);
#else
#define REAL_DIAGONAL
#endif

void ROUTINE(RK) PLAIN(SYRK) {
    T sum = *alpha + *beta + OWN(read)(a, ROWS(trans, n, k), lda);
    OWN(change)(c, n, n, ldc, sum);
}

void NATIVE(RK) PLAIN(SYRK) {
    CALL(RK, &uplo, &trans, INT(n), INT(k), PART(alpha), a, INT(lda), PART(beta), c, INT(ldc), 1, 1);
}

static ALWAYS_INLINE KEPT SAVED(RK) SAVING(SYRK) {
    KEPT s = {0};
    OWN(keep)(&s, 4, 1, UNCHANGED(5), alpha, 1, 1, 1, tape, moment == BEFORE);
    OWN(keep)(&s, 5, 1, UNCHANGED(8), beta, 1, 1, 1, tape, moment == BEFORE);
    OWN(keep)(&s, 0, da || dalpha, UNCHANGED(6), a, ROWS(trans, n, k), lda, tape, moment == BEFORE);
    OWN(keep)(&s, 2, !!dbeta, 0, c, n, n, ldc, tape, moment == BEFORE);
    return s;
}

/* A' += f S B^, or f B^ S (trans T), where S is the triangle of C' and its mirror image, and B^ is B, conjugated unless
 * HERMITIAN */
static ALWAYS_INLINE void OWN(ADD_BOTH_SIDES)(int64_t library, char uplo, char trans, int64_t n, int64_t k, T f,
                                              const T *dc, int64_t ldc, MATRIX B, T *da, int64_t lda) {
    T *sum = OWN(whole_of)(HERMITIAN, uplo, dc, ldc, n, 2);
    int64_t rows = is_plain(trans) ? n : k, columns = is_plain(trans) ? k : n;
    MATRIX own = HERMITIAN ? B : OWN(conjugate_of)(B, rows, columns);
    OWN(MM)(library, is_plain(trans) ? 'L' : 'R', uplo, rows, columns, f, sum, at_least_1(n), own.at, own.ld, 1, da, lda);
    OWN(release)(own, B);
    free(sum);
}

void REVERSE(RK) DERIVING(SYRK) {
    OPERANDS(RK, SYRK)
    REAL_DIAGONAL
    if (da)
        OWN(ADD_BOTH_SIDES)(library, uplo, trans, n, k, CONJ(*alpha), dc, ldc, A, da, lda);
    if (dalpha) {
        T *product = OWN(new)(n, n), one = 1, none = 0;
        ROUTINE(RK)(library, uplo, trans, n, k, &one, A.at, A.ld, &none, product, at_least_1(n));
        *dalpha += OWN(dot_triangle)(uplo, dc, ldc, product, n, n);
        free(product);
    }
    OWN(reverse_beta_triangle)(uplo, n, C, beta, dbeta, dc, ldc);
}

void FORWARD(RK) DERIVING(SYRK) {
    OPERANDS(RK, SYRK)
    T one = 1;
    OWN(forward_beta_triangle)(uplo, n, C, beta, dbeta, dc, ldc);
    REAL_DIAGONAL
    if (dalpha)
        ROUTINE(RK)(library, uplo, trans, n, k, dalpha, A.at, A.ld, &one, dc, ldc);
    if (da)
        ROUTINE(R2K)(library, uplo, trans, n, k, alpha, da, lda, A.at, A.ld, &one, dc, ldc);
}
DERIVATIVE(RK, SYRK)

/* -- syr2k: the triangle of C = alpha (A B^T + B A^T) + beta C, or alpha (A^T B + B^T A) + beta C (trans T);
 * her2k: C = alpha A B^H + /alpha B A^H + beta C, or alpha A^H B + /alpha B^H A + beta C, with beta real */

void ROUTINE(R2K) PLAIN(SYR2K) {
    T sum = *alpha + *beta + OWN(read)(a, ROWS(trans, n, k), lda) + OWN(read)(b, ROWS(trans, n, k), ldb);
    OWN(change)(c, n, n, ldc, sum);
}

void NATIVE(R2K) PLAIN(SYR2K) {
    CALL(R2K, &uplo, &trans, INT(n), INT(k), alpha, a, INT(lda), b, INT(ldb), PART(beta), c, INT(ldc), 1, 1);
}

static ALWAYS_INLINE KEPT SAVED(R2K) SAVING(SYR2K) {
    KEPT s = {0};
    OWN(keep)(&s, 4, 1, UNCHANGED(5), alpha, 1, 1, 1, tape, moment == BEFORE);
    OWN(keep)(&s, 5, 1, UNCHANGED(10), beta, 1, 1, 1, tape, moment == BEFORE);
    OWN(keep)(&s, 0, db || dalpha, UNCHANGED(6), a, ROWS(trans, n, k), lda, tape, moment == BEFORE);
    OWN(keep)(&s, 1, da || dalpha, UNCHANGED(8), b, ROWS(trans, n, k), ldb, tape, moment == BEFORE);
    OWN(keep)(&s, 2, !!dbeta, 0, c, n, n, ldc, tape, moment == BEFORE);
    return s;
}

/* alpha' for one unit: 1, or the imaginary unit for the imaginary part of the factor of a Hermitian matrix */
static ALWAYS_INLINE void OWN(ADD_BY_ALPHA)(int64_t library, char uplo, char trans, int64_t n, int64_t k, T unit, MATRIX A,
                                            MATRIX B, const T *dc, int64_t ldc, T *dalpha) {
    T *product = OWN(new)(n, n), none = 0;
    ROUTINE(R2K)(library, uplo, trans, n, k, &unit, A.at, A.ld, B.at, B.ld, &none, product, at_least_1(n));
    T sum = OWN(dot_triangle)(uplo, dc, ldc, product, n, n);
    *dalpha += HERMITIAN ? unit * __real__ sum : sum;
    free(product);
}

void REVERSE(R2K) DERIVING(SYR2K) {
    OPERANDS(R2K, SYR2K)
    REAL_DIAGONAL
    T f_of_a = HERMITIAN && !is_plain(trans) ? *alpha : CONJ(*alpha);
    T f_of_b = HERMITIAN && is_plain(trans) ? *alpha : CONJ(*alpha);
    if (da)
        OWN(ADD_BOTH_SIDES)(library, uplo, trans, n, k, f_of_a, dc, ldc, B, da, lda);
    if (db)
        OWN(ADD_BOTH_SIDES)(library, uplo, trans, n, k, f_of_b, dc, ldc, A, db, ldb);
    if (dalpha)
        OWN(ADD_BY_ALPHA)(library, uplo, trans, n, k, 1, A, B, dc, ldc, dalpha);
#if HERMITIAN
    if (dalpha)
        OWN(ADD_BY_ALPHA)(library, uplo, trans, n, k, 1.0fi, A, B, dc, ldc, dalpha);
#endif
    OWN(reverse_beta_triangle)(uplo, n, C, beta, dbeta, dc, ldc);
}

void FORWARD(R2K) DERIVING(SYR2K) {
    OPERANDS(R2K, SYR2K)
    T one = 1;
    OWN(forward_beta_triangle)(uplo, n, C, beta, dbeta, dc, ldc);
    REAL_DIAGONAL
    if (dalpha)
        ROUTINE(R2K)(library, uplo, trans, n, k, dalpha, A.at, A.ld, B.at, B.ld, &one, dc, ldc);
    if (da)
        ROUTINE(R2K)(library, uplo, trans, n, k, alpha, da, lda, B.at, B.ld, &one, dc, ldc);
    if (db)
        ROUTINE(R2K)(library, uplo, trans, n, k, alpha, A.at, A.ld, db, ldb, &one, dc, ldc);
}
DERIVATIVE(R2K, SYR2K)

#undef MM
#undef RK
#undef R2K
#undef ADD_MIRRORED
#undef ADD_BOTH_SIDES
#undef TURNED
#undef PART
#undef REAL_DIAGONAL
#undef ADD_BY_ALPHA
