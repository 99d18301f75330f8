/* LAPACK's factorisation of symmetric matrices that are not definite, and what uses it, for one real type T with the letter P.
 *
 * With rows and columns exchanged, A = L D L^T: L has ones on its diagonal, D has blocks of order 1 or 2. For the upper
 * triangle, A = U D U^T is the same with the order of all rows and columns reversed. */

#define SYTRF(V, R, W, I) V(char, uplo) V(int64_t, n) W(a) V(int64_t, lda) I(ipiv) I(info)
#define SYTRS(V, R, W, I)                                                                                         \
    V(char, uplo) V(int64_t, n) V(int64_t, nrhs) R(a) V(int64_t, lda) I(ipiv) W(b) V(int64_t, ldb) I(info)
#define SYTRI(V, R, W, I) V(char, uplo) V(int64_t, n) W(a) V(int64_t, lda) I(ipiv) I(info)

extern void FORTRAN(P, sytrf)(const char *, const int *, T *, const int *, int *, T *, const int *, int *, size_t);
extern void FORTRAN(P, sytrs)(const char *, const int *, const int *, const T *, const int *, const int *, T *, const int *,
                              int *, size_t);
extern void FORTRAN(P, sytri)(const char *, const int *, T *, const int *, const int *, T *, int *, size_t);

/* The factors as matrices: L, and of D the diagonal d and what is below it, e. `row` is the row of A that became row i.
 * is_pair: a block of order 2 begins here. with: the row that row i, or in a block the second one, was exchanged with. */
#define FACTORS struct OWN(factors)
FACTORS {
    char uplo;
    int64_t n, *row, *is_pair, *with;
    T *l, *d, *e;
};

static ALWAYS_INLINE int64_t OWN(stored)(char uplo, int64_t n, int64_t i, int64_t j, int64_t lda) {
    return is_upper(uplo) ? n - 1 - i + (n - 1 - j) * lda : i + j * lda;
}

static ALWAYS_INLINE void OWN(exchange_in_l)(FACTORS f, int64_t k) {
    int64_t i = k + f.is_pair[k], with = f.with[k];
    for (int64_t j = 0; i != with && j < k; j++) {
        T t = f.l[i + j * f.n];
        f.l[i + j * f.n] = f.l[with + j * f.n];
        f.l[with + j * f.n] = t;
    }
}

/* Reads the exchanges, which are kept as numbers. */
static ALWAYS_INLINE FACTORS OWN(exchanges)(char uplo, int64_t n, const T *pivots) {
    FACTORS f = {uplo, n, malloc(n * sizeof(int64_t)), calloc(n, sizeof(int64_t)), calloc(n, sizeof(int64_t)), 0, 0, 0};
    for (int64_t i = 0; i < n; i++)
        f.row[i] = i;
    for (int64_t k = 0; k < n; k += 1 + f.is_pair[k]) {
        int64_t pivot = (int64_t)pivots[is_upper(uplo) ? n - 1 - k : k], row = (pivot < 0 ? -pivot : pivot) - 1;
        f.is_pair[k] = pivot < 0;
        f.with[k] = is_upper(uplo) ? n - 1 - row : row;
        int64_t i = k + f.is_pair[k], t = f.row[i];
        f.row[i] = f.row[f.with[k]];
        f.row[f.with[k]] = t;
    }
    return f;
}

/* Takes L, d and e from A; with another A, their adjoints or tangents. */
static ALWAYS_INLINE FACTORS OWN(unpack)(FACTORS f, const T *a, int64_t lda, T diagonal) {
    int64_t n = f.n;
    f.l = calloc(n * n, sizeof(T)), f.d = calloc(n, sizeof(T)), f.e = calloc(n, sizeof(T));
    for (int64_t j = 0; j < n; j++) {
        f.l[j + j * n] = diagonal;
        f.d[j] = a[OWN(stored)(f.uplo, n, j, j, lda)];
        for (int64_t i = j + 1; i < n; i++)
            f.l[i + j * n] = a[OWN(stored)(f.uplo, n, i, j, lda)];
        if (f.is_pair[j])
            f.e[j] = f.l[j + 1 + j * n], f.l[j + 1 + j * n] = 0;
    }
    for (int64_t k = 0; k < n; k += 1 + f.is_pair[k])
        OWN(exchange_in_l)(f, k);
    return f;
}

