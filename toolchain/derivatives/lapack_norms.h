/* LAPACK's norms, condition numbers, and the routines that copy, set, scale and exchange parts of matrices, for one
 * type T with the letter P.
 *
 * All but condition numbers have bodies, which are differentiated like the program's own code. Condition numbers are
 * estimates, by which programs decide what they do: they have the derivative 0. */

#ifndef EZ_LAPACK_NORMS_H
#define EZ_LAPACK_NORMS_H
/* Which elements a matrix has: kl diagonals below the main one and ku above. The diagonal may count as ones. A symmetric
 * matrix stores one triangle. */
struct region {
    int64_t m, n, kl, ku, ld;
    int is_band, is_symmetric, is_hermitian, has_ones;
};
static ALWAYS_INLINE struct region general(int64_t m, int64_t n, int64_t ld) {
    return (struct region){m, n, m, n, ld, 0, 0, 0, 0};
}
static ALWAYS_INLINE struct region triangular(char uplo, char diag, int64_t m, int64_t n, int64_t ld) {
    return (struct region){m, n, is_upper(uplo) ? 0 : m, is_upper(uplo) ? n : 0, ld, 0, 0, 0, is_unit(diag)};
}
static ALWAYS_INLINE struct region symmetric(char uplo, int64_t n, int64_t ld) {
    return (struct region){n, n, is_upper(uplo) ? 0 : n, is_upper(uplo) ? n : 0, ld, 0, 1, 0, 0};
}
static ALWAYS_INLINE struct region hermitian(char uplo, int64_t n, int64_t ld) {
    struct region r = symmetric(uplo, n, ld);
    r.is_hermitian = 1;
    return r;
}
static ALWAYS_INLINE struct region banded(int64_t n, int64_t kl, int64_t ku, int64_t ld) {
    return (struct region){n, n, kl, ku, ld, 1, 0, 0, 0};
}
static ALWAYS_INLINE int64_t top(struct region r, int64_t j) { return j > r.ku ? j - r.ku : 0; }
static ALWAYS_INLINE int64_t bottom(struct region r, int64_t j) { return j + r.kl < r.m - 1 ? j + r.kl : r.m - 1; }
static ALWAYS_INLINE int64_t place(struct region r, int64_t i, int64_t j) {
    return i + j * r.ld + (r.is_band ? r.ku - j : 0);
}
static ALWAYS_INLINE int is_maximum(char norm) { return norm == 'M' || norm == 'm'; }
static ALWAYS_INLINE int is_of_columns(char norm) { return norm == 'O' || norm == 'o' || norm == '1'; }
static ALWAYS_INLINE int is_of_rows(char norm) { return norm == 'I' || norm == 'i'; }
static ALWAYS_INLINE char norm_of_transpose(char norm) {
    return is_of_columns(norm) ? 'I' : is_of_rows(norm) ? 'O' : norm;
}
#endif

/* -- norms */

static ALWAYS_INLINE T OWN(element_of)(struct region r, const T *a, int64_t i, int64_t j) {
    T value = a[place(r, i, j)];
    return r.has_ones && i == j ? 1 : r.is_hermitian && i == j ? __real__ value : value;
}
static ALWAYS_INLINE REAL OWN(magnitude)(struct region r, const T *a, int64_t i, int64_t j) {
    T value = OWN(element_of)(r, a, i, j);
#if IS_COMPLEX
    return DISTANCE(__real__ value, __imag__ value);
#else
    return ABSOLUTE(value);
#endif
}

static REAL OWN(largest_element)(struct region r, const T *a) {
    REAL value = 0;
    for (int64_t j = 0; j < r.n; j++)
        for (int64_t i = top(r, j); i <= bottom(r, j); i++) {
            REAL v = OWN(magnitude)(r, a, i, j);
            if (!(v <= value))
                value = v;
        }
    return value;
}

