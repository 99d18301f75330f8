/* The factors of LAPACK's factorisation of symmetric and Hermitian matrices that are not definite, for one type T with the
 * letter P. Here A^* is A^T, or A^H if is_hermitian.
 *
 * With rows and columns exchanged, A = L D L^*: L has ones on its diagonal, D has blocks of order 1 or 2. For the upper
 * triangle, A = U D U^* is the same with the order of all rows and columns reversed. */

/* The factors as matrices: L, and of D the diagonal d and what is below it, e. `row` is the row of A that became row i.
 * is_pair: a block of order 2 begins here. with: the row that row i, or in a block the second one, was exchanged with. */
#define FACTORS struct OWN(factors)
FACTORS {
    char uplo;
    int is_hermitian;
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
static ALWAYS_INLINE FACTORS OWN(exchanges)(int is_hermitian, char uplo, int64_t n, const T *pivots) {
    FACTORS f = {uplo, is_hermitian, n, malloc(n * sizeof(int64_t)), calloc(n, sizeof(int64_t)), calloc(n, sizeof(int64_t)), 0, 0, 0};
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

/* the element (j, i) if x is (i, j); what counts of an element on the diagonal */
static ALWAYS_INLINE T OWN(mirrored)(FACTORS f, T x) { return f.is_hermitian ? CONJ(x) : x; }
static ALWAYS_INLINE T OWN(diagonal_part)(FACTORS f, T x) { return f.is_hermitian ? __real__ x : x; }

/* Takes L, d and e from A; with another A, their adjoints or tangents. */
static ALWAYS_INLINE FACTORS OWN(unpack)(FACTORS f, const T *a, int64_t lda, T diagonal) {
    int64_t n = f.n;
    f.l = calloc(n * n, sizeof(T)), f.d = calloc(n, sizeof(T)), f.e = calloc(n, sizeof(T));
    for (int64_t j = 0; j < n; j++) {
        f.l[j + j * n] = diagonal;
        f.d[j] = OWN(diagonal_part)(f, a[OWN(stored)(f.uplo, n, j, j, lda)]);
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
            T d = f.d[k], e = f.e[k], above = OWN(mirrored)(f, e), g = f.d[k + 1], second = p[1], det = d * g - e * above;
            p[0] = is_inverse ? (g * first - above * second) / det : d * first + above * second;
            p[1] = is_inverse ? (d * second - e * first) / det : e * first + g * second;
        }
}

/* how gemm, trmm and trsm call A^* */
static ALWAYS_INLINE char OWN(star)(FACTORS f) { return f.is_hermitian ? 'C' : 'T'; }

/* A^* */
static ALWAYS_INLINE T *OWN(turned)(FACTORS f, const T *a) {
    T *made = OWN(new)(f.n, f.n);
    OWN(transpose)(a, f.n, f.n, f.n, made, f.n);
    if (f.is_hermitian)
        OWN(conjugate)(made, f.n, f.n, f.n);
    return made;
}

/* Of complex symmetric matrices, the adjoint is the tangent's with all factors conjugated. */
static ALWAYS_INLINE FACTORS OWN(conjugated_factors)(FACTORS f) {
    if (!f.is_hermitian) {
        OWN(conjugate)(f.l, f.n, f.n, f.n);
        OWN(conjugate)(f.d, f.n, 1, f.n);
        OWN(conjugate)(f.e, f.n, 1, f.n);
    }
    return f;
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

/* the whole matrix that A stores, with rows and columns in the order of L; off its diagonal times `factor` */
static ALWAYS_INLINE T *OWN(ordered_whole)(FACTORS f, const T *a, int64_t lda, T factor) {
    T *made = OWN(new)(f.n, f.n);
    for (int64_t j = 0; j < f.n; j++)
        for (int64_t i = 0; i < f.n; i++) {
            int64_t r = f.row[i], c = f.row[j];
            T value = a[OWN(stored)(f.uplo, f.n, r > c ? r : c, r > c ? c : r, lda)];
            made[i + j * f.n] = i == j ? OWN(diagonal_part)(f, value) : factor * (r > c ? value : OWN(mirrored)(f, value));
        }
    return made;
}

/* The way back, into the triangle that A stores: what stands for both sides of the diagonal gets `factor` times the sum. */
static ALWAYS_INLINE void OWN(put_ordered)(FACTORS f, const T *x, T factor, T *a, int64_t lda) {
    for (int64_t j = 0; j < f.n; j++)
        for (int64_t i = j; i < f.n; i++) {
            int64_t r = f.row[i], c = f.row[j];
            T value = i == j ? OWN(diagonal_part)(f, x[i + j * f.n]) : factor * (x[i + j * f.n] + OWN(mirrored)(f, x[j + i * f.n]));
            a[OWN(stored)(f.uplo, f.n, r > c ? r : c, r > c ? c : r, lda)] = r >= c ? value : OWN(mirrored)(f, value);
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

/* The adjoint of A is -Y X^*, in the order of L: L' gets -(Y (D L^* X)^* + X (D L^* Y)^*), D' the blocks of
 * -L^* (Y X^*) L */
static ALWAYS_INLINE FACTORS OWN(factors_of_product)(int64_t library, FACTORS f, const T *y, const T *x, int64_t columns) {
    int64_t n = f.n;
    char star = OWN(star)(f);
    FACTORS g = f;
    T *lx = OWN(copy)(x, n, columns, n), *ly = OWN(copy)(y, n, columns, n), *ignored = OWN(new)(2 * n, 1);
    g.l = OWN(new)(n, n), g.d = calloc(n, sizeof(T)), g.e = calloc(n, sizeof(T));
    OWN(trmm)(library, 'L', 'L', star, 'U', n, columns, 1, f.l, n, lx, n);
    OWN(trmm)(library, 'L', 'L', star, 'U', n, columns, 1, f.l, n, ly, n);
    for (int64_t j = 0; j < columns; j++)
        for (int64_t k = 0; k < n; k++) {
            const T *p = lx + k + j * n, *q = ly + k + j * n;
            g.d[k] -= OWN(diagonal_part)(f, OWN(mirrored)(f, p[0]) * q[0]);
            if (f.is_pair[k])
                g.e[k] -= OWN(mirrored)(f, p[0]) * q[1] + p[1] * OWN(mirrored)(f, q[0]);
        }
    OWN(times_d)(f, 0, lx, columns);
    OWN(times_d)(f, 0, ly, columns);
    OWN(gemm)(library, 'N', star, n, n, columns, -1, y, n, lx, n, 0, g.l, n);
    OWN(gemm)(library, 'N', star, n, n, columns, -1, x, n, ly, n, 1, g.l, n);
    OWN(split)(f, g.l, ignored, ignored + n);
    free(lx);
    free(ly);
    free(ignored);
    return g;
}

/* A' X = L' D L^* X + L D' L^* X + L D L'^* X, in the order of L. x is spent. */
static ALWAYS_INLINE T *OWN(tangent_times)(int64_t library, FACTORS f, FACTORS g, T *x, int64_t columns) {
    int64_t n = f.n;
    char star = OWN(star)(f);
    T *inner = OWN(copy)(x, n, columns, n), *sum = OWN(copy)(x, n, columns, n), *made;
    OWN(trmm)(library, 'L', 'L', star, 'U', n, columns, 1, f.l, n, inner, n);
    made = OWN(copy)(inner, n, columns, n);
    OWN(times_d)(f, 0, made, columns);
    OWN(gemm)(library, star, 'N', n, columns, n, 1, g.l, n, x, n, 0, sum, n);
    OWN(times_d)(f, 0, sum, columns);
    OWN(times_d)(g, 0, inner, columns);
    OWN(add)(sum, n, inner, n, n, columns, 1);
    OWN(trmm)(library, 'L', 'L', 'N', 'U', n, columns, 1, f.l, n, sum, n);
    OWN(gemm)(library, 'N', 'N', n, columns, n, 1, g.l, n, made, n, 1, sum, n);
    free(inner);
    free(made);
    return sum;
}