/* A = by A + what L, d and e are. L is spent. */
static ALWAYS_INLINE void OWN(pack)(FACTORS f, T by, T *a, int64_t lda) {
    int64_t n = f.n;
    for (int64_t k = n - 1; k >= 0; k--)
        if (k == 0 || !f.is_pair[k - 1])
            OWN(exchange_in_l)(f, k);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = j; i < n; i++) {
            T *to = a + OWN(stored)(f.uplo, n, i, j, lda);
            *to = by * *to + (i == j ? f.d[j] : i == j + 1 && f.is_pair[j] ? f.e[j] : f.l[i + j * n]);
        }
}

static ALWAYS_INLINE void OWN(free_parts)(FACTORS f) {
    free(f.l);
    free(f.d);
    free(f.e);
}
static ALWAYS_INLINE void OWN(free_factors)(FACTORS f) {
    OWN(free_parts)(f);
    free(f.row);
    free(f.is_pair);
    free(f.with);
}

/* X = D X, or D^-1 X */
static void OWN(times_d)(FACTORS f, int is_inverse, T *x, int64_t columns) {
    for (int64_t j = 0; j < columns; j++)
        for (int64_t k = 0; k < f.n; k += 1 + f.is_pair[k]) {
            T *p = x + k + j * f.n, first = p[0];
            if (!f.is_pair[k]) {
                p[0] = is_inverse ? first / f.d[k] : f.d[k] * first;
                continue;
            }
            T d = f.d[k], e = f.e[k], g = f.d[k + 1], second = p[1], det = d * g - e * e;
            p[0] = is_inverse ? (g * first - e * second) / det : d * first + e * second;
            p[1] = is_inverse ? (d * second - e * first) / det : e * first + g * second;
        }
}

static ALWAYS_INLINE T *OWN(transposed)(const T *a, int64_t rows, int64_t columns) {
    T *made = OWN(new)(rows, columns);
    OWN(transpose)(a, rows, rows, columns, made, columns);
    return made;
}

/* the rows of B in the order of L, or back */
static ALWAYS_INLINE T *OWN(ordered)(FACTORS f, int is_back, const T *b, int64_t ldb, int64_t columns) {
    T *made = OWN(new)(f.n, columns);
    for (int64_t j = 0; j < columns; j++)
        for (int64_t i = 0; i < f.n; i++) {
            int64_t outer = is_upper(f.uplo) ? f.n - 1 - f.row[i] : f.row[i];
            made[(is_back ? outer : i) + j * f.n] = b[(is_back ? i : outer) + j * ldb];
        }
    return made;
}

/* the symmetric matrix that A stores, with rows and columns in the order of L; off its diagonal times `factor` */
static ALWAYS_INLINE T *OWN(ordered_whole)(FACTORS f, const T *a, int64_t lda, T factor) {
    T *made = OWN(new)(f.n, f.n);
    for (int64_t j = 0; j < f.n; j++)
        for (int64_t i = 0; i < f.n; i++) {
            int64_t r = f.row[i], c = f.row[j];
            T value = a[OWN(stored)(f.uplo, f.n, r > c ? r : c, r > c ? c : r, lda)];
            made[i + j * f.n] = i == j ? value : factor * value;
        }
    return made;
}

/* The way back, into the triangle that A stores: what stands for both sides of the diagonal gets `factor` times the sum. */
static ALWAYS_INLINE void OWN(put_ordered)(FACTORS f, const T *x, T factor, T *a, int64_t lda) {
    for (int64_t j = 0; j < f.n; j++)
        for (int64_t i = j; i < f.n; i++) {
            int64_t r = f.row[i], c = f.row[j];
            a[OWN(stored)(f.uplo, f.n, r > c ? r : c, r > c ? c : r, lda)] =
                i == j ? x[i + j * f.n] : factor * (x[i + j * f.n] + x[j + i * f.n]);
        }
}