static REAL OWN(sum_of_squares)(struct region r, const T *a, REAL unit) {
    REAL sum = 0;
    for (int64_t j = 0; j < r.n; j++)
        for (int64_t i = top(r, j); i <= bottom(r, j); i++) {
            T v = OWN(element_of)(r, a, i, j) / unit;
            sum += (r.is_symmetric && i != j ? 2 : 1) * SQUARE(v);
        }
    return sum;
}

/* Numbers are scaled only where their squares leave the range of the type. */
static REAL OWN(root_of_squares)(struct region r, const T *a) {
    REAL sum = OWN(sum_of_squares)(r, a, 1);
    if (sum > SMALLEST && sum < LARGEST)
        return ROOT(sum);
    REAL largest = OWN(largest_element)(r, a);
    if (!(largest > 0 && largest <= LARGEST))
        return ROOT(sum);
    return largest * ROOT(OWN(sum_of_squares)(r, a, largest));
}

/* the largest sum of magnitudes of a row, or of a column */
static REAL OWN(largest_sum)(struct region r, int by_rows, const T *a) {
    int64_t count = by_rows ? r.m : r.n;
    REAL *sums = calloc(at_least_1(count), sizeof(REAL)), value = 0;
    for (int64_t j = 0; j < r.n; j++)
        for (int64_t i = top(r, j); i <= bottom(r, j); i++) {
            REAL v = OWN(magnitude)(r, a, i, j);
            sums[by_rows ? i : j] += v;
            if (r.is_symmetric && i != j)
                sums[by_rows ? j : i] += v;
        }
    for (int64_t i = 0; i < count; i++)
        if (!(sums[i] <= value))
            value = sums[i];
    free(sums);
    return value;
}

static REAL OWN(norm)(char norm, struct region r, const T *a) {
    if (r.m <= 0 || r.n <= 0)
        return 0;
    if (is_maximum(norm))
        return OWN(largest_element)(r, a);
    if (is_of_columns(norm) || is_of_rows(norm))
        return OWN(largest_sum)(r, is_of_rows(norm), a);
    return OWN(root_of_squares)(r, a);
}

INLINED REAL F_NAME(lange)(const char *norm, const int *m, const int *n, const T *a, const int *lda, REAL *work) {
    return OWN(norm)(*norm, general(*m, *n, *lda), a);
}
INLINED REAL F_NAME(lansy)(const char *norm, const char *uplo, const int *n, const T *a, const int *lda, REAL *work) {
    return OWN(norm)(*norm, symmetric(*uplo, *n, *lda), a);
}
INLINED REAL F_NAME(lantr)(const char *norm, const char *uplo, const char *diag, const int *m, const int *n, const T *a,
                        const int *lda, REAL *work) {
    return OWN(norm)(*norm, triangular(*uplo, *diag, *m, *n, *lda), a);
}
INLINED REAL F_NAME(langb)(const char *norm, const int *n, const int *kl, const int *ku, const T *ab, const int *ldab,
                        REAL *work) {
    return OWN(norm)(*norm, banded(*n, *kl, *ku, *ldab), ab);
}
INLINED REAL E_NAME(lange)(int layout, char norm, int m, int n, const T *a, int lda) {
    return layout == BY_ROWS ? OWN(norm)(norm_of_transpose(norm), general(n, m, lda), a)
                             : OWN(norm)(norm, general(m, n, lda), a);
}
INLINED REAL E_NAME(lansy)(int layout, char norm, char uplo, int n, const T *a, int lda) {
    return OWN(norm)(norm, symmetric(by_columns(layout, uplo), n, lda), a);
}
INLINED REAL E_NAME(lantr)(int layout, char norm, char uplo, char diag, int m, int n, const T *a, int lda) {
    return layout == BY_ROWS
               ? OWN(norm)(norm_of_transpose(norm), triangular(by_columns(layout, uplo), diag, n, m, lda), a)
               : OWN(norm)(norm, triangular(uplo, diag, m, n, lda), a);
}

