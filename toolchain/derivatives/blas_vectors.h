/* BLAS, levels 1 and 2, for one type T with the letter P.
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
/* how an element on the other side of the diagonal follows from one on this side; of a Hermitian matrix, conjugated */
enum mirror { SYMMETRIC, HERMITIAN_MATRIX };
#endif

/* -- level 1 */

static void OWN(axpy)(int64_t n, T alpha, const T *x, int64_t incx, T *y, int64_t incy) {
    const T *p = x + start(n, incx);
    T *q = y + start(n, incy);
    for (int64_t i = 0; i < n; i++)
        q[i * incy] += alpha * p[i * incx];
}

static ALWAYS_INLINE T OWN(conj_if)(int is_conjugated, T x) { return is_conjugated ? CONJ(x) : x; }

static ALWAYS_INLINE T OWN(inner)(int of_x, int64_t n, const T *x, int64_t incx, const T *y, int64_t incy) {
    const T *p = x + start(n, incx), *q = y + start(n, incy);
    T sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += OWN(conj_if)(of_x, p[i * incx]) * q[i * incy];
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
static REAL OWN(nrm2)(int64_t n, const T *x, int64_t incx) {
    REAL sum = 0, largest = 0;
    if (incx < 0)
        x += (1 - n) * incx;
    for (int64_t i = 0; i < n; i++)
        sum += SQUARE(x[i * incx]);
    if (sum > SMALLEST && sum < LARGEST)
        return ROOT(sum);
    for (int64_t i = 0; i < n; i++)
        if (ONE_NORM(x[i * incx]) > largest)
            largest = ONE_NORM(x[i * incx]);
    if (!(largest > 0 && largest <= LARGEST))
        return ROOT(sum);
    REAL scaled = 0;
    for (int64_t i = 0; i < n; i++)
        scaled += SQUARE(x[i * incx] / largest);
    return largest * ROOT(scaled);
}

static REAL OWN(asum)(int64_t n, const T *x, int64_t incx) {
    REAL sum = 0;
    for (int64_t i = 0; incx > 0 && i < n; i++)
        sum += ONE_NORM(x[i * incx]);
    return sum;
}

static void OWN(rot)(int64_t n, T *x, int64_t incx, T *y, int64_t incy, REAL c, REAL s) {
    T *p = x + start(n, incx), *q = y + start(n, incy);
    for (int64_t i = 0; i < n; i++) {
        T t = c * p[i * incx] + s * q[i * incy];
        q[i * incy] = c * q[i * incy] - s * p[i * incx];
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
    int has_conjugate = is_conjugated(trans);
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
                q[i * incy] += f * OWN(conj_if)(has_conjugate, column[i]);
        } else {
            T sum = 0;
            for (int64_t i = first; i <= last; i++)
                sum += OWN(conj_if)(has_conjugate, column[i]) * p[i * incx];
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

/* A += alpha x y^T, with x or y conjugated */
static ALWAYS_INLINE void OWN(ger)(int of_x, int of_y, int64_t m, int64_t n, T alpha, const T *x, int64_t incx, const T *y,
                                   int64_t incy, T *a, int64_t lda) {
    const T *p = x + start(m, incx), *q = y + start(n, incy);
    for (int64_t j = 0; j < n; j++) {
        T f = alpha * OWN(conj_if)(of_y, q[j * incy]);
        for (int64_t i = 0; i < m; i++)
            a[i + j * lda] += OWN(conj_if)(of_x, p[i * incx]) * f;
    }
}

/* -- level 2: symmetric and triangular matrices, in all three forms of storage */

static ALWAYS_INLINE T OWN(on_diagonal)(enum mirror mirror, T x) { return mirror ? __real__ x : x; }

/* y = alpha A x + beta y, or with the conjugate of A */
static ALWAYS_INLINE void OWN(symv)(enum mirror mirror, int is_of_conjugate, struct triangle t, T alpha, const T *a,
                                    const T *x, int64_t incx, T beta, T *y, int64_t incy) {
    const T *p = x + start(t.n, incx);
    T *q = y + start(t.n, incy);
    OWN(scale_result)(t.n, beta, y, incy);
    for (int64_t j = 0; j < t.n; j++) {
        T f = alpha * p[j * incx], sum = 0;
        for (int64_t i = first_row(t, j); i <= last_row(t, j); i++) {
            T v = OWN(conj_if)(is_of_conjugate, a[element(t, i, j)]);
            q[i * incy] += f * v;
            sum += OWN(conj_if)(mirror, v) * p[i * incx];
        }
        q[j * incy] += f * OWN(on_diagonal)(mirror, a[element(t, j, j)]) + alpha * sum;
    }
}

/* x = op(A) x */
static ALWAYS_INLINE void OWN(trmv)(struct triangle t, char trans, char diag, const T *a, T *x, int64_t incx) {
    int has_conjugate = is_conjugated(trans);
    T *p = x + start(t.n, incx), *product = OWN(new)(t.n, 1);
    for (int64_t j = 0; j < t.n; j++)
        product[j] = is_unit(diag) ? p[j * incx] : OWN(conj_if)(has_conjugate, a[element(t, j, j)]) * p[j * incx];
    for (int64_t j = 0; j < t.n; j++) {
        T sum = 0;
        for (int64_t i = first_row(t, j); i <= last_row(t, j); i++)
            if (is_plain(trans))
                product[i] += OWN(conj_if)(has_conjugate, a[element(t, i, j)]) * p[j * incx];
            else
                sum += OWN(conj_if)(has_conjugate, a[element(t, i, j)]) * p[i * incx];
        product[j] += sum;
    }
    for (int64_t j = 0; j < t.n; j++)
        p[j * incx] = product[j];
    free(product);
}

#if IS_COMPLEX
/* scaled, so that squares stay in the range of the type */
static ALWAYS_INLINE T OWN(quotient)(T x, T y) {
    REAL scale = ONE_NORM(y);
    T scaled = y / scale;
    return x / scale * CONJ(scaled) / SQUARE(scaled);
}
#else
static ALWAYS_INLINE T OWN(quotient)(T x, T y) { return x / y; }
#endif

/* op(A) x = b, where b is in x */
static ALWAYS_INLINE void OWN(trsv)(struct triangle t, char trans, char diag, const T *a, T *x, int64_t incx) {
    T *p = x + start(t.n, incx);
    int has_conjugate = is_conjugated(trans);
    int is_down = t.is_upper != is_plain(trans); /* from the first unknown to the last */
    for (int64_t l = 0; l < t.n; l++) {
        int64_t j = is_down ? l : t.n - 1 - l;
        T value = p[j * incx];
        if (!is_plain(trans))
            for (int64_t i = first_row(t, j); i <= last_row(t, j); i++)
                value -= OWN(conj_if)(has_conjugate, a[element(t, i, j)]) * p[i * incx];
        if (!is_unit(diag))
            value = OWN(quotient)(value, OWN(conj_if)(has_conjugate, a[element(t, j, j)]));
        p[j * incx] = value;
        if (is_plain(trans))
            for (int64_t i = first_row(t, j); i <= last_row(t, j); i++)
                p[i * incx] -= value * OWN(conj_if)(has_conjugate, a[element(t, i, j)]);
    }
}

/* A += alpha x x^T, or alpha x x^H with alpha real; of_first: the conjugate of this (matrices stored by rows) */
static ALWAYS_INLINE void OWN(syr)(enum mirror mirror, int of_first, struct triangle t, T alpha, const T *x, int64_t incx,
                                   T *a) {
    const T *p = x + start(t.n, incx);
    int of_second = (int)mirror != of_first;
    for (int64_t j = 0; j < t.n; j++) {
        T f = alpha * OWN(conj_if)(of_second, p[j * incx]), *d = a + element(t, j, j);
        for (int64_t i = first_row(t, j); i <= last_row(t, j); i++)
            a[element(t, i, j)] += f * OWN(conj_if)(of_first, p[i * incx]);
        *d += f * OWN(conj_if)(of_first, p[j * incx]);
        if (mirror && alpha != 0)
            *d = __real__ *d;
    }
}

/* A += alpha x y^T + alpha y x^T, or alpha x y^H + /alpha y x^H; of_first: the conjugate of this */
static ALWAYS_INLINE void OWN(syr2)(enum mirror mirror, int of_first, struct triangle t, T alpha, const T *x, int64_t incx,
                                    const T *y, int64_t incy, T *a) {
    const T *p = x + start(t.n, incx), *q = y + start(t.n, incy);
    int of_second = (int)mirror != of_first;
    T along_x = OWN(conj_if)(of_first, alpha), along_y = OWN(conj_if)(of_second, alpha);
    for (int64_t j = 0; j < t.n; j++) {
        T f = along_x * OWN(conj_if)(of_second, q[j * incy]), g = along_y * OWN(conj_if)(of_second, p[j * incx]);
        T *d = a + element(t, j, j);
        for (int64_t i = first_row(t, j); i <= last_row(t, j); i++)
            a[element(t, i, j)] += f * OWN(conj_if)(of_first, p[i * incx]) + g * OWN(conj_if)(of_first, q[i * incy]);
        *d += f * OWN(conj_if)(of_first, p[j * incx]) + g * OWN(conj_if)(of_first, q[j * incy]);
        if (mirror && alpha != 0)
            *d = __real__ *d;
    }
}

/* the first of the largest, counted from 1 */
static int64_t OWN(largest)(int64_t n, const T *x, int64_t incx) {
    int64_t found = 0;
    for (int64_t i = 1; incx > 0 && i < n; i++)
        if (ONE_NORM(x[i * incx]) > ONE_NORM(x[found * incx]))
            found = i;
    return incx > 0 && n > 0 ? found + 1 : 0;
}