/* Keeps of a matrix what is below the blocks of D, and takes these out. */
static ALWAYS_INLINE void OWN(split)(FACTORS f, T *x, T *d, T *e) {
    for (int64_t j = 0; j < f.n; j++) {
        d[j] = x[j + j * f.n], e[j] = 0;
        for (int64_t i = 0; i <= j; i++)
            x[i + j * f.n] = 0;
        if (f.is_pair[j])
            e[j] = x[j + 1 + j * f.n], x[j + 1 + j * f.n] = 0;
    }
}

/* -- sytrf */

void ROUTINE(sytrf) PLAIN(SYTRF) {
    T sum = OWN(read)(a, n, n, lda);
    OWN(change)(a, n, n, lda, sum);
    for (int64_t i = 0; i < n; i++)
        ipiv[i] = sum != sum;
    *info = sum != sum;
}

void NATIVE(sytrf) PLAIN(SYTRF) {
    T size;
    CALL(sytrf, &uplo, INT(n), a, INT(lda), ipiv, &size, INT(-1), info, 1);
    T *work = malloc(at_least_1((int64_t)size) * sizeof(T));
    CALL(sytrf, &uplo, INT(n), a, INT(lda), ipiv, work, INT((int64_t)size), info, 1);
    free(work);
}

static ALWAYS_INLINE KEPT SAVED(sytrf) SAVING(SYTRF) {
    KEPT s = {0};
    OWN(keep)(&s, 0, !!da, UNCHANGED(3), a, n, n, lda, tape, moment == AFTER);
    OWN(keep_integers)(&s, 1, !!da, ipiv, n, tape, moment == AFTER);
    OWN(keep_integers)(&s, 2, !!da, info, 1, tape, moment == AFTER);
    return s;
}

/* With F = L^-1 A' L^-T: D' is its blocks on the diagonal, L' = L M D^-1, where M is what is below these. So the adjoint of F
 * is D' + (what is below the blocks of L^T L' D^-1), and that of A is L^-T F' L^-1. */
void REVERSE(sytrf) DERIVING(SYTRF) {
    KEPT s = SAVED_OF(sytrf, SYTRF);
    if (!da || n <= 0 || s.m[2].at[0] != 0)
        return;
    FACTORS order = OWN(exchanges)(uplo, n, s.m[1].at);
    FACTORS f = OWN(unpack)(order, s.m[0].at, s.m[0].ld, 1), g = OWN(unpack)(order, da, lda, 0);
    T *ignored = OWN(new)(2 * n, 1);
    OWN(trmm)(library, 'L', 'L', 'T', 'U', n, n, 1, f.l, n, g.l, n);
    T *m = OWN(transposed)(g.l, n, n), *x;
    OWN(times_d)(f, 1, m, n);
    x = OWN(transposed)(m, n, n);
    OWN(split)(f, x, ignored, ignored + n);
    for (int64_t k = 0; k < n; k++) {
        x[k + k * n] = g.d[k];
        if (f.is_pair[k])
            x[k + 1 + k * n] = g.e[k];
    }
    OWN(trsm)(library, 'L', 'L', 'T', 'U', n, n, 1, f.l, n, x, n);
    OWN(trsm)(library, 'R', 'L', 'N', 'U', n, n, 1, f.l, n, x, n);
    OWN(put_ordered)(f, x, 1, da, lda);
    OWN(free_parts)(g);
    OWN(free_factors)(f);
    free(ignored);
    free(m);
    free(x);
}

void FORWARD(sytrf) DERIVING(SYTRF) {
    KEPT s = SAVED_OF(sytrf, SYTRF);
    if (!da || n <= 0 || s.m[2].at[0] != 0)
        return;
    FACTORS f = OWN(unpack)(OWN(exchanges)(uplo, n, s.m[1].at), s.m[0].at, s.m[0].ld, 1), g = f;
    T *x = OWN(ordered_whole)(f, da, lda, 1);
    g.d = OWN(new)(n, 1), g.e = OWN(new)(n, 1);
    OWN(trsm)(library, 'L', 'L', 'N', 'U', n, n, 1, f.l, n, x, n);
    OWN(trsm)(library, 'R', 'L', 'T', 'U', n, n, 1, f.l, n, x, n);
    OWN(split)(f, x, g.d, g.e);
    T *m = OWN(transposed)(x, n, n);
    OWN(times_d)(f, 1, m, n);
    g.l = OWN(transposed)(m, n, n);
    OWN(trmm)(library, 'L', 'L', 'N', 'U', n, n, 1, f.l, n, g.l, n);
    OWN(pack)(g, 0, da, lda);
    OWN(free_parts)(g);
    OWN(free_factors)(f);
    free(x);
    free(m);
}
DERIVATIVE(sytrf, SYTRF)