#if IS_COMPLEX
INLINED REAL F_NAME(lanhe)(const char *norm, const char *uplo, const int *n, const T *a, const int *lda, REAL *work) {
    return OWN(norm)(*norm, hermitian(*uplo, *n, *lda), a);
}
INLINED REAL E_NAME(lanhe)(int layout, char norm, char uplo, int n, const T *a, int lda) {
    return OWN(norm)(norm, hermitian(by_columns(layout, uplo), n, lda), a);
}
#endif

/* scale^2 sumsq += x^H x */
INLINED void F_NAME(lassq)(const int *n, const T *x, const int *incx, REAL *scale, REAL *sumsq) {
    REAL norm = OWN(nrm2)(*n, x, *incx), largest = norm > *scale ? norm : *scale;
    if (largest == 0)
        return;
    *sumsq = *scale / largest * (*scale / largest) * *sumsq + norm / largest * (norm / largest);
    *scale = largest;
}

/* -- parts of matrices: everything, or the upper or the lower triangle with the diagonal */

static ALWAYS_INLINE struct region OWN(part)(char uplo, int64_t m, int64_t n, int64_t ld) {
    int is_part = is_upper(uplo) || is_left(uplo);
    return is_part ? triangular(uplo, 'N', m, n, ld) : general(m, n, ld);
}

static void OWN(lacpy)(char uplo, int64_t m, int64_t n, const T *a, int64_t lda, T *b, int64_t ldb) {
    struct region r = OWN(part)(uplo, m, n, lda);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = top(r, j); i <= bottom(r, j); i++)
            b[i + j * ldb] = a[i + j * lda];
}

/* alpha off the diagonal, beta on it */
static void OWN(laset)(char uplo, int64_t m, int64_t n, T alpha, T beta, T *a, int64_t lda) {
    struct region r = OWN(part)(uplo, m, n, lda);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = top(r, j); i <= bottom(r, j); i++)
            if (i != j)
                a[i + j * lda] = alpha;
    for (int64_t i = 0; i < m && i < n; i++)
        a[i + i * lda] = beta;
}

/* Types G, L, U, H (general, triangles, Hessenberg). Those of bands are not differentiated. */
static void OWN(lascl)(char type, REAL from, REAL to, int64_t m, int64_t n, T *a, int64_t lda) {
    int is_hessenberg = type == 'H' || type == 'h';
    struct region r = OWN(part)(type, m, n, lda);
    __ez_refuse(type == 'B' || type == 'b' || type == 'Q' || type == 'q' || type == 'Z' || type == 'z',
                "matrices stored as bands are not scaled in derivatives (lascl)");
    if (is_hessenberg)
        r = (struct region){m, n, 1, n, lda, 0, 0, 0, 0};
    REAL f = to / from;
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = top(r, j); i <= bottom(r, j); i++)
            a[i + j * lda] *= f;
}

/* Exchanges rows first to last (from 1) with those that pivots name, in this order or, for a negative increment, back. */
static void OWN(laswp)(int64_t n, T *a, int64_t lda, int64_t first, int64_t last, const int *pivots, int64_t inc) {
    for (int64_t l = first; inc != 0 && l <= last; l++) {
        int64_t i = inc > 0 ? l : first + last - l;
        int64_t with = pivots[first - 1 + (i - first) * (inc > 0 ? inc : -inc)] - 1;
        for (int64_t j = 0; with != i - 1 && j < n; j++) {
            T t = a[i - 1 + j * lda];
            a[i - 1 + j * lda] = a[with + j * lda];
            a[with + j * lda] = t;
        }
    }
}

