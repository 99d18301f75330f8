/* What derivatives of routines on matrices share, for one type. A matrix is stored by columns, LD apart.
 *
 * T is a real or a complex type, REAL the real one of the same precision. The adjoint of a complex number z is
 * dL/d(re z) + i dL/d(im z). So in L = Re(sum of conj(A') A), the adjoint of C = A B gives A' = C' B^H and B' = A^H C'. */

#define OWN(NAME) EZ_JOIN(ez_, P, NAME)
#define MATRIX struct OWN(matrix)
#define KEPT struct OWN(kept)

#ifndef EZ_MATRICES_H
#define EZ_MATRICES_H
/* A letter says what op(A) is: N for A, T for A^T, C for A^H, R for the conjugate of A. Most libraries do not know R. Real
 * types have all four, too. */
static ALWAYS_INLINE int is_plain(char c) { return c == 'N' || c == 'n' || c == 'R' || c == 'r'; }
static ALWAYS_INLINE int is_conjugated(char c) { return c == 'C' || c == 'c' || c == 'R' || c == 'r'; }
static ALWAYS_INLINE char letter(int is_plain, int is_conjugated) {
    return is_plain ? is_conjugated ? 'R' : 'N' : is_conjugated ? 'C' : 'T';
}
static ALWAYS_INLINE char transposed(char c) { return letter(!is_plain(c), is_conjugated(c)); }
static ALWAYS_INLINE char conjugated(char c) { return letter(is_plain(c), !is_conjugated(c)); }
static ALWAYS_INLINE char adjoint(char c) { return letter(!is_plain(c), !is_conjugated(c)); }
static ALWAYS_INLINE int is_left(char c) { return c == 'L' || c == 'l'; }
static ALWAYS_INLINE int is_upper(char c) { return c == 'U' || c == 'u'; }
static ALWAYS_INLINE int is_unit(char c) { return c == 'U' || c == 'u'; }
static ALWAYS_INLINE char other(char c) { return is_plain(c) ? 'T' : 'N'; }
static ALWAYS_INLINE char inverse(char c) { return is_plain(c) ? 'C' : 'N'; } /* of a unitary matrix */
static ALWAYS_INLINE char without_conjugate(char c) { return is_plain(c) ? 'N' : c; } /* N for R */
static ALWAYS_INLINE int64_t at_least_1(int64_t n) { return n < 1 ? 1 : n; }
#endif

#undef CONJ
#undef SQUARE
#undef ONE_NORM
#undef MIXED
#undef SELF_ADJOINT
#undef ORTHOGONAL
#if IS_COMPLEX
#define CONJ(X) (~(X))
#define SQUARE(X) (__real__(X) * __real__(X) + __imag__(X) * __imag__(X)) /* of the absolute value */
#define ONE_NORM(X) (ABSOLUTE(__real__(X)) + ABSOLUTE(__imag__(X)))
#define MIXED(X) ((X) * (X)) /* both parts depend on both */
#define SELF_ADJOINT(NAME) he##NAME /* the routine for matrices that are their own adjoint */
#define ORTHOGONAL(NAME) un##NAME   /* the routine for matrices whose inverse is their adjoint */
#else
#define CONJ(X) (X)
#define SQUARE(X) ((X) * (X))
#define ONE_NORM(X) ABSOLUTE(X)
#define MIXED(X) (X)
#define SELF_ADJOINT(NAME) sy##NAME
#define ORTHOGONAL(NAME) or##NAME
#endif

MATRIX {
    const T *at;
    int64_t ld;
};

/* Up to six matrices that are needed, and the size of the tape that has those which will have changed. */
KEPT {
    MATRIX m[6];
    size_t size;
};

/* Adds a matrix that is needed. One that stays unchanged is used where it lies. Another is copied at its moment. */
static ALWAYS_INLINE void OWN(keep)(KEPT *kept, int number, int is_needed, int stays, const T *a, int64_t rows,
                                    int64_t columns, int64_t ld, T *tape, int is_now) {
    kept->m[number] = (MATRIX){a, ld};
    if (!is_needed || stays || rows <= 0 || columns <= 0)
        return;
    T *place = tape ? tape + kept->size : NULL;
    if (is_now)
        for (int64_t j = 0; j < columns; j++)
            memcpy(place + j * rows, a + j * ld, rows * sizeof(T));
    kept->m[number] = (MATRIX){place, rows};
    kept->size += rows * columns;
}

/* The same for integers, which are kept as numbers: exact up to 2^24, more than any matrix has rows. */
static ALWAYS_INLINE void OWN(keep_integers)(KEPT *kept, int number, int is_needed, const int *a, int64_t count, T *tape,
                                             int is_now) {
    if (!is_needed || count <= 0)
        return;
    T *place = tape ? tape + kept->size : NULL;
    for (int64_t i = 0; is_now && i < count; i++)
        place[i] = a[i];
    kept->m[number] = (MATRIX){place, count};
    kept->size += count;
}