/* -- sytrs: A X = B with the factors of A; X takes the place of B */

void ROUTINE(sytrs) PLAIN(SYTRS) {
    T sum = OWN(read)(a, n, n, lda);
    for (int64_t i = 0; i < n; i++)
        sum += ipiv[i];
    OWN(change)(b, n, nrhs, ldb, sum);
    *info = 0;
}

void NATIVE(sytrs) PLAIN(SYTRS) { CALL(sytrs, &uplo, INT(n), INT(nrhs), a, INT(lda), ipiv, b, INT(ldb), info, 1); }

static ALWAYS_INLINE KEPT SAVED(sytrs) SAVING(SYTRS) {
    KEPT s = {0};
    OWN(keep)(&s, 0, !!db, UNCHANGED(4), a, n, n, lda, tape, moment == BEFORE);
    OWN(keep_integers)(&s, 1, !!db, ipiv, n, tape, moment == BEFORE);
    OWN(keep)(&s, 2, !!da, UNCHANGED(7), b, n, nrhs, ldb, tape, moment == AFTER);
    return s;
}

/* The adjoint of A is -Y X^T, in the order of L: L' gets -(Y (D L^T X)^T + X (D L^T Y)^T), D' the blocks of
 * -L^T (Y X^T) L */
static ALWAYS_INLINE FACTORS OWN(factors_of_product)(int64_t library, FACTORS f, const T *y, const T *x, int64_t columns) {
    int64_t n = f.n;
    FACTORS g = f;
    T *lx = OWN(copy)(x, n, columns, n), *ly = OWN(copy)(y, n, columns, n), *ignored = OWN(new)(2 * n, 1);
    g.l = OWN(new)(n, n), g.d = calloc(n, sizeof(T)), g.e = calloc(n, sizeof(T));
    OWN(trmm)(library, 'L', 'L', 'T', 'U', n, columns, 1, f.l, n, lx, n);
    OWN(trmm)(library, 'L', 'L', 'T', 'U', n, columns, 1, f.l, n, ly, n);
    for (int64_t j = 0; j < columns; j++)
        for (int64_t k = 0; k < n; k++) {
            const T *p = lx + k + j * n, *q = ly + k + j * n;
            g.d[k] -= p[0] * q[0];
            if (f.is_pair[k])
                g.e[k] -= p[0] * q[1] + p[1] * q[0];
        }
    OWN(times_d)(f, 0, lx, columns);
    OWN(times_d)(f, 0, ly, columns);
    OWN(gemm)(library, 'N', 'T', n, n, columns, -1, y, n, lx, n, 0, g.l, n);
    OWN(gemm)(library, 'N', 'T', n, n, columns, -1, x, n, ly, n, 1, g.l, n);
    OWN(split)(f, g.l, ignored, ignored + n);
    free(lx);
    free(ly);
    free(ignored);
    return g;
}

void REVERSE(sytrs) DERIVING(SYTRS) {
    KEPT s = SAVED_OF(sytrs, SYTRS);
    MATRIX A = s.m[0], X = s.m[2];
    int64_t ignored;
    if (!db || n <= 0 || nrhs <= 0)
        return;
    int *pivots = OWN(integers)(s.m[1].at, n);
    ROUTINE(sytrs)(library, uplo, n, nrhs, A.at, A.ld, pivots, db, ldb, (int *)&ignored);
    free(pivots);
    if (!da)
        return;
    FACTORS f = OWN(unpack)(OWN(exchanges)(uplo, n, s.m[1].at), A.at, A.ld, 1);
    T *y = OWN(ordered)(f, 0, db, ldb, nrhs), *x = OWN(ordered)(f, 0, X.at, X.ld, nrhs);
    FACTORS g = OWN(factors_of_product)(library, f, y, x, nrhs);
    OWN(pack)(g, 1, da, lda);
    OWN(free_parts)(g);
    OWN(free_factors)(f);
    free(x);
    free(y);
}

