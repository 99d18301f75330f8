/* BLAS, levels 1 and 2, for one real type T with the letter P.
 *
 * Memory bounds the time of these functions, not arithmetic. So they have plain bodies, which are differentiated like the
 * program's own code. They have no shortcut for alpha = 0: the derivative in alpha is needed there (line searches). */

#ifndef EZ_BLAS_VECTORS_H
#define EZ_BLAS_VECTORS_H
/* the first element that is used of a vector with an increment that may be negative */
static ALWAYS_INLINE int64_t start(int64_t n, int64_t increment) { return increment < 0 ? (1 - n) * increment : 0; }

/* How the triangle of a square matrix of order n is stored: in a matrix, by K diagonals beside the main one, or packed. */
enum storage { FULL, BAND, PACKED };
struct triangle {
    enum storage storage;
    int is_upper;
    int64_t n, k, ld;
};

static ALWAYS_INLINE struct triangle full(char uplo, int64_t n, int64_t ld) {
    return (struct triangle){FULL, is_upper(uplo), n, n, ld};
}
static ALWAYS_INLINE struct triangle band(char uplo, int64_t n, int64_t k, int64_t ld) {
    return (struct triangle){BAND, is_upper(uplo), n, k, ld};
}
static ALWAYS_INLINE struct triangle packed(char uplo, int64_t n) {
    return (struct triangle){PACKED, is_upper(uplo), n, n, 0};
}

/* the rows of column j above (below) the diagonal: from first to last */
static ALWAYS_INLINE int64_t first_row(struct triangle a, int64_t j) {
    return !a.is_upper ? j + 1 : j > a.k ? j - a.k : 0;
}
static ALWAYS_INLINE int64_t last_row(struct triangle a, int64_t j) {
    return a.is_upper ? j - 1 : j + a.k < a.n - 1 ? j + a.k : a.n - 1;
}
static ALWAYS_INLINE int64_t element(struct triangle a, int64_t i, int64_t j) {
    switch (a.storage) {
    case FULL: return i + j * a.ld;
    case BAND: return i - j + (a.is_upper ? a.k : 0) + j * a.ld;
    default: return a.is_upper ? i + j * (j + 1) / 2 : i + j * (2 * a.n - j - 1) / 2;
    }
}
#endif

/* -- level 1 */

static void OWN(axpy)(int64_t n, T alpha, const T *x, int64_t incx, T *y, int64_t incy) {
    const T *p = x + start(n, incx);
    T *q = y + start(n, incy);
    for (int64_t i = 0; i < n; i++)
        q[i * incy] += alpha * p[i * incx];
}

static T OWN(inner)(int64_t n, const T *x, int64_t incx, const T *y, int64_t incy) {
    const T *p = x + start(n, incx), *q = y + start(n, incy);
    T sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += p[i * incx] * q[i * incy];
    return sum;
}

static void OWN(scal)(int64_t n, T alpha, T *x, int64_t incx) {
    for (int64_t i = 0; incx > 0 && i < n; i++)
        x[i * incx] *= alpha;
}

static void OWN(copy_vector)(int64_t n, const T *x, int64_t incx, T *y, int64_t incy) {
    const T *p = x + start(n, incx);
    T *q = y + start(n, incy);
    for (int64_t i = 0; i < n; i++)
        q[i * incy] = p[i * incx];
}

static void OWN(swap)(int64_t n, T *x, int64_t incx, T *y, int64_t incy) {
    T *p = x + start(n, incx), *q = y + start(n, incy);
    for (int64_t i = 0; i < n; i++) {
        T t = p[i * incx];
        p[i * incx] = q[i * incy];
        q[i * incy] = t;
    }
}