/* The following stand for reads and writes in the functions that the analyses see. */
static ALWAYS_INLINE T OWN(read)(const T *a, int64_t rows, int64_t columns, int64_t ld) {
    T sum = 0;
    for (int64_t j = 0; j < columns; j++)
        for (int64_t i = 0; i < rows; i++)
            sum += a[i + j * ld];
    return sum;
}

static ALWAYS_INLINE void OWN(change)(T *a, int64_t rows, int64_t columns, int64_t ld, T by) {
    for (int64_t j = 0; j < columns; j++)
        for (int64_t i = 0; i < rows; i++)
            a[i + j * ld] = MIXED(a[i + j * ld] + by);
}

/* -- small operations on matrices */

static ALWAYS_INLINE T *OWN(new)(int64_t rows, int64_t columns) {
    return malloc(at_least_1(rows * columns) * sizeof(T));
}

static ALWAYS_INLINE T *OWN(copy)(const T *a, int64_t rows, int64_t columns, int64_t ld) {
    T *made = OWN(new)(rows, columns);
    for (int64_t j = 0; j < columns; j++)
        memcpy(made + j * rows, a + j * ld, rows * sizeof(T));
    return made;
}

static ALWAYS_INLINE void OWN(conjugate)(T *a, int64_t rows, int64_t columns, int64_t ld) {
    for (int64_t j = 0; IS_COMPLEX && j < columns; j++)
        for (int64_t i = 0; i < rows; i++)
            a[i + j * ld] = CONJ(a[i + j * ld]);
}

static ALWAYS_INLINE void OWN(conjugate_unless)(int condition, T *a, int64_t rows, int64_t columns, int64_t ld) {
    if (!condition)
        OWN(conjugate)(a, rows, columns, ld);
}

/* Returns the conjugate, which is the matrix itself if the type is real. `release` frees it. */
static ALWAYS_INLINE MATRIX OWN(conjugate_of)(MATRIX a, int64_t rows, int64_t columns) {
    if (!IS_COMPLEX)
        return a;
    T *made = OWN(copy)(a.at, rows, columns, a.ld);
    OWN(conjugate)(made, rows, columns, rows);
    return (MATRIX){made, at_least_1(rows)};
}

static ALWAYS_INLINE void OWN(release)(MATRIX made, MATRIX of) {
    if (made.at != of.at)
        free((T *)made.at);
}

/* the sum of the products of A with the conjugates of B */
static ALWAYS_INLINE T OWN(dot)(const T *a, int64_t lda, const T *b, int64_t ldb, int64_t rows, int64_t columns) {
    T sum = 0;
    for (int64_t j = 0; j < columns; j++)
        for (int64_t i = 0; i < rows; i++)
            sum += a[i + j * lda] * CONJ(b[i + j * ldb]);
    return sum;
}

/* A = f A; with f = 0, A may hold anything before */
static ALWAYS_INLINE void OWN(scale)(T *a, int64_t rows, int64_t columns, int64_t ld, T f) {
    for (int64_t j = 0; f != 1 && j < columns; j++)
        for (int64_t i = 0; i < rows; i++)
            a[i + j * ld] = f == 0 ? 0 : f * a[i + j * ld];
}

/* A += f B */
static ALWAYS_INLINE void OWN(add)(T *a, int64_t lda, const T *b, int64_t ldb, int64_t rows, int64_t columns, T f) {
    for (int64_t j = 0; j < columns; j++)
        for (int64_t i = 0; i < rows; i++)
            a[i + j * lda] += f * b[i + j * ldb];
}

/* the rows of a column that belong to the triangle of a square matrix; is_strict: without the diagonal */
static ALWAYS_INLINE int64_t OWN(first)(char uplo, int is_strict, int64_t j) { return is_upper(uplo) ? 0 : j + is_strict; }
static ALWAYS_INLINE int64_t OWN(last)(char uplo, int is_strict, int64_t j, int64_t n) {
    return is_upper(uplo) ? j - is_strict : n - 1;
}

/* The triangle of A += f times that of B. */
static ALWAYS_INLINE void OWN(add_triangle)(char uplo, int is_strict, T *a, int64_t lda, const T *b, int64_t ldb, int64_t n,
                                            T f) {
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = OWN(first)(uplo, is_strict, j); i <= OWN(last)(uplo, is_strict, j, n); i++)
            a[i + j * lda] += f * b[i + j * ldb];
}