INLINED void F_NAME(lacpy)(const char *uplo, const int *m, const int *n, const T *a, const int *lda, T *b,
                           const int *ldb) {
    OWN(lacpy)(*uplo, *m, *n, a, *lda, b, *ldb);
}
INLINED int E_NAME(lacpy)(int layout, char uplo, int m, int n, const T *a, int lda, T *b, int ldb) {
    char part = is_upper(uplo) || is_left(uplo) ? by_columns(layout, uplo) : uplo;
    OWN(lacpy)(part, layout == BY_ROWS ? n : m, layout == BY_ROWS ? m : n, a, lda, b, ldb);
    return 0;
}
INLINED void F_NAME(laset)(const char *uplo, const int *m, const int *n, const T *alpha, const T *beta, T *a,
                           const int *lda) {
    OWN(laset)(*uplo, *m, *n, *alpha, *beta, a, *lda);
}
INLINED int E_NAME(laset)(int layout, char uplo, int m, int n, T alpha, T beta, T *a, int lda) {
    char part = is_upper(uplo) || is_left(uplo) ? by_columns(layout, uplo) : uplo;
    OWN(laset)(part, layout == BY_ROWS ? n : m, layout == BY_ROWS ? m : n, alpha, beta, a, lda);
    return 0;
}
INLINED void F_NAME(lascl)(const char *type, const int *kl, const int *ku, const REAL *from, const REAL *to,
                           const int *m, const int *n, T *a, const int *lda, int *info) {
    *info = 0;
    OWN(lascl)(*type, *from, *to, *m, *n, a, *lda);
}
INLINED void F_NAME(laswp)(const int *n, T *a, const int *lda, const int *first, const int *last, const int *ipiv,
                           const int *incx) {
    OWN(laswp)(*n, a, *lda, *first, *last, ipiv, *incx);
}

#if !IS_COMPLEX
/* The numbers that describe the type. */
INLINED T F_NAME(lamch)(const char *which) {
    switch (*which | 32) {
    case 'e': return ULP / 2;
    case 's': return LEAST;
    case 'b': return 2;
    case 'p': return ULP;
    case 'n': return DIGITS;
    case 'r': return 1;
    case 'm': return LEAST_EXPONENT;
    case 'u': return LEAST;
    case 'l': return GREATEST_EXPONENT;
    case 'o': return GREATEST;
    default: return 0;
    }
}
#endif

/* -- condition numbers, which have the derivative 0 */

#undef WORK
#if IS_COMPLEX
#define WORK T *, REAL *
#else
#define WORK T *, int *
#endif
extern void FORTRAN(P, gecon)(const char *, const int *, const T *, const int *, const REAL *, REAL *, WORK, int *, size_t);
extern void FORTRAN(P, pocon)(const char *, const int *, const T *, const int *, const REAL *, REAL *, WORK, int *, size_t);
extern void FORTRAN(P, trcon)(const char *, const char *, const char *, const int *, const T *, const int *, REAL *, WORK,
                              int *, size_t, size_t, size_t);
extern void FORTRAN(P, gbcon)(const char *, const int *, const int *, const int *, const T *, const int *, const int *,
                              const REAL *, REAL *, WORK, int *, size_t);
#if IS_COMPLEX
extern void FORTRAN(P, sycon)(const char *, const int *, const T *, const int *, const int *, const REAL *, REAL *, T *, int *,
                              size_t);
extern void FORTRAN(P, hecon)(const char *, const int *, const T *, const int *, const int *, const REAL *, REAL *, T *, int *,
                              size_t);
#else
extern void FORTRAN(P, sycon)(const char *, const int *, const T *, const int *, const int *, const T *, T *, WORK, int *,
                              size_t);
#endif

/* ROWS of A are read; ARGUMENTS are those of the library before its result and work space */
#undef MORE
#define MORE more,
#define CONDITION(NAME, LIST, ROWS, COUNT, ANORM, FINAL, ...)                                                     \
    void ROUTINE(NAME) PLAIN(LIST) {                                                                              \
        T sum = OWN(read)(a, ROWS, n, lda) + (ANORM);                                                             \
        *rcond = sum + (COUNT);                                                                                   \
        *info = sum != sum;                                                                                       \
    }                                                                                                             \
    void NATIVE(NAME) PLAIN(LIST) {                                                                               \
        T *work = malloc(at_least_1(4 * n) * sizeof(T));                                                          \
        void *more = malloc(at_least_1(2 * n) * sizeof(int64_t)); /* REAL numbers of complex types, or integers */ \
        REAL found;                                                                                               \
        CALL(NAME, __VA_ARGS__, &found, work, MORE info FINAL);                                                   \
        *rcond = found;                                                                                           \
        free(work);                                                                                               \
        free(more);                                                                                               \
    }                                                                                                             \
    static ALWAYS_INLINE KEPT SAVED(NAME) SAVING(LIST) { return (KEPT){0}; }                                      \
    void REVERSE(NAME) DERIVING(LIST) {                                                                           \
        if (drcond)                                                                                               \
            *drcond = 0;                                                                                          \
    }                                                                                                             \
    void FORWARD(NAME) DERIVING(LIST) {                                                                           \
        if (drcond)                                                                                               \
            *drcond = 0;                                                                                          \
    }