/* The root of the sum of squares; numbers are scaled only where their squares leave the range of the type. */
static T OWN(nrm2)(int64_t n, const T *x, int64_t incx) {
    T sum = 0, largest = 0;
    if (incx < 0)
        x += (1 - n) * incx;
    for (int64_t i = 0; i < n; i++)
        sum += x[i * incx] * x[i * incx];
    if (sum > SMALLEST && sum < LARGEST)
        return ROOT(sum);
    for (int64_t i = 0; i < n; i++)
        if (ABSOLUTE(x[i * incx]) > largest)
            largest = ABSOLUTE(x[i * incx]);
    if (!(largest > 0 && largest <= LARGEST))
        return ROOT(sum);
    T scaled = 0;
    for (int64_t i = 0; i < n; i++)
        scaled += x[i * incx] / largest * (x[i * incx] / largest);
    return largest * ROOT(scaled);
}

static T OWN(asum)(int64_t n, const T *x, int64_t incx) {
    T sum = 0;
    for (int64_t i = 0; incx > 0 && i < n; i++)
        sum += ABSOLUTE(x[i * incx]);
    return sum;
}

static void OWN(rot)(int64_t n, T *x, int64_t incx, T *y, int64_t incy, T c, T s) {
    T *p = x + start(n, incx), *q = y + start(n, incy);
    for (int64_t i = 0; i < n; i++) {
        T t = c * p[i * incx] + s * q[i * incy];
        q[i * incy] = c * q[i * incy] - s * p[i * incx];
        p[i * incx] = t;
    }
}

/* a, b become r, z; |r| = sqrt(a^2 + b^2), with the sign of the larger of the two */
static void OWN(rotg)(T *a, T *b, T *c, T *s) {
    T x = *a, y = *b;
    if (y == 0) {
        *c = 1, *s = 0, *b = 0;
        return;
    }
    if (x == 0) {
        *c = 0, *s = 1, *a = y, *b = 1;
        return;
    }
    int is_first = ABSOLUTE(x) > ABSOLUTE(y);
    T scale = is_first ? ABSOLUTE(x) : ABSOLUTE(y), sign = (is_first ? x : y) > 0 ? 1 : -1;
    T r = sign * scale * ROOT(x / scale * (x / scale) + y / scale * (y / scale));
    *c = x / r, *s = y / r, *a = r;
    *b = is_first ? *s : *c != 0 ? 1 / *c : 1;
}

static void OWN(rotm)(int64_t n, T *x, int64_t incx, T *y, int64_t incy, const T *h) {
    T *p = x + start(n, incx), *q = y + start(n, incy);
    if (h[0] == -2)
        return;
    T a = h[0] == 0 ? 1 : h[1], d = h[0] == 0 ? 1 : h[4], b = h[0] == 1 ? 1 : h[3], c = h[0] == 1 ? -1 : h[2];
    for (int64_t i = 0; i < n; i++) {
        T t = a * p[i * incx] + b * q[i * incy];
        q[i * incy] = c * p[i * incx] + d * q[i * incy];
        p[i * incx] = t;
    }
}

/* -- level 2: general matrices */

/* y = beta y; with beta = 0, y may hold anything before */
static void OWN(scale_result)(int64_t n, T beta, T *y, int64_t incy) {
    T *q = y + start(n, incy);
    for (int64_t i = 0; beta != 1 && i < n; i++)
        q[i * incy] = beta == 0 ? 0 : beta * q[i * incy];
}

/* y = alpha op(A) x + beta y. A has kl diagonals below the main one and ku above; a band matrix is stored by diagonals. */
static ALWAYS_INLINE void OWN(product)(int is_band, char trans, int64_t m, int64_t n, int64_t kl, int64_t ku, T alpha,
                                       const T *a, int64_t lda, const T *x, int64_t incx, T beta, T *y, int64_t incy) {
    int64_t rows = is_plain(trans) ? m : n, columns = is_plain(trans) ? n : m;
    if (m <= 0 || n <= 0)
        return;
    OWN(scale_result)(rows, beta, y, incy);
    const T *p = x + start(columns, incx);
    T *q = y + start(rows, incy);
    for (int64_t j = 0; j < n; j++) {
        int64_t first = j > ku ? j - ku : 0, last = j + kl < m - 1 ? j + kl : m - 1;
        const T *column = a + j * lda + (is_band ? ku - j : 0);
        if (is_plain(trans)) {
            T f = alpha * p[j * incx];
            for (int64_t i = first; i <= last; i++)
                q[i * incy] += f * column[i];
        } else {
            T sum = 0;
            for (int64_t i = first; i <= last; i++)
                sum += column[i] * p[i * incx];
            q[j * incy] += alpha * sum;
        }
    }
}