/* A' X = L' D L^T X + L D' L^T X + L D L'^T X, in the order of L. x is spent. */
static ALWAYS_INLINE T *OWN(tangent_times)(int64_t library, FACTORS f, FACTORS g, T *x, int64_t columns) {
    int64_t n = f.n;
    T *inner = OWN(copy)(x, n, columns, n), *sum = OWN(copy)(x, n, columns, n), *made;
    OWN(trmm)(library, 'L', 'L', 'T', 'U', n, columns, 1, f.l, n, inner, n);
    made = OWN(copy)(inner, n, columns, n);
    OWN(times_d)(f, 0, made, columns);
    OWN(gemm)(library, 'T', 'N', n, columns, n, 1, g.l, n, x, n, 0, sum, n);
    OWN(times_d)(f, 0, sum, columns);
    OWN(times_d)(g, 0, inner, columns);
    OWN(add)(sum, n, inner, n, n, columns, 1);
    OWN(trmm)(library, 'L', 'L', 'N', 'U', n, columns, 1, f.l, n, sum, n);
    OWN(gemm)(library, 'N', 'N', n, columns, n, 1, g.l, n, made, n, 1, sum, n);
    free(inner);
    free(made);
    return sum;
}

void FORWARD(sytrs) DERIVING(SYTRS) {
    KEPT s = SAVED_OF(sytrs, SYTRS);
    MATRIX A = s.m[0], X = s.m[2];
    int64_t ignored;
    if (!db || n <= 0 || nrhs <= 0)
        return;
    int *pivots = OWN(integers)(s.m[1].at, n);
    if (da) {
        FACTORS order = OWN(exchanges)(uplo, n, s.m[1].at);
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
    ROUTINE(sytrs)(library, uplo, n, nrhs, A.at, A.ld, pivots, db, ldb, (int *)&ignored);
    free(pivots);
}
DERIVATIVE(sytrs, SYTRS)

/* -- sytri: the triangle of A^-1 takes the place of the factors */

void ROUTINE(sytri) PLAIN(SYTRI) {
    T sum = OWN(read)(a, n, n, lda);
    for (int64_t i = 0; i < n; i++)
        sum += ipiv[i];
    OWN(change)(a, n, n, lda, sum);
    *info = sum != sum;
}

void NATIVE(sytri) PLAIN(SYTRI) {
    T *work = malloc(at_least_1(n) * sizeof(T));
    CALL(sytri, &uplo, INT(n), a, INT(lda), ipiv, work, info, 1);
    free(work);
}

static ALWAYS_INLINE KEPT SAVED(sytri) SAVING(SYTRI) {
    KEPT s = {0};
    OWN(keep)(&s, 0, !!da, UNCHANGED(3), a, n, n, lda, tape, moment == AFTER);
    OWN(keep)(&s, 1, !!da, 0, a, n, n, lda, tape, moment == BEFORE);
    OWN(keep_integers)(&s, 2, !!da, ipiv, n, tape, moment == BEFORE);
    OWN(keep_integers)(&s, 3, !!da, info, 1, tape, moment == AFTER);
    return s;
}

/* X = A^-1 is symmetric: A' = -X X' X = -Y X^T with Y = X X' */
void REVERSE(sytri) DERIVING(SYTRI) {
    KEPT s = SAVED_OF(sytri, SYTRI);
    if (!da || n <= 0 || s.m[3].at[0] != 0)
        return;
    FACTORS f = OWN(unpack)(OWN(exchanges)(uplo, n, s.m[2].at), s.m[1].at, s.m[1].ld, 1);
    T *x = OWN(ordered_whole)(f, s.m[0].at, s.m[0].ld, 1), *dx = OWN(ordered_whole)(f, da, lda, 0.5f), *y = OWN(new)(n, n);
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
void FORWARD(sytri) DERIVING(SYTRI) {
    KEPT s = SAVED_OF(sytri, SYTRI);
    if (!da || n <= 0 || s.m[3].at[0] != 0)
        return;
    FACTORS order = OWN(exchanges)(uplo, n, s.m[2].at);
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
DERIVATIVE(sytri, SYTRI)

/* -- names */

static int OWN(sysv)(char uplo, int64_t n, int64_t nrhs, T *a, int64_t lda, int *ipiv, T *b, int64_t ldb) {
    int info, ignored;
    ROUTINE(sytrf)(0, uplo, n, a, lda, ipiv, &info);
    if (info == 0)
        ROUTINE(sytrs)(0, uplo, n, nrhs, a, lda, ipiv, b, ldb, &ignored);
    return info;
}

INLINED void F_NAME(sytrf)(const char *uplo, const int *n, T *a, const int *lda, int *ipiv, T *work, const int *lwork,
                           int *info) {
    IF_ASKED(*n, ROUTINE(sytrf)(0, *uplo, *n, a, *lda, ipiv, info))
}
INLINED void F_NAME(sytrs)(const char *uplo, const int *n, const int *nrhs, const T *a, const int *lda, const int *ipiv,
                           T *b, const int *ldb, int *info) {
    ROUTINE(sytrs)(0, *uplo, *n, *nrhs, a, *lda, (int *)ipiv, b, *ldb, info);
}
INLINED void F_NAME(sysv)(const char *uplo, const int *n, const int *nrhs, T *a, const int *lda, int *ipiv, T *b,
                          const int *ldb, T *work, const int *lwork, int *info) {
    IF_ASKED(*n, *info = OWN(sysv)(*uplo, *n, *nrhs, a, *lda, ipiv, b, *ldb))
}
INLINED void F_NAME(sytri)(const char *uplo, const int *n, T *a, const int *lda, const int *ipiv, T *work, int *info) {
    ROUTINE(sytri)(0, *uplo, *n, a, *lda, (int *)ipiv, info);
}

/* By rows, LAPACKE transposes the stored triangle. It stays the upper or the lower one: its factors are others. */
INLINED int E_NAME(sytrf)(int layout, char uplo, int n, T *a, int lda, int *ipiv) {
    int info;
#define SOLVE(A, LDA) ROUTINE(sytrf)(0, uplo, n, A, LDA, ipiv, &info);
    BY_COPY(a, lda, n, n, SOLVE)
#undef SOLVE
    return info;
}
INLINED int E_NAME(sytri)(int layout, char uplo, int n, T *a, int lda, const int *ipiv) {
    int info;
#define SOLVE(A, LDA) ROUTINE(sytri)(0, uplo, n, A, LDA, (int *)ipiv, &info);
    BY_COPY(a, lda, n, n, SOLVE)
#undef SOLVE
    return info;
}
INLINED int E_NAME(sytrs)(int layout, char uplo, int n, int nrhs, const T *a, int lda, const int *ipiv, T *b, int ldb) {
    int info;
    T *factors = OWN(copy)(a, n, n, lda);
    if (layout == BY_ROWS)
        OWN(transpose)(a, lda, n, n, factors, at_least_1(n));
#define SOLVE(B, LDB) ROUTINE(sytrs)(0, uplo, n, nrhs, factors, at_least_1(n), (int *)ipiv, B, LDB, &info);
    BY_COPY(b, ldb, n, nrhs, SOLVE)
#undef SOLVE
    free(factors);
    return info;
}
INLINED int E_NAME(sysv)(int layout, char uplo, int n, int nrhs, T *a, int lda, int *ipiv, T *b, int ldb) {
    if (layout != BY_ROWS)
        return OWN(sysv)(uplo, n, nrhs, a, lda, ipiv, b, ldb);
    T *factors = OWN(new)(n, n), *solved = OWN(new)(n, nrhs);
    OWN(transpose)(a, lda, n, n, factors, at_least_1(n));
    OWN(transpose)(b, ldb, nrhs, n, solved, at_least_1(n));
    int info = OWN(sysv)(uplo, n, nrhs, factors, at_least_1(n), ipiv, solved, at_least_1(n));
    OWN(transpose)(factors, at_least_1(n), n, n, a, lda);
    OWN(transpose)(solved, at_least_1(n), n, nrhs, b, ldb);
    free(factors);
    free(solved);
    return info;
}
