/* LAPACK's solution of Sylvester's equation, for one type T with the letter P.
 *
 * S(X) = op(A) X + isgn X op(B) = scale C, with A and B in Schur form; X takes the place of C. S(X') is scale C' less
 * op(A') X + isgn X op(B'). With Y = S^-H(adjoint of X): the adjoint of C is scale Y, that of A is -Y X^H or -X Y^H, that of
 * B is -isgn X^H Y or -isgn Y^H X. The scale, which is 1 unless X overflows, counts as constant. What is below the diagonal
 * counts where it belongs to a block of order 2. */

#define TRSYL(V, R, W, I)                                                                                         \
    V(char, trana) V(char, tranb) V(int64_t, isgn) V(int64_t, m) V(int64_t, n) R(a) V(int64_t, lda) R(b)          \
    V(int64_t, ldb) W(c) V(int64_t, ldc) W(scale) I(info)

extern void FORTRAN(P, trsyl)(const char *, const char *, const int *, const int *, const int *, const T *, const int *,
                              const T *, const int *, T *, const int *, REAL *, int *, size_t, size_t);

void ROUTINE(trsyl) PLAIN(TRSYL) {
    T sum = OWN(read)(a, m, m, lda) + OWN(read)(b, n, n, ldb);
    OWN(change)(c, m, n, ldc, sum);
    *scale = sum;
    *info = sum != sum;
}

void NATIVE(trsyl) PLAIN(TRSYL) {
    REAL found;
    CALL(trsyl, &trana, &tranb, INT(isgn), INT(m), INT(n), a, INT(lda), b, INT(ldb), c, INT(ldc), &found, info, 1, 1);
    *scale = found;
}

static ALWAYS_INLINE KEPT SAVED(trsyl) SAVING(TRSYL) {
    KEPT s = {0};
    OWN(keep)(&s, 0, !!dc, UNCHANGED(6), a, m, m, lda, tape, moment == BEFORE);
    OWN(keep)(&s, 1, !!dc, UNCHANGED(8), b, n, n, ldb, tape, moment == BEFORE);
    OWN(keep)(&s, 2, da || db, UNCHANGED(10), c, m, n, ldc, tape, moment == AFTER);
    OWN(keep)(&s, 3, !!dc, 0, scale, 1, 1, 1, tape, moment == AFTER);
    return s;
}

/* X, stored without gaps, becomes the solution for X in the place of C. */
static ALWAYS_INLINE void OWN(solve_sylvester)(int64_t library, char trana, char tranb, int64_t isgn, int64_t m, int64_t n,
                                               MATRIX a, MATRIX b, T *x) {
    int64_t ignored;
    T scale = 1;
    ROUTINE(trsyl)(library, trana, tranb, isgn, m, n, a.at, a.ld, b.at, b.ld, x, m, &scale, (int *)&ignored);
    OWN(scale)(x, m, n, m, 1 / scale);
}

/* The part of B that a matrix A in Schur form has, added to C. */
static ALWAYS_INLINE void OWN(add_schur)(int64_t n, MATRIX a, const T *b, int64_t ldb, T *c, int64_t ldc) {
    for (int64_t j = 0; j < n; j++) {
        int has_below = !IS_COMPLEX && j + 1 < n && a.at[j + 1 + j * a.ld] != 0;
        for (int64_t i = 0; i <= j + has_below; i++)
            c[i + j * ldc] += b[i + j * ldb];
    }
}

/* Y -= op(A) X + isgn X op(B); without the product whose factor is null */
static ALWAYS_INLINE void OWN(subtract_products)(int64_t library, char trana, char tranb, int64_t isgn, int64_t m, int64_t n,
                                                 const T *a, const T *b, MATRIX x, T *y) {
    if (a)
        OWN(gemm)(library, is_plain(trana) ? 'N' : 'C', 'N', m, n, m, -1, a, m, x.at, x.ld, 1, y, m);
    if (b)
        OWN(gemm)(library, 'N', is_plain(tranb) ? 'N' : 'C', m, n, n, -isgn, x.at, x.ld, b, n, 1, y, m);
}

/* The adjoint of one factor: -f first second^H */
static ALWAYS_INLINE void OWN(reverse_factor)(int64_t library, char left, int64_t order, int64_t other, T f, MATRIX factor,
                                              MATRIX first, MATRIX second, T *d, int64_t ld) {
    T *sum = OWN(new)(order, order);
    char right = is_plain(left) ? 'C' : 'N';
    OWN(gemm)(library, left, right, order, order, other, -f, first.at, first.ld, second.at, second.ld, 0, sum, order);
    OWN(add_schur)(order, factor, sum, order, d, ld);
    free(sum);
}