static void OWN(gemv)(char trans, int64_t m, int64_t n, T alpha, const T *a, int64_t lda, const T *x, int64_t incx, T beta,
                      T *y, int64_t incy) {
    OWN(product)(0, trans, m, n, m, n, alpha, a, lda, x, incx, beta, y, incy);
}

static void OWN(gbmv)(char trans, int64_t m, int64_t n, int64_t kl, int64_t ku, T alpha, const T *a, int64_t lda,
                      const T *x, int64_t incx, T beta, T *y, int64_t incy) {
    OWN(product)(1, trans, m, n, kl, ku, alpha, a, lda, x, incx, beta, y, incy);
}

static void OWN(ger)(int64_t m, int64_t n, T alpha, const T *x, int64_t incx, const T *y, int64_t incy, T *a, int64_t lda) {
    const T *p = x + start(m, incx), *q = y + start(n, incy);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < m; i++)
            a[i + j * lda] += p[i * incx] * (alpha * q[j * incy]);
}

/* -- level 2: symmetric and triangular matrices, in all three forms of storage */

/* y = alpha A x + beta y */
static ALWAYS_INLINE void OWN(symv)(struct triangle t, T alpha, const T *a, const T *x, int64_t incx, T beta, T *y,
                                    int64_t incy) {
    const T *p = x + start(t.n, incx);
    T *q = y + start(t.n, incy);
    OWN(scale_result)(t.n, beta, y, incy);
    for (int64_t j = 0; j < t.n; j++) {
        T f = alpha * p[j * incx], sum = 0;
        for (int64_t i = first_row(t, j); i <= last_row(t, j); i++) {
            T v = a[element(t, i, j)];
            q[i * incy] += f * v;
            sum += v * p[i * incx];
        }
        q[j * incy] += f * a[element(t, j, j)] + alpha * sum;
    }
}

/* x = op(A) x */
static ALWAYS_INLINE void OWN(trmv)(struct triangle t, char trans, char diag, const T *a, T *x, int64_t incx) {
    T *p = x + start(t.n, incx), *product = OWN(new)(t.n, 1);
    for (int64_t j = 0; j < t.n; j++)
        product[j] = is_unit(diag) ? p[j * incx] : a[element(t, j, j)] * p[j * incx];
    for (int64_t j = 0; j < t.n; j++) {
        T sum = 0;
        for (int64_t i = first_row(t, j); i <= last_row(t, j); i++)
            if (is_plain(trans))
                product[i] += a[element(t, i, j)] * p[j * incx];
            else
                sum += a[element(t, i, j)] * p[i * incx];
        product[j] += sum;
    }
    for (int64_t j = 0; j < t.n; j++)
        p[j * incx] = product[j];
    free(product);
}

/* op(A) x = b, where b is in x */
static ALWAYS_INLINE void OWN(trsv)(struct triangle t, char trans, char diag, const T *a, T *x, int64_t incx) {
    T *p = x + start(t.n, incx);
    int is_down = t.is_upper != is_plain(trans); /* from the first unknown to the last */
    for (int64_t l = 0; l < t.n; l++) {
        int64_t j = is_down ? l : t.n - 1 - l;
        T value = p[j * incx];
        if (!is_plain(trans))
            for (int64_t i = first_row(t, j); i <= last_row(t, j); i++)
                value -= a[element(t, i, j)] * p[i * incx];
        if (!is_unit(diag))
            value /= a[element(t, j, j)];
        p[j * incx] = value;
        if (is_plain(trans))
            for (int64_t i = first_row(t, j); i <= last_row(t, j); i++)
                p[i * incx] -= value * a[element(t, i, j)];
    }
}