#define ONE_LENGTH , 1
#define THREE_LENGTHS , 1, 1, 1
#define GECON(V, R, W, I)                                                                                         \
    V(char, norm) V(int64_t, n) R(a) V(int64_t, lda) R(anorm) W(rcond) I(info)
#define POCON(V, R, W, I)                                                                                         \
    V(char, uplo) V(int64_t, n) R(a) V(int64_t, lda) R(anorm) W(rcond) I(info)
#define TRCON(V, R, W, I)                                                                                         \
    V(char, norm) V(char, uplo) V(char, diag) V(int64_t, n) R(a) V(int64_t, lda) W(rcond) I(info)
#define GBCON(V, R, W, I)                                                                                         \
    V(char, norm) V(int64_t, n) V(int64_t, kl) V(int64_t, ku) R(a) V(int64_t, lda) I(ipiv) R(anorm) W(rcond) I(info)
#define SYCON(V, R, W, I)                                                                                         \
    V(char, uplo) V(int64_t, n) R(a) V(int64_t, lda) I(ipiv) R(anorm) W(rcond) I(info)
CONDITION(gecon, GECON, n, 0, *anorm, ONE_LENGTH, &norm, INT(n), a, INT(lda), (const REAL *)anorm)
CONDITION(pocon, POCON, n, 0, *anorm, ONE_LENGTH, &uplo, INT(n), a, INT(lda), (const REAL *)anorm)
CONDITION(trcon, TRCON, n, 0, 0, THREE_LENGTHS, &norm, &uplo, &diag, INT(n), a, INT(lda))
CONDITION(gbcon, GBCON, 2 * kl + ku + 1, n > 0 ? ipiv[0] : 0, *anorm, ONE_LENGTH, &norm, INT(n), INT(kl), INT(ku), a,
          INT(lda), ipiv, (const REAL *)anorm)
#if IS_COMPLEX
#undef MORE
#define MORE
CONDITION(hecon, SYCON, n, n > 0 ? ipiv[0] : 0, *anorm, ONE_LENGTH, &uplo, INT(n), a, INT(lda), ipiv, (const REAL *)anorm)
DERIVATIVE(hecon, SYCON)
#endif
CONDITION(sycon, SYCON, n, n > 0 ? ipiv[0] : 0, *anorm, ONE_LENGTH, &uplo, INT(n), a, INT(lda), ipiv, (const REAL *)anorm)
DERIVATIVE(sycon, SYCON)
DERIVATIVE(gecon, GECON)
DERIVATIVE(pocon, POCON)
DERIVATIVE(trcon, TRCON)
DERIVATIVE(gbcon, GBCON)