void REVERSE(trsyl) DERIVING(TRSYL) {
    KEPT s = SAVED_OF(trsyl, TRSYL);
    MATRIX A = s.m[0], B = s.m[1], X = s.m[2];
    if (dscale)
        *dscale = 0;
    if (!dc || m <= 0 || n <= 0)
        return;
    MATRIX Y = {OWN(copy)(dc, m, n, ldc), m};
    OWN(solve_sylvester)(library, inverse(trana), inverse(tranb), isgn, m, n, A, B, (T *)Y.at);
    if (da)
        OWN(reverse_factor)(library, 'N', m, n, 1, A, is_plain(trana) ? Y : X, is_plain(trana) ? X : Y, da, lda);
    if (db)
        OWN(reverse_factor)(library, 'C', n, m, isgn, B, is_plain(tranb) ? X : Y, is_plain(tranb) ? Y : X, db, ldb);
    OWN(scale)(dc, m, n, ldc, 0);
    OWN(add)(dc, ldc, Y.at, m, m, n, s.m[3].at[0]);
    free((T *)Y.at);
}

void FORWARD(trsyl) DERIVING(TRSYL) {
    KEPT s = SAVED_OF(trsyl, TRSYL);
    MATRIX A = s.m[0], B = s.m[1];
    if (dscale)
        *dscale = 0;
    if (!dc || m <= 0 || n <= 0)
        return;
    T *y = OWN(copy)(dc, m, n, ldc), *of_a = calloc(m * m, sizeof(T)), *of_b = calloc(n * n, sizeof(T));
    OWN(scale)(y, m, n, m, s.m[3].at[0]);
    if (da)
        OWN(add_schur)(m, A, da, lda, of_a, m);
    if (db)
        OWN(add_schur)(n, B, db, ldb, of_b, n);
    OWN(subtract_products)(library, trana, tranb, isgn, m, n, da ? of_a : NULL, db ? of_b : NULL, s.m[2], y);
    OWN(solve_sylvester)(library, trana, tranb, isgn, m, n, A, B, y);
    OWN(scale)(dc, m, n, ldc, 0);
    OWN(add)(dc, ldc, y, m, m, n, 1);
    free(y);
    free(of_a);
    free(of_b);
}
DERIVATIVE(trsyl, TRSYL)

static ALWAYS_INLINE int OWN(trsyl)(char trana, char tranb, int64_t isgn, int64_t m, int64_t n, const T *a, int64_t lda,
                                    const T *b, int64_t ldb, T *c, int64_t ldc, REAL *scale) {
    int info;
    T found = 1;
    ROUTINE(trsyl)(0, trana, tranb, isgn, m, n, a, lda, b, ldb, c, ldc, &found, &info);
    *scale = __real__ found;
    return info;
}

INLINED void F_NAME(trsyl)(const char *trana, const char *tranb, const int *isgn, const int *m, const int *n, const T *a,
                           const int *lda, const T *b, const int *ldb, T *c, const int *ldc, REAL *scale, int *info) {
    *info = OWN(trsyl)(*trana, *tranb, *isgn, *m, *n, a, *lda, b, *ldb, c, *ldc, scale);
}
INLINED int E_NAME(trsyl)(int layout, char trana, char tranb, int isgn, int m, int n, const T *a, int lda, const T *b, int ldb,
                          T *c, int ldc, REAL *scale) {
    int info;
    if (layout != BY_ROWS)
        return OWN(trsyl)(trana, tranb, isgn, m, n, a, lda, b, ldb, c, ldc, scale);
    T *of_a = OWN(new)(m, m), *of_b = OWN(new)(n, n);
    OWN(transpose)(a, lda, m, m, of_a, at_least_1(m));
    OWN(transpose)(b, ldb, n, n, of_b, at_least_1(n));
#define SOLVE(C, LDC) info = OWN(trsyl)(trana, tranb, isgn, m, n, of_a, at_least_1(m), of_b, at_least_1(n), C, LDC, scale);
    BY_COPY(c, ldc, m, n, SOLVE)
#undef SOLVE
    free(of_a);
    free(of_b);
    return info;
}