/* A += alpha x x^T */
static ALWAYS_INLINE void OWN(syr)(struct triangle t, T alpha, const T *x, int64_t incx, T *a) {
    const T *p = x + start(t.n, incx);
    for (int64_t j = 0; j < t.n; j++) {
        T f = alpha * p[j * incx];
        for (int64_t i = first_row(t, j); i <= last_row(t, j); i++)
            a[element(t, i, j)] += f * p[i * incx];
        a[element(t, j, j)] += f * p[j * incx];
    }
}

/* A += alpha (x y^T + y x^T) */
static ALWAYS_INLINE void OWN(syr2)(struct triangle t, T alpha, const T *x, int64_t incx, const T *y, int64_t incy, T *a) {
    const T *p = x + start(t.n, incx), *q = y + start(t.n, incy);
    for (int64_t j = 0; j < t.n; j++) {
        T f = alpha * q[j * incy], g = alpha * p[j * incx];
        for (int64_t i = first_row(t, j); i <= last_row(t, j); i++)
            a[element(t, i, j)] += f * p[i * incx] + g * q[i * incy];
        a[element(t, j, j)] += f * p[j * incx] + g * q[j * incy];
    }
}

/* -- names */

#define F(NAME) INLINED void F_NAME(NAME)
#define C(NAME) INLINED void C_NAME(NAME)
#define I const int *

F(axpy)(I n, const T *alpha, const T *x, I incx, T *y, I incy) { OWN(axpy)(*n, *alpha, x, *incx, y, *incy); }
C(axpy)(int n, T alpha, const T *x, int incx, T *y, int incy) { OWN(axpy)(n, alpha, x, incx, y, incy); }
INLINED T F_NAME(dot)(I n, const T *x, I incx, const T *y, I incy) { return OWN(inner)(*n, x, *incx, y, *incy); }
INLINED T C_NAME(dot)(int n, const T *x, int incx, const T *y, int incy) { return OWN(inner)(n, x, incx, y, incy); }
F(scal)(I n, const T *alpha, T *x, I incx) { OWN(scal)(*n, *alpha, x, *incx); }
C(scal)(int n, T alpha, T *x, int incx) { OWN(scal)(n, alpha, x, incx); }
F(copy)(I n, const T *x, I incx, T *y, I incy) { OWN(copy_vector)(*n, x, *incx, y, *incy); }
C(copy)(int n, const T *x, int incx, T *y, int incy) { OWN(copy_vector)(n, x, incx, y, incy); }
F(swap)(I n, T *x, I incx, T *y, I incy) { OWN(swap)(*n, x, *incx, y, *incy); }
C(swap)(int n, T *x, int incx, T *y, int incy) { OWN(swap)(n, x, incx, y, incy); }
INLINED T F_NAME(nrm2)(I n, const T *x, I incx) { return OWN(nrm2)(*n, x, *incx); }
INLINED T C_NAME(nrm2)(int n, const T *x, int incx) { return OWN(nrm2)(n, x, incx); }
INLINED T F_NAME(asum)(I n, const T *x, I incx) { return OWN(asum)(*n, x, *incx); }
INLINED T C_NAME(asum)(int n, const T *x, int incx) { return OWN(asum)(n, x, incx); }
F(rot)(I n, T *x, I incx, T *y, I incy, const T *c, const T *s) { OWN(rot)(*n, x, *incx, y, *incy, *c, *s); }
C(rot)(int n, T *x, int incx, T *y, int incy, T c, T s) { OWN(rot)(n, x, incx, y, incy, c, s); }
F(rotg)(T *a, T *b, T *c, T *s) { OWN(rotg)(a, b, c, s); }
C(rotg)(T *a, T *b, T *c, T *s) { OWN(rotg)(a, b, c, s); }
F(rotm)(I n, T *x, I incx, T *y, I incy, const T *h) { OWN(rotm)(*n, x, *incx, y, *incy, h); }
C(rotm)(int n, T *x, int incx, T *y, int incy, const T *h) { OWN(rotm)(n, x, incx, y, incy, h); }