/* The number is of type T in the routine, also for complex types. */
#undef CONDITION_WORK
#if IS_COMPLEX
#define CONDITION_WORK T *work, REAL *rwork
#else
#define CONDITION_WORK T *work, int *iwork
#endif
static ALWAYS_INLINE void OWN(gecon)(char norm, int64_t n, const T *a, int64_t lda, REAL anorm, REAL *rcond, int *info) {
    T size = anorm, found = 0;
    ROUTINE(gecon)(0, norm, n, a, lda, &size, &found, info);
    *rcond = __real__ found;
}
static ALWAYS_INLINE void OWN(pocon)(char uplo, int64_t n, const T *a, int64_t lda, REAL anorm, REAL *rcond, int *info) {
    T size = anorm, found = 0;
    ROUTINE(pocon)(0, uplo, n, a, lda, &size, &found, info);
    *rcond = __real__ found;
}
static ALWAYS_INLINE void OWN(trcon)(char norm, char uplo, char diag, int64_t n, const T *a, int64_t lda, REAL *rcond,
                                     int *info) {
    T found = 0;
    ROUTINE(trcon)(0, norm, uplo, diag, n, a, lda, &found, info);
    *rcond = __real__ found;
}
static ALWAYS_INLINE void OWN(gbcon)(char norm, int64_t n, int64_t kl, int64_t ku, const T *ab, int64_t ldab,
                                     const int *ipiv, REAL anorm, REAL *rcond, int *info) {
    T size = anorm, found = 0;
    ROUTINE(gbcon)(0, norm, n, kl, ku, ab, ldab, (int *)ipiv, &size, &found, info);
    *rcond = __real__ found;
}

INLINED void F_NAME(gecon)(const char *norm, const int *n, const T *a, const int *lda, const REAL *anorm, REAL *rcond,
                           CONDITION_WORK, int *info) {
    OWN(gecon)(*norm, *n, a, *lda, *anorm, rcond, info);
}
INLINED void F_NAME(pocon)(const char *uplo, const int *n, const T *a, const int *lda, const REAL *anorm, REAL *rcond,
                           CONDITION_WORK, int *info) {
    OWN(pocon)(*uplo, *n, a, *lda, *anorm, rcond, info);
}
INLINED void F_NAME(trcon)(const char *norm, const char *uplo, const char *diag, const int *n, const T *a, const int *lda,
                           REAL *rcond, CONDITION_WORK, int *info) {
    OWN(trcon)(*norm, *uplo, *diag, *n, a, *lda, rcond, info);
}
INLINED void F_NAME(gbcon)(const char *norm, const int *n, const int *kl, const int *ku, const T *ab, const int *ldab,
                           const int *ipiv, const REAL *anorm, REAL *rcond, CONDITION_WORK, int *info) {
    OWN(gbcon)(*norm, *n, *kl, *ku, ab, *ldab, ipiv, *anorm, rcond, info);
}
#undef SYMMETRIC_WORK
#if IS_COMPLEX
#define SYMMETRIC_WORK T *work
#else
#define SYMMETRIC_WORK T *work, int *iwork
#endif
#define CONDITION_OF_FACTORS(NAME)                                                                                \
    INLINED void F_NAME(NAME)(const char *uplo, const int *n, const T *a, const int *lda, const int *ipiv,        \
                              const REAL *anorm, REAL *rcond, SYMMETRIC_WORK, int *info) {                        \
        T size = *anorm, found = 0;                                                                               \
        ROUTINE(NAME)(0, *uplo, *n, a, *lda, (int *)ipiv, &size, &found, info);                                   \
        *rcond = __real__ found;                                                                                  \
    }
CONDITION_OF_FACTORS(sycon)
#if IS_COMPLEX
CONDITION_OF_FACTORS(hecon)
#endif
INLINED int E_NAME(gecon)(int layout, char norm, int n, const T *a, int lda, REAL anorm, REAL *rcond) {
    int info;
    T *factors = OWN(copy)(a, n, n, lda);
    if (layout == BY_ROWS)
        OWN(transpose)(a, lda, n, n, factors, at_least_1(n));
    OWN(gecon)(norm, n, factors, at_least_1(n), anorm, rcond, &info);
    free(factors);
    return info;
}
INLINED int E_NAME(pocon)(int layout, char uplo, int n, const T *a, int lda, REAL anorm, REAL *rcond) {
    int info;
    OWN(pocon)(by_columns(layout, uplo), n, a, lda, anorm, rcond, &info);
    return info;
}
INLINED int E_NAME(trcon)(int layout, char norm, char uplo, char diag, int n, const T *a, int lda, REAL *rcond) {
    int info;
    OWN(trcon)
    (layout == BY_ROWS ? norm_of_transpose(norm) : norm, by_columns(layout, uplo), diag, n, a, lda, rcond, &info);
    return info;
}