static ALWAYS_INLINE T OWN(dot_triangle)(char uplo, const T *a, int64_t lda, const T *b, int64_t ldb, int64_t n) {
    T sum = 0;
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = OWN(first)(uplo, 0, j); i <= OWN(last)(uplo, 0, j, n); i++)
            sum += a[i + j * lda] * CONJ(b[i + j * ldb]);
    return sum;
}

static ALWAYS_INLINE void OWN(scale_triangle)(char uplo, T *a, int64_t lda, int64_t n, T f) {
    for (int64_t j = 0; f != 1 && j < n; j++)
        for (int64_t i = OWN(first)(uplo, 0, j); i <= OWN(last)(uplo, 0, j, n); i++)
            a[i + j * lda] = f == 0 ? 0 : f * a[i + j * lda];
}

/* Returns the whole of a matrix whose triangle is stored; its diagonal times f. */
static ALWAYS_INLINE T *OWN(whole_of)(int is_hermitian, char uplo, const T *a, int64_t lda, int64_t n, T f) {
    T *made = OWN(new)(n, n);
    for (int64_t j = 0; j < n; j++) {
        for (int64_t i = OWN(first)(uplo, 1, j); i <= OWN(last)(uplo, 1, j, n); i++) {
            made[i + j * n] = a[i + j * lda];
            made[j + i * n] = is_hermitian ? CONJ(a[i + j * lda]) : a[i + j * lda];
        }
        made[j + j * n] = f * (is_hermitian ? __real__ a[j + j * lda] : a[j + j * lda]);
    }
    return made;
}

/* The same of a matrix that is its own adjoint. */
static ALWAYS_INLINE T *OWN(whole)(char uplo, const T *a, int64_t lda, int64_t n, T f) {
    return OWN(whole_of)(1, uplo, a, lda, n, f);
}

/* Returns the triangle of a matrix, with zeros in the other one. */
static ALWAYS_INLINE T *OWN(triangle)(char uplo, int is_strict, const T *a, int64_t lda, int64_t n) {
    T *made = calloc(at_least_1(n * n), sizeof(T));
    OWN(add_triangle)(uplo, is_strict, made, n, a, lda, n, 1);
    return made;
}

/* The triangle of A becomes that of B, with its diagonal times f. */
static ALWAYS_INLINE void OWN(put_triangle)(char uplo, T *a, int64_t lda, const T *b, int64_t ldb, int64_t n, T f) {
    for (int64_t j = 0; j < n; j++) {
        for (int64_t i = OWN(first)(uplo, 1, j); i <= OWN(last)(uplo, 1, j, n); i++)
            a[i + j * lda] = b[i + j * ldb];
        a[j + j * lda] = f * b[j + j * ldb];
    }
}

static ALWAYS_INLINE int OWN(is_zero)(const T *a, int64_t rows, int64_t columns, int64_t ld) {
    for (int64_t j = 0; j < columns; j++)
        for (int64_t i = 0; i < rows; i++)
            if (a[i + j * ld] != 0)
                return 0;
    return 1;
}

/* -- the part of beta in C = … + beta C. With beta = 0, C is not read. */

static ALWAYS_INLINE void OWN(reverse_beta)(int64_t m, int64_t n, MATRIX C, const T *beta, T *dbeta, T *dc, int64_t ldc) {
    if (dbeta && *beta != 0)
        *dbeta += OWN(dot)(dc, ldc, C.at, C.ld, m, n);
    OWN(scale)(dc, m, n, ldc, CONJ(*beta));
}

static ALWAYS_INLINE void OWN(forward_beta)(int64_t m, int64_t n, MATRIX C, const T *beta, T *dbeta, T *dc, int64_t ldc) {
    OWN(scale)(dc, m, n, ldc, *beta);
    if (dbeta && *beta != 0)
        OWN(add)(dc, ldc, C.at, C.ld, m, n, *dbeta);
}

static ALWAYS_INLINE void OWN(reverse_beta_triangle)(char uplo, int64_t n, MATRIX C, const T *beta, T *dbeta, T *dc,
                                                     int64_t ldc) {
    if (dbeta && *beta != 0)
        *dbeta += OWN(dot_triangle)(uplo, dc, ldc, C.at, C.ld, n);
    OWN(scale_triangle)(uplo, dc, ldc, n, CONJ(*beta));
}

static ALWAYS_INLINE void OWN(forward_beta_triangle)(char uplo, int64_t n, MATRIX C, const T *beta, T *dbeta, T *dc,
                                                     int64_t ldc) {
    OWN(scale_triangle)(uplo, dc, ldc, n, *beta);
    if (dbeta && *beta != 0)
        OWN(add_triangle)(uplo, 0, dc, ldc, C.at, C.ld, n, *dbeta);
}