F(gemv)(const char *trans, I m, I n, const T *alpha, const T *a, I lda, const T *x, I incx, const T *beta, T *y, I incy) {
    OWN(gemv)(*trans, *m, *n, *alpha, a, *lda, x, *incx, *beta, y, *incy);
}
F(gbmv)(const char *trans, I m, I n, I kl, I ku, const T *alpha, const T *a, I lda, const T *x, I incx, const T *beta, T *y,
        I incy) {
    OWN(gbmv)(*trans, *m, *n, *kl, *ku, *alpha, a, *lda, x, *incx, *beta, y, *incy);
}
F(ger)(I m, I n, const T *alpha, const T *x, I incx, const T *y, I incy, T *a, I lda) {
    OWN(ger)(*m, *n, *alpha, x, *incx, y, *incy, a, *lda);
}
/* A matrix stored by rows is the transpose of one stored by columns. */
C(gemv)(int layout, int trans, int m, int n, T alpha, const T *a, int lda, const T *x, int incx, T beta, T *y, int incy) {
    if (layout == BY_ROWS)
        OWN(gemv)(other(trans_of(trans)), n, m, alpha, a, lda, x, incx, beta, y, incy);
    else
        OWN(gemv)(trans_of(trans), m, n, alpha, a, lda, x, incx, beta, y, incy);
}
C(gbmv)(int layout, int trans, int m, int n, int kl, int ku, T alpha, const T *a, int lda, const T *x, int incx, T beta,
        T *y, int incy) {
    if (layout == BY_ROWS)
        OWN(gbmv)(other(trans_of(trans)), n, m, ku, kl, alpha, a, lda, x, incx, beta, y, incy);
    else
        OWN(gbmv)(trans_of(trans), m, n, kl, ku, alpha, a, lda, x, incx, beta, y, incy);
}
C(ger)(int layout, int m, int n, T alpha, const T *x, int incx, const T *y, int incy, T *a, int lda) {
    if (layout == BY_ROWS)
        OWN(ger)(n, m, alpha, y, incy, x, incx, a, lda);
    else
        OWN(ger)(m, n, alpha, x, incx, y, incy, a, lda);
}

/* The functions on triangles, for one storage. FORTRAN_SHAPE and C_SHAPE are the parameters that say how A is stored;
 * F_OF and C_OF make of them what `struct triangle` is. FORTRAN_LD and C_LD come behind A. */
#define ON_TRIANGLES(S, FORTRAN_SHAPE, C_SHAPE, FORTRAN_LD, C_LD, F_OF, C_OF)                                     \
    F(S##mv)(const char *uplo, I n FORTRAN_SHAPE, const T *alpha, const T *a FORTRAN_LD, const T *x, I incx,   \
                        const T *beta, T *y, I incy) {                                                            \
        OWN(symv)(F_OF, *alpha, a, x, *incx, *beta, y, *incy);                                                    \
    }                                                                                                             \
    C(S##mv)(int layout, int uplo, int n C_SHAPE, T alpha, const T *a C_LD, const T *x, int incx, T beta,     \
                        T *y, int incy) {                                                                         \
        OWN(symv)(C_OF, alpha, a, x, incx, beta, y, incy);                                                        \
    }
#define TRIANGLES_SOLVED(NAME, BODY, FORTRAN_SHAPE, C_SHAPE, FORTRAN_LD, C_LD, F_OF, C_OF)                        \
    F(NAME)(const char *uplo, const char *trans, const char *diag, I n FORTRAN_SHAPE, const T *a FORTRAN_LD, T *x,  \
            I incx) {                                                                                             \
        OWN(BODY)(F_OF, *trans, *diag, a, x, *incx);                                                              \
    }                                                                                                             \
    C(NAME)(int layout, int uplo, int trans, int diag, int n C_SHAPE, const T *a C_LD, T *x, int incx) {          \
        char t = trans_of(trans);                                                                                 \
        OWN(BODY)(C_OF, layout == BY_ROWS ? other(t) : t, diag_of(diag), a, x, incx);                             \
    }
#define COMMA ,
#define FULL_F full(*uplo, *n, *lda)
#define FULL_C full(uplo_of(layout, uplo), n, lda)
#define BAND_F band(*uplo, *n, *k, *lda)
#define BAND_C band(uplo_of(layout, uplo), n, k, lda)
#define PACKED_F packed(*uplo, *n)
#define PACKED_C packed(uplo_of(layout, uplo), n)
ON_TRIANGLES(sy, , , COMMA I lda, COMMA int lda, FULL_F, FULL_C)
ON_TRIANGLES(sb, COMMA I k, COMMA int k, COMMA I lda, COMMA int lda, BAND_F, BAND_C)
ON_TRIANGLES(sp, , , , , PACKED_F, PACKED_C)
TRIANGLES_SOLVED(trmv, trmv, , , COMMA I lda, COMMA int lda, FULL_F, FULL_C)
TRIANGLES_SOLVED(tbmv, trmv, COMMA I k, COMMA int k, COMMA I lda, COMMA int lda, BAND_F, BAND_C)
TRIANGLES_SOLVED(tpmv, trmv, , , , , PACKED_F, PACKED_C)
TRIANGLES_SOLVED(trsv, trsv, , , COMMA I lda, COMMA int lda, FULL_F, FULL_C)
TRIANGLES_SOLVED(tbsv, trsv, COMMA I k, COMMA int k, COMMA I lda, COMMA int lda, BAND_F, BAND_C)
TRIANGLES_SOLVED(tpsv, trsv, , , , , PACKED_F, PACKED_C)

F(syr)(const char *uplo, I n, const T *alpha, const T *x, I incx, T *a, I lda) { OWN(syr)(FULL_F, *alpha, x, *incx, a); }
C(syr)(int layout, int uplo, int n, T alpha, const T *x, int incx, T *a, int lda) {
    OWN(syr)(FULL_C, alpha, x, incx, a);
}
F(spr)(const char *uplo, I n, const T *alpha, const T *x, I incx, T *a) { OWN(syr)(PACKED_F, *alpha, x, *incx, a); }
C(spr)(int layout, int uplo, int n, T alpha, const T *x, int incx, T *a) { OWN(syr)(PACKED_C, alpha, x, incx, a); }
F(syr2)(const char *uplo, I n, const T *alpha, const T *x, I incx, const T *y, I incy, T *a, I lda) {
    OWN(syr2)(FULL_F, *alpha, x, *incx, y, *incy, a);
}
C(syr2)(int layout, int uplo, int n, T alpha, const T *x, int incx, const T *y, int incy, T *a, int lda) {
    OWN(syr2)(FULL_C, alpha, x, incx, y, incy, a);
}
F(spr2)(const char *uplo, I n, const T *alpha, const T *x, I incx, const T *y, I incy, T *a) {
    OWN(syr2)(PACKED_F, *alpha, x, *incx, y, *incy, a);
}
C(spr2)(int layout, int uplo, int n, T alpha, const T *x, int incx, const T *y, int incy, T *a) {
    OWN(syr2)(PACKED_C, alpha, x, incx, y, incy, a);
}
#undef F
#undef C
#undef I

/* the first of the largest, counted from 1 */
static int64_t OWN(largest)(int64_t n, const T *x, int64_t incx) {
    int64_t found = 0;
    for (int64_t i = 1; incx > 0 && i < n; i++)
        if (ABSOLUTE(x[i * incx]) > ABSOLUTE(x[found * incx]))
            found = i;
    return incx > 0 && n > 0 ? found + 1 : 0;
}
INLINED int EZ_JOIN(__ez_stand_in_i, P, amax_)(const int *n, const T *x, const int *incx) {
    return OWN(largest)(*n, x, *incx);
}
INLINED size_t EZ_JOIN(__ez_stand_in_cblas_i, P, amax)(int n, const T *x, int incx) {
    int64_t found = OWN(largest)(n, x, incx);
    return found ? found - 1 : 0;
}
